package kit

import (
	"image"
	"io/fs"
	"time"

	"dashboard/config/value"
	"dashboard/control/notify"
	"dashboard/control/page"
	"dashboard/control/timer"
	"dashboard/internal/budget"
	"dashboard/internal/locale"
	"dashboard/provider"
	"dashboard/render"
	"dashboard/render/text"
	"dashboard/theme/look"
)

// Env is the environment of a tree. Text is required. Sources is required if a widget shows values.
type Env struct {
	Drawing
	Data
	Wall
}

// Drawing holds the tools and settings for drawing widgets.
type Drawing struct {
	Text          *text.Cache
	TextScale     float64        // factor of text sizes in px. 0 is 1
	SmoothScaling bool           // true to scale pictures smoothly
	Location      *time.Location // time zone of clocks and schedules. nil is time.Local
	Files         fs.FS          // file system with the pictures and fonts of the configuration, nil for the working directory
	Memory        *budget.Memory // memory account for decoding these files, nil for a separate account
	Look          *look.Look     // nil for the theme calm at night
	Locale        *locale.Locale // nil for English
	Picture       image.Point    // size of the whole picture in px. Zero is the size of the tree
	Scale         float64        // factor of lengths in px. 0 is 1
	Reduced       bool           // true if no animation starts without an action of the user
	Themed        bool           // true if the wall has a named theme, which classic texts use
	Modern        bool           // true if the tree has modern widgets and not only classic ones. It is set while the tree is built
	Translate     bool           // true if classic clocks show the names of days and months in Locale
	// Transitions lends the buffers of page transitions to all trees of a wall. If it is nil, the tree has its own buffers.
	Transitions *render.Transitions
}

// Data holds the sources of the values of widgets.
type Data struct {
	Sources  Sources
	Programs Programs       // programs of live parameters, or nil
	Pasts    *Pasts         // past values of numbers, nil to keep none
	Sun      value.Sun      // may be nil
	Place    value.Location // place of the wall
	TimeSet  func() bool    // reports whether the machine's clock is right, nil if it always is. A change repaints everything
}

// Wall holds the parts that a tree shares with the service that shows it.
type Wall struct {
	Inboxes *notify.Set
	Pages   *page.Set      // states of widgets with pages, nil for separate states of the tree
	Timers  *timer.Set     // timers of this generation, nil for separate timers of the tree
	Notices *Notices       // appearance of notifications above the wall, nil to show none
	Banner  *provider.Cell // cell with a Banner for the bottom of the screen, nil to show none
	Sign    *provider.Cell // cell with a notice.Sign for the whole screen, nil to show none
	Survey  *Survey        // may be nil
	// Near reports whether a person is near, from the sensor in conf.yaml. It is nil if there is no sensor.
	Near func() bool
	// Dark reports whether the room is dark, from the light sensor in conf.yaml. It is nil if there is no sensor.
	Dark func() bool
	// Crashed is called for every panic of a widget, in the painting goroutine. It must not block.
	Crashed func(widget, pos string, v any)
	// Wake requests another pass, because the cell of a widget that panicked must be painted again. It is called in the painting
	// goroutine and must not block.
	Wake func()
}
