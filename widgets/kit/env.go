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
	"dashboard/widgets/kit/history"
)

// Env is the environment of a tree. The field Text is required. Sources is required if a widget shows values.
type Env struct {
	Drawing
	Data
	Wall
}

// Drawing holds the tools and the settings with which widgets are drawn.
type Drawing struct {
	Text          *text.Cache
	TextScale     float64        // factor of text sizes in px. 0 means 1
	SmoothScaling bool           // true if pictures are scaled smoothly
	Location      *time.Location // time zone of clocks and schedules. nil is time.Local
	Files         fs.FS          // file system for the configuration's pictures and fonts, nil for the working directory
	Memory        *budget.Memory // account of the memory for decoding these files, nil for a separate account
	Look          *look.Look     // nil for the look of the theme calm at night
	Locale        *locale.Locale // nil for English
	Picture       image.Point    // size of the whole picture in px. Zero means the size of the tree
	Scale         float64        // factor of lengths in px. 0 means 1
	Reduced       bool           // true to turn motion off: transitions, fades, tickers and sweeping hands
	Themed        bool           // true if the wall has a named theme, which classic texts then use
	Modern        bool           // true if the tree has a modern widget. Set while the tree is built
	Translate     bool           // true if classic clocks use the names of days and months of Locale
	// Transitions lends buffers for page transitions to all trees of a wall. If it is nil, the tree has its own buffers.
	Transitions *render.Transitions
}

// Data holds the sources of the values that widgets show.
type Data struct {
	Sources  Sources
	Programs Programs       // runs the programs of live parameters, nil if there are none
	Pasts    *history.Pasts // histories of numbers, nil to keep no histories
	Sun      value.Sun      // nil if the sun's times are unknown
	Place    value.Location // location of the wall
	TimeSet  func() bool    // reports whether the machine's clock is set. nil if the clock is always set. A change repaints everything
}

// Wall holds the parts that a tree shares with the service that shows the tree.
type Wall struct {
	Inboxes *notify.Set
	Pages   *page.Set      // states of widgets with pages, nil if the tree has its own states
	Timers  *timer.Set     // timers of the configuration that is being loaded, nil if the tree has its own timers
	Notices *Notices       // settings of the notifications above the wall, nil to show none
	Banner  *provider.Cell // cell with a Banner for the bottom of the screen, nil to show none
	Sign    *provider.Cell // cell with a notice.Sign for the whole screen, nil to show none
	Survey  *Survey        // records the positions of widgets, may be nil
	// Near reports whether the presence sensor of conf.yaml detects a person. Near is nil if there is no sensor.
	Near func() bool
	// Dark reports whether the light sensor of conf.yaml detects a dark room. Dark is nil if there is no sensor.
	Dark func() bool
	// Crashed is called for every panic of a widget, in the goroutine that builds or paints. It must not block.
	Crashed func(widget, pos string, v any)
	// Wake requests another pass, because the cell of a widget that panicked must be painted again. It is called in the goroutine that
	// paints, and it must not block.
	Wake func()
}
