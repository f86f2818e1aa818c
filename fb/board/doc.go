// Package board is the pins of a board as the kernel gives them, as inputs: buttons, sensors of motion.
//
// A Line is a gpio.PinIn of periph, so that whatever takes one can be tested without a board. Nothing but the line that is asked for
// is touched.
package board

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// MaxNumber is the greatest number that a line may have.
const MaxNumber = 1023

// Debounce is how long a line must stay before the kernel tells of an edge: contacts bounce for a few ms.
const Debounce = 5 * time.Millisecond

// ErrNone says that there is no such line, on no chip.
var ErrNone = errors.New("no chip of this machine has such a line")

// header are the labels of the chips whose lines are the pins of a board's header (drivers/pinctrl of Linux): of two chips with a
// line of a number, theirs is meant.
var header = []string{"pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"}

// A chip is what a controller of lines says of itself.
type chip struct {
	path  string
	label string
	lines int
	named int // the offset of the line that is called by the wanted name; below 0 for none
}

// choose finds the line of a number: one that is called GPIO and the number, else that of the header's chip, else that of the only
// chip.
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

// lineName is what boards call the line of a number.
func lineName(number int) string { return "GPIO" + strconv.Itoa(number) }
