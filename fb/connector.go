package fb

import (
	"fmt"
	"image"
	"log/slog"

	"dashboard/fb/drm"
)

// A Connector makes a display use a connector of a graphics card, with kernel mode setting, instead of a framebuffer.
type Connector struct {
	// Name is the name of the connector, such as "HDMI-A-1". If it is empty, the first connector with a screen is used. The card cannot be
	// chosen, because the kernel may number the cards differently at each start.
	Name string
	// Mode is "1920x1080" or "1920x1080@60". If it is empty, the screen's preferred mode is used.
	Mode string
	// MaxSize bounds the size of an automatically chosen mode. 0 means no bound.
	MaxSize image.Point
	// Range sets the range of color levels that are sent: "full", "limited" or "auto".
	Range string
	// Else allows the framebuffer at Options.Path as a substitute. It is used if there is no connector, or if the program may not open a
	// card.
	Else bool
	// Cards are the cards of the program. All displays on one card must share them, because the kernel lets only one open file set modes. If
	// Cards is nil, the display creates its own Cards.
	Cards *Cards
	// Log receives the name of the device in use, and the reason for the choice. If Log is nil, nothing is logged.
	Log *slog.Logger
}

// ranges are the valid values of Connector.Range.
var ranges = []string{"", "auto", "full", "limited"}

// validate returns an error for options that can never work.
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

// wish returns the mode that the options request.
func (c *Connector) wish() drm.Wish {
	w, _ := drm.ParseWish(c.Mode) // validate has already checked the mode
	w.MaxSize = c.MaxSize
	return w
}
