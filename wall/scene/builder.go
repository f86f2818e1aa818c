package scene

import (
	"fmt"
	"image"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"time"

	"dashboard/config"
	"dashboard/control"
	"dashboard/control/device"
	"dashboard/control/notify"
	"dashboard/control/page"
	"dashboard/control/timer"
	"dashboard/internal/budget"
	"dashboard/internal/fetch"
	"dashboard/internal/oauth"
	"dashboard/internal/state"
	"dashboard/internal/timeset"
	"dashboard/internal/whole"
	"dashboard/provider"
	"dashboard/provider/geocode"
	"dashboard/provider/photos"
	"dashboard/provider/todo"
	"dashboard/render/text"
	"dashboard/wall/window"
	"dashboard/widgets"
	"dashboard/widgets/kit"
)

// Parts are the parts of a builder.
type Parts struct {
	Version string
	Wake    func() // called when a value arrives
	Log     *slog.Logger
	Store   *state.Store  `optional:"true"` // keeps values, places and photos for the next start
	Home    string        // distinguishes the histories of this wall from others in the store
	Machine fs.FS         `optional:"true"` // the machine's file system, nil for the real one
	Timers  *timer.Timers `optional:"true"` // nil to create them
	Permits string        `optional:"true"` // folder with OAuth 2 permissions, "" to keep none
	Serving *Serving      `optional:"true"` // nil if the wall is only inspected
}

// Serving holds the parts of a shown wall that its widgets need.
type Serving struct {
	Found     func()                                 // requests that the files are read again, because a location was found
	Tolerates func(name string) bool                 // reports whether a provider may have an error and fail
	Doer      control.Doer                           // runs commands from a broker
	OnBroker  device.Walls                           // the walls in the form for a broker
	Screen    func(*config.WindowOutput) image.Point // returns the size of a window's screen, or zero
}

// lookedAt replaces Serving for a wall that is only inspected.
func lookedAt() *Serving {
	return &Serving{Found: func() {}, Tolerates: func(string) bool { return true }, Screen: window.ScreenSize}
}

// A Builder builds generations. It holds the parts that their trees share, which outlive them.
type Builder struct {
	Parts
	Memory    *budget.Memory // memory account of the service
	shown     bool           // true if the wall is shown and not only inspected
	photos    *photos.Kept   // may be nil
	Pasts     *kit.Pasts     // histories of numbers, may be nil
	Providers *provider.Manager
	Grants    *oauth.Grants // permissions of OAuth 2
	Queues    *todo.Queues  // queues of task changes, nil if the wall is only inspected
	Text      *text.Cache
	Banner    *provider.Cell
	Client    *fetch.Client
	strangers strangers                // client for addresses that come from data
	clients   map[string]*fetch.Client // clients of recipes, by their hosts
	Atlas     *geocode.Atlas
	mark      string      // distinguishes this run from other programs on the same broker
	TimeSet   atomic.Bool // true if the machine's clock is right
	Sky       sky         // the sun at the wall's location
}

// glyphBytes is the maximum size of cached glyphs, in bytes. A 1080p wall with large digits uses about 2 MiB.
const glyphBytes = 12 << 20

// NewBuilder returns a builder of generations.
func NewBuilder(p Parts) *Builder {
	whole.Check(p)
	network := fetch.Environment(os.Getenv)
	network.UserAgent = UserAgent(p.Version)
	memory := budget.New()
	b := &Builder{
		Parts: p, shown: p.Serving != nil,
		Memory:    memory,
		Providers: provider.NewManager(memory, p.Wake, p.Log),
		Text:      text.NewCache(glyphBytes),
		Banner:    provider.NewCell(p.Wake),
		Client:    fetch.New(network),
		Grants:    oauth.NewGrants(p.Permits),
		mark:      fmt.Sprintf("%08x", rand.Uint32()),
	}
	if p.Serving == nil {
		b.Serving = lookedAt()
	} else {
		whole.Check(*p.Serving)
	}
	if p.Timers == nil {
		b.Timers = timer.New(p.Wake)
	}
	if p.Machine == nil {
		b.Machine = timeset.Machine()
	}
	b.strangers.agent = network.UserAgent
	if b.keep(); b.shown {
		b.Queues = todo.NewQueues(b.folder("tasks"), p.Log)
	}
	b.AskTime()
	return b
}

// crashed logs a panic that a widget's guard caught.
func (b *Builder) crashed(widget, pos string, v any) {
	b.Log.Error("a widget failed and says so in its place; the others go on", "widget", widget, "at", pos, "reason", fmt.Sprint(v))
}

// kindNames returns the kinds of widgets.
func kindNames() []string {
	var names []string
	for _, k := range widgets.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// Alone returns seats for views that do not run.
func Alone(wake func()) func(view string) Seat {
	return func(string) Seat { return Seat{Board: notify.NewBoard(wake), Pages: page.New(wake)} }
}

// AskTime checks whether the machine's clock is right. Once it is, the result does not change.
func (b *Builder) AskTime() bool {
	if !b.TimeSet.Load() && timeset.Known(b.Machine, time.Now()) {
		b.TimeSet.Store(true)
	}
	return b.TimeSet.Load()
}
