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
	"dashboard/output/window"
	"dashboard/provider"
	"dashboard/provider/geocode"
	"dashboard/provider/photos"
	"dashboard/provider/todo"
	"dashboard/render/text"
	"dashboard/widgets"
	"dashboard/widgets/kit/history"
)

// Parts are the parameters of a builder.
type Parts struct {
	Version string
	Wake    func() // called when a value arrives
	Log     *slog.Logger
	Store   *state.Store  `optional:"true"` // stores values, locations and photos for the next start
	Home    string        // distinguishes the stored histories of this wall from the histories of other walls
	Machine fs.FS         `optional:"true"` // the machine's file system, or nil for the real one
	Timers  *timer.Timers `optional:"true"` // timers, or nil to create them
	Permits string        `optional:"true"` // folder for the permissions of OAuth 2, or "" if they are not stored
	Serving *Serving      `optional:"true"` // nil if generations are only inspected
}

// Serving contains the functions that a shown wall needs.
type Serving struct {
	// Found requests that the files are read again, because the coordinates of a place are known now.
	Found     func()
	Tolerates func(name string) bool                 // reports whether a provider with an error in its definition may be used
	Doer      control.Doer                           // runs commands from a broker
	OnBroker  device.Walls                           // describes the walls for a broker
	Screen    func(*config.WindowOutput) image.Point // returns the size of a window's screen, or zero
}

// lookedAt returns the Serving of a wall that is only inspected and not shown.
func lookedAt() *Serving {
	return &Serving{Found: func() {}, Tolerates: func(string) bool { return true }, Screen: window.ScreenSize}
}

// A Builder reads configurations and builds generations. It contains the parts that all generations share.
type Builder struct {
	Parts
	Memory    *budget.Memory // memory account of the service
	shown     bool           // true if generations are shown, and false if they are only inspected
	photos    *photos.Kept   // stored photos, or nil
	Pasts     *history.Pasts // histories of numbers, or nil
	Providers *provider.Manager
	Grants    *oauth.Grants // permissions of OAuth 2
	Queues    *todo.Queues  // queues of changed tasks, or nil if generations are only inspected
	Text      *text.Cache
	Banner    *provider.Cell
	Client    *fetch.Client
	strangers strangers                // client for addresses in values, because other people choose these addresses
	clients   map[string]*fetch.Client // clients of recipes. The keys are the hosts of a recipe
	Atlas     *geocode.Atlas
	mark      string      // distinguishes this run of the program from other clients of the same broker
	TimeSet   atomic.Bool // true if the machine's clock is set
	Sky       sky         // times of the sun at the wall's location
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

// crashed() logs the panic of a widget.
func (b *Builder) crashed(widget, pos string, v any) {
	b.Log.Error("a widget failed and says so in its place; the others go on", "widget", widget, "at", pos, "reason", fmt.Sprint(v))
}

// kindNames returns the names of all kinds of widgets.
func kindNames() []string {
	var names []string
	for _, k := range widgets.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// Alone returns a function `seatOf` for Load. Its seats are for views that do not run.
func Alone(wake func()) func(view string) Seat {
	return func(string) Seat { return Seat{Board: notify.NewBoard(wake), Pages: page.New(wake)} }
}

// AskTime reports whether the machine's clock is set. After it has returned true once, it always returns true.
func (b *Builder) AskTime() bool {
	if !b.TimeSet.Load() && timeset.Known(b.Machine, time.Now()) {
		b.TimeSet.Store(true)
	}
	return b.TimeSet.Load()
}
