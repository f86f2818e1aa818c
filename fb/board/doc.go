// Package board makes the GPIO lines of a board available as inputs, for buttons and motion sensors. It uses the kernel's interface.
//
// A Line implements gpio.PinIn of periph, so code that uses lines can be tested without a board. Only the requested lines are opened.
package board

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// MaxNumber is the greatest allowed line number.
const MaxNumber = 1023

// Debounce is the time that a level must be stable before the kernel reports an edge. It is needed because contacts bounce for a few ms.
const Debounce = 5 * time.Millisecond

// ErrNone is returned if no chip has the requested line.
var ErrNone = errors.New("no chip of this machine has such a line")

// header lists the labels of the chips whose lines are connected to a board's pin header (drivers/pinctrl of Linux). If several chips
// have a line with the requested number, the line of a chip in this list is chosen.
var header = []string{"pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"}

// A chip describes a controller of lines.
type chip struct {
	path  string
	label string
	lines int
	named int // offset of the line with the requested name, or negative if no line has this name
}

// choose finds the line with the given number. If a line has the name "GPIO" plus this number, choose returns this line. Otherwise it
// looks for a chip in the list `header` that has a line with this number. If there is none and the machine has only one chip, it uses
// this chip.
func choose(chips []chip, number int) (path string, offset int, err error) {
	for _, c := range chips {
		if c.named >= 0 {
			return c.path, c.named, nil
		}
	}
	for _, c := range chips {
		for _, label := range header {
			if strings.HasPrefix(c.label, label) && number < c.lines {
				return c.path, number, nil
			}
		}
	}
	if len(chips) == 1 && number < chips[0].lines {
		return chips[0].path, number, nil
	}
	return "", 0, ErrNone
}

// lineName returns the kernel's usual name for the line with a number.
func lineName(number int) string { return "GPIO" + strconv.Itoa(number) }
