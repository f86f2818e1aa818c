package viewer

import (
	"context"
	"image"
	"log/slog"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"dashboard/client"
	"dashboard/config"
	"dashboard/control/power"
	"dashboard/control/switches"
	"dashboard/fb"
	"dashboard/internal/state"
	"dashboard/output/window"
)

// A screen is the screen of this machine. It stays open when another client.Client draws on it.
type screen struct {
	*fb.Keeper
	output config.WindowOutput
	size   image.Point // size of the frames, in px
	log    *slog.Logger
	above  *cover // handles touches of the guide over the wall

	power  config.ClientDisplay
	owner  *power.Owner // switches the screen
	window *switches.Window
	wallOn atomic.Bool // true if the wall's screens are on, or if this screen does not follow them
	opened atomic.Bool // true if owner and window are set

	shows   atomic.Pointer[client.Client] // client that draws on the screen
	changed chan struct{}                 // has the capacity 1. A value means that the device was opened or lost
	end     context.CancelFunc
	done    sync.WaitGroup
}

// openScreen leases the console and opens the device of the screen. If the device is missing, the screen waits for it. `above` is drawn
// over the wall. `store` contains the modes of screens for the next start. `store` may be nil.
func openScreen(s *settings, above *cover, store *state.Store, log *slog.Logger) (*screen, error) {
	sc := &screen{output: s.output, size: s.client.Size, power: s.power, log: log, above: above, changed: make(chan struct{}, 1)}
	opts := s.options(store, log)
	opts.OnRepaint = sc.repaint
	var err error
	if sc.Keeper, err = fb.NewKeeper(opts); err != nil {
		return nil, err
	}
	sc.switched()
	sc.opened.Store(true)
	var ctx context.Context
	ctx, sc.end = context.WithCancel(context.Background())
	sc.done.Go(func() { _ = sc.Run(ctx) }) // Halt returns the same error
	sc.done.Go(func() { sc.tell(ctx) })
	sc.done.Go(func() { sc.runInput(ctx) })
	sc.done.Go(func() {
		sc.owner.Run(ctx)
		sc.window.Close()
	})
	return sc, nil
}

// options() returns the options of the window. `store` contains the modes of screens for the next start. `store` may be nil.
func (s *settings) options(store *state.Store, log *slog.Logger) fb.Options {
	opts := s.window
	opts.Log = log
	if opts.Connector != nil {
		c := *opts.Connector // a copy, because the settings must not change
		c.Log, opts.Connector = log, &c
		c.Cards = fb.NewCards()
		c.Cards.KeepModes(window.Modes{Store: store, Log: log})
	}
	return opts
}

// switched() creates the objects that switch and dim the screen.
func (sc *screen) switched() {
	sc.window = switches.New(sc.Keeper, switches.ThisMachine(), sc.output.Driver == config.DriverVirtual, sc.output.Connects())
	sc.window.Log = sc.log
	sc.owner = power.NewOwner()
	sc.owner.Log = sc.log
	sc.owner.Screens = func() []power.Screen {
		return []power.Screen{{Name: sc.String(), Backends: sc.window.Backends(sc.power.Backends, sc.power.Yield)}}
	}
	sc.wallOn.Store(true)
	sc.warm(0)
}

// warm sets the warmth of the picture, from 0 to 1. It also sets the rules of sc.owner: the screen is off while the wall's screens are
// off, and a touch switches it on.
func (sc *screen) warm(warmth float64) {
	sc.owner.Configure(power.Rules{Warmth: warmth, Touch: true}, func(time.Time) (power.Senses, time.Time) {
		return power.Senses{When: sc.wallOn.Load(), Present: true, Night: true}, time.Time{}
	})
}

// follow switches the screen on or off together with the wall's screens. A screen that does not follow the wall stays on. follow does not
// block.
func (sc *screen) follow(on bool) {
	sc.wallOn.Store(on || !sc.power.Follow)
	sc.owner.Look()
}

// lit() gives this screen the brightness and the warmth of the wall's screens, if this screen follows the wall. It does not block.
func (sc *screen) lit(l client.Light) {
	if !sc.power.Follow {
		return
	}
	level := -1.0
	if l.Dimmed {
		level = l.Level
	}
	sc.log.Debug("the wall's light", "brightness", level, "warmth", l.Warmth)
	sc.owner.AskLevel(level)
	sc.warm(l.Warmth)
}

// fits() reports whether the open screen can be used with the settings s.
func (sc *screen) fits(s *settings) bool {
	return sc.size == s.client.Size && reflect.DeepEqual(sc.output, s.output) && reflect.DeepEqual(sc.power, s.power)
}

// repaint makes the client draw everything again. It must not block, because fb.Keeper calls it.
func (sc *screen) repaint() {
	if c := sc.shows.Load(); c != nil {
		c.Invalidate()
	}
	if sc.opened.Load() {
		sc.window.Renewed()
		sc.owner.Again()
	}
	select {
	case sc.changed <- struct{}{}:
	default:
	}
}

// tell logs an error of the console when it appears, until ctx ends. It logs no other error until the console has worked again.
func (sc *screen) tell(ctx context.Context) {
	var told fb.State
	for {
		st := sc.State()
		if st.Console != nil && told.Console == nil {
			sc.log.Warn("the console may draw on the screen", "error", st.Console)
		}
		told = st
		select {
		case <-ctx.Done():
			return
		case <-sc.changed:
		}
	}
}

// close closes the screen and restores the console.
func (sc *screen) close() {
	sc.end()
	sc.done.Wait()
}
