package fb

import (
	"fmt"
	"image"
	"log/slog"

	"dashboard/fb/drm"
)

// A Connector requests a socket of a graphics card, driven by the kernel's mode
// setting, instead of a framebuffer.
type Connector struct {
	// Name is the socket's, such as "HDMI-A-1". If empty, it is the first with a
	// screen. Cards are not named: their numbers change.
	Name string
	// Mode is "1920x1080" or "1920x1080@60". If empty, the screen's preferred mode is used.
	Mode string
	// MaxSize bounds modes that are not wished for by name, and 0 is no bound.
	MaxSize image.Point
	// Range is "full", "limited" or "auto": the levels of colors that are sent.
	Range string
	// Else uses the framebuffer Options.Path if no card has a connector, or none may be opened.
	Else bool
	// Cards, if not nil, are the cards of the program. Displays on one card must share it, because only one program,
	// and one opening of it, sets modes.
	Cards *Cards
	// Log receives which device is used and why. A nil Log is silent.
	Log *slog.Logger
}

// ranges are the words of Connector.Range.
var ranges = []string{"", "auto", "full", "limited"}

// validate reports options that can never work.
func (c *Connector) validate() error {
	if c == nil {
		return nil
	}
	if _, err := drm.ParseWish(c.Mode); err != nil {
		return fmt.Errorf("fb: %w", err)
	}
	for _, r := range ranges {
		if c.Range == r {
			return nil
		}
	}
	return fmt.Errorf("fb: rgb_range %q is not auto, full or limited", c.Range)
}

// wish is the requested mode.
func (c *Connector) wish() drm.Wish {
	w, _ := drm.ParseWish(c.Mode) // it was checked
	w.MaxSize = c.MaxSize
	return w
}
