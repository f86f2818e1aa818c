package main

import (
	"fmt"
	"image"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"sync/atomic"

	"dashboard/config"
	"dashboard/control"
	"dashboard/control/device"
	"dashboard/control/notify"
	"dashboard/control/page"
	"dashboard/control/timer"
	"dashboard/internal/fetch"
	"dashboard/internal/timeset"
	"dashboard/provider"
	"dashboard/provider/geocode"
	"dashboard/provider/photos"
	"dashboard/render/text"
	"dashboard/wall/window"
	"dashboard/widgets"
	"dashboard/widgets/kit"
)

// A builder makes generations. It holds what their trees share, which outlives them.
type builder struct {
	photos    *photos.Kept // may be nil
	pasts     *kit.Pasts   // of numbers; may be nil
	timers    *timer.Timers
	providers *provider.Manager
	text      *text.Cache
	banner    *provider.Cell
	client    *fetch.Client
	strangers strangers // of what data name
	atlas     *geocode.Atlas
	found     func()                                 // has the files read again: a place was found
	mark      string                                 // tells this run of the program from others that ask the same broker
	tolerates func(name string) bool                 // a provider may have a mistake, and fail
	serving   bool                                   // the wall is shown, and not only looked at
	verbs     control.Verbs                          // what may be asked for on a broker; nil where no wall is shown
	onBroker  device.Walls                           // what a broker is told of them; nil where no wall is shown
	screen    func(*config.WindowOutput) image.Point // the size of its screen, zero without one
	wake      func()
	log       *slog.Logger
	machine   fs.FS       // its file system
	timeSet   atomic.Bool // the machine's clock can be believed
	sky       sky         // where the walls hang
}

// glyphBytes bounds the shapes of letters kept in memory: a 1080p wall of big figures uses about 2 MiB.
const glyphBytes = 12 << 20

// newBuilder returns a builder whose providers call wake when something came in.
func newBuilder(wake func(), log *slog.Logger) *builder {
	network := fetch.Environment(os.Getenv)
	network.UserAgent = userAgent()
	client := fetch.New(network)
	b := &builder{
		providers: provider.NewManager(wake, log),
		text:      text.NewCache(glyphBytes),
		banner:    provider.NewCell(wake),
		client:    client,
		atlas:     geocode.NewAtlas(client, geocode.Geocoder, nil),
		mark:      fmt.Sprintf("%08x", rand.Uint32()),
		found:     func() {},
		tolerates: func(string) bool { return true },
		timers:    timer.New(wake),
		screen:    window.ScreenSize,
		wake:      wake,
		log:       log,
		machine:   timeset.Machine(),
	}
	b.askTime()
	return b
}

func discardLog() *slog.Logger { return slog.New(slog.DiscardHandler) }

// crashed logs a panic that a widget's guard caught.
func (b *builder) crashed(widget, pos string, v any) {
	b.log.Error("a widget failed and says so in its place; the others go on", "widget", widget, "at", pos, "reason", fmt.Sprint(v))
}

// kindNames are the types of widgets.
func kindNames() []string {
	var names []string
	for _, k := range widgets.Kinds() {
		names = append(names, k.Name)
	}
	return names
}

// alone seats views that nobody runs.
func alone(wake func()) func(view string) seat {
	return func(string) seat { return seat{board: notify.NewBoard(wake), pages: page.New(wake)} }
}
