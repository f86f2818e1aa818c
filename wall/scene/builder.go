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

// Parts are what a builder is made of.
type Parts struct {
	Version string
	Wake    func() // is called when a value came in
	Log     *slog.Logger
	Store   *state.Store  `optional:"true"` // keeps values, places and photos for the next start
	Home    string        // distinguishes the pasts of this wall from others in the store
	Machine fs.FS         `optional:"true"` // the machine's file system; nil is this one's
	Timers  *timer.Timers `optional:"true"` // nil makes them
	Permits string        `optional:"true"` // folder with permissions of OAuth 2; "" keeps none
	Serving *Serving      `optional:"true"` // nil: the wall is not shown, but only looked at
}

// Serving holds the parts of a shown wall that its widgets need.
type Serving struct {
	Found     func()                                 // has the files read again: a place was found
	Tolerates func(name string) bool                 // reports whether a provider may have a mistake, and fail
	Doer      control.Doer                           // carries out requests to a broker
	OnBroker  device.Walls                           // the walls in the form for a broker
	Screen    func(*config.WindowOutput) image.Point // the size of its screen, zero without one
}

// lookedAt replaces Serving for a wall that is only inspected.
func lookedAt() *Serving {
	return &Serving{Found: func() {}, Tolerates: func(string) bool { return true }, Screen: window.ScreenSize}
}

// A Builder makes generations. It holds what their trees share, which outlives them.
type Builder struct {
	Parts
	Memory    *budget.Memory // of the service
	shown     bool           // the wall is shown, and not only looked at
	photos    *photos.Kept   // may be nil
	Pasts     *kit.Pasts     // of numbers; may be nil
	Providers *provider.Manager
	Grants    *oauth.Grants // permissions of OAuth 2
	Queues    *todo.Queues  // of changes of tasks; nil for a wall that is only looked at
	Text      *text.Cache
	Banner    *provider.Cell
	Client    *fetch.Client
	strangers strangers                // of what data name
	clients   map[string]*fetch.Client // of recipes, by their hosts
	Atlas     *geocode.Atlas
	mark      string      // distinguishes this run of the program from others that use the same broker
	TimeSet   atomic.Bool // the machine's clock can be believed
	Sky       sky         // where the walls hang
}

// glyphBytes bounds the shapes of letters kept in memory: a 1080p wall of big figures uses about 2 MiB.
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

// kindNames are the types of widgets.
func kindNames() []string {
	var names []string
	for _, k := range widgets.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// Alone seats views that do not run.
func Alone(wake func()) func(view string) Seat {
	return func(string) Seat { return Seat{Board: notify.NewBoard(wake), Pages: page.New(wake)} }
}

// AskTime notes whether the machine's clock can be believed. Once it can, it stays so.
func (b *Builder) AskTime() bool {
	if !b.TimeSet.Load() && timeset.Known(b.Machine, time.Now()) {
		b.TimeSet.Store(true)
	}
	return b.TimeSet.Load()
}
