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

// Drawing is the tools and settings for drawing widgets.
type Drawing struct {
	Text          *text.Cache
	TextScale     float64        // factor of text sizes in px. 0 is 1
	SmoothScaling bool           // of pictures
	Location      *time.Location // time zone of clocks and schedules. nil is time.Local
	Files         fs.FS          // pictures and fonts that the configuration names. nil is the working directory
	Memory        *budget.Memory // of the service, for decoding these files; nil is an account of its own
	Look          *look.Look     // nil is calm by night
	Locale        *locale.Locale // nil is English
	Picture       image.Point    // size of the whole picture, px. Zero is the size of the tree
	Scale         float64        // factor of lengths in px. 0 is 1
	Reduced       bool           // no animation starts without an action of the user
	Themed        bool           // the wall has a named theme, which classic texts follow
	Modern        bool           // the tree has widgets of the look, not only classic ones; set while it is built
	Translate     bool           // classic clocks write the names of days and months in Locale
	// Transitions lends the buffers of page transitions to all trees of a wall. If it is nil, the tree has its own.
	Transitions *render.Transitions
}

// Data is where the values of widgets come from.
type Data struct {
	Sources  Sources
	Programs Programs       // of live parameters. nil has none
	Pasts    *Pasts         // past values of numbers. nil keeps none
	Sun      value.Sun      // may be nil
	Place    value.Location // of the wall
	TimeSet  func() bool    // reports whether the machine's clock is right. nil is always. A change repaints everything
}

// Wall is what a tree shares with the service that shows it.
type Wall struct {
	Inboxes *notify.Set
	Pages   *page.Set      // of widgets with pages. nil is a set of the tree's own
	Timers  *timer.Set     // of this generation. nil is a set of the tree's own
	Notices *Notices       // how notifications are shown over the wall. nil shows none
	Banner  *provider.Cell // a Banner, shown across the bottom of the screen. nil shows nothing
	Sign    *provider.Cell // a notice.Sign, shown over the whole screen. nil shows none
	Survey  *Survey        // may be nil
	// Near reports whether a person is near, by the sensor of conf.yaml. It is nil without one.
	Near func() bool
	// Dark reports whether the room is dark, by the light sensor of conf.yaml. It is nil without one.
	Dark func() bool
	// Crashed gets every panic of a widget, in the goroutine that paints. It must not block.
	Crashed func(widget, pos string, v any)
	// Wake requests another pass, because the cell of a widget that panicked has to be painted again. It runs in the goroutine that
	// paints and must not block.
	Wake func()
}
