package fb

import (
	"fmt"
	"image"
	"log/slog"

	"dashboard/fb/drm"
)

// A Connector requests a connector of a graphics card, driven by kernel mode setting, instead of a framebuffer.
type Connector struct {
	// Name is the name of the connector, such as "HDMI-A-1". If empty, the first connector with a screen is used. There is no
	// option for the card, because card numbers change.
	Name string
	// Mode is "1920x1080" or "1920x1080@60". If empty, the screen's preferred mode is used.
	Mode string
	// MaxSize bounds modes that are chosen automatically. 0 is no bound.
	MaxSize image.Point
	// Range sets the range of color levels that are sent: "full", "limited" or "auto".
	Range string
	// Else allows the framebuffer Options.Path if no card has a connector, or no card may be opened.
	Else bool
	// Cards, if not nil, are the cards of the program. Displays on one card must share it, because only one program, and only one
	// open file of it, may set modes.
	Cards *Cards
	// Log receives the device that is used, and the reason. A nil Log is silent.
	Log *slog.Logger
}

// ranges are the valid values of Connector.Range.
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

// wish returns the requested mode.
func (c *Connector) wish() drm.Wish {
	w, _ := drm.ParseWish(c.Mode) // validate has checked the mode
	w.MaxSize = c.MaxSize
	return w
}
