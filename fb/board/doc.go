// Package board provides the GPIO pins of a board, through the kernel, as inputs for buttons and motion sensors.
//
// A Line is a gpio.PinIn of periph, so code that uses such pins can be tested without a board. Only the requested line is opened.
package board

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// MaxNumber is the greatest number that a line may have.
const MaxNumber = 1023

// Debounce is the time for which a level must be stable before the kernel reports an edge, because contacts bounce for a few ms.
const Debounce = 5 * time.Millisecond

// ErrNone reports that no chip has the requested line.
var ErrNone = errors.New("no chip of this machine has such a line")

// header holds the labels of the chips whose lines are the pins of a board's header (drivers/pinctrl of Linux). If two chips have a
// line with the same number, the line of a listed chip is chosen.
var header = []string{"pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"}

// A chip describes a controller of lines.
type chip struct {
	path  string
	label string
	lines int
	named int // offset of the line with the wanted name (below 0 if there is none)
}

// choose finds the line with a number. It prefers the line named GPIO and the number, then the line of the header's chip, and then
// the line of the only chip.
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

// lineName returns the usual name of the line with a number.
func lineName(number int) string { return "GPIO" + strconv.Itoa(number) }
