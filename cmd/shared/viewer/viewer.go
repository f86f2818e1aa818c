package viewer

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"dashboard/appliance/about"
	"dashboard/client"
	"dashboard/internal/state"
	"dashboard/internal/timeset"
	"dashboard/render/text"
	"dashboard/systemd"
	"dashboard/wall/daemon"
)

// glyphBytes is the maximum size of cached glyphs, in bytes. The clock and the message of a 4K screen need 1 MB.
const glyphBytes = 2 << 20

// A viewer is the running program. It contains the current settings and the data that reloads do not replace.
type viewer struct {
	opts    *options
	log     *slog.Logger
	level   slog.LevelVar
	fonts   *text.Cache
	systemd *systemd.Watchdog

	store   *state.Store // store for the next start, or nil if nothing is stored
	seen    keptFiles    // contents of the files when they were last read
	instead bool         // true if other settings are used because the files have errors

	found   chan sighting // has the capacity 1. It contains the newest result of the search
	seeks   context.CancelFunc
	search  sync.WaitGroup
	now     *settings // current settings, from the files or from a fallback
	wall    sighting  // newest result of the search
	revoked []byte    // stored pairing that was deleted because the wall has rejected the token, or nil

	screen *screen
	cover  *cover // draws over the wall
	client *client.Client
	end    context.CancelFunc // ends the client
	done   sync.WaitGroup
}

// garbagePercent is Go's garbage collection target; see [daemon.CollectEarly]. Each tick of the clock leaves garbage of about 1 % of the
// memory that the pictures use.
const garbagePercent = 20

// show runs the remote screen until ctx ends.
func show(ctx context.Context, o *options, stderr io.Writer, reload <-chan os.Signal) error {
	v := &viewer{opts: o, fonts: text.NewCache(glyphBytes), systemd: systemd.NewWatchdog(), found: make(chan sighting, 1), cover: &cover{}}
	v.log = slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: &v.level}))
	v.store = v.keeper()
	v.seen = v.opts.read()
	s, report := load(o)
	daemon.Log(v.log, report)
	switch {
	case s != nil:
		v.keepGood()
	case !o.KeepGoing:
		return o.wrong()
	default:
		if s = v.fallback(report); s == nil {
			return o.wrong()
		}
	}
	daemon.CollectEarly(garbagePercent)
	v.begin(ctx, s)
	err := v.adopt(s)
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for err == nil && ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-reload:
			err = v.reload()
		case at := <-v.found:
			err = v.sighted(at)
		case <-look.C:
			v.noteRemoved()
			if v.mended() {
				err = v.reload()
			}
		}
	}
	v.noteRemoved()
	v.systemd.Stopping()
	if daemon.End(v.close) {
		v.log.Info(Name + " ended")
	} else {
		v.log.Warn(Name + " ended, although a part of it did not stop")
	}
	return err
}

// begin logs the start. From then on, an appliance shows the state of its set-up on the screen.
func (v *viewer) begin(ctx context.Context, s *settings) {
	v.log.Info(Name+" started", "version", v.opts.version, "size", fmt.Sprintf("%dx%d", s.client.Size.X, s.client.Size.Y), "service", s.client.URL)
	go v.cover.run(ctx, timeset.Machine())
}

// reload reads client.yaml again. If the file has errors, only a badge appears.
func (v *viewer) reload() error {
	v.systemd.Reloading()
	defer v.systemd.Reloaded()
	v.seen = v.opts.read()
	s, report := load(v.opts)
	daemon.Log(v.log, report)
	if s == nil {
		if v.now.client.Problem == "" { // a screen that shows the error as a card needs no badge
			v.cover.warn(problem(report))
		}
		v.log.Error("reload refused: the screen keeps the earlier settings", "errors", len(report.Errors()))
		return nil
	}
	if err := v.adopt(s); err != nil {
		return err
	}
	v.instead = false
	v.cover.warn("")
	v.keepGood()
	v.log.Info("configuration reloaded")
	return nil
}

// adopt applies settings. It shows the service that the settings name. If they name no service, adopt searches for one.
func (v *viewer) adopt(s *settings) error {
	v.level.Set(s.level)
	v.stopSeeking()
	v.now = s
	if !s.seeks() {
		facts, _ := about.Read(timeset.Machine()) // on a machine that is not an appliance, facts is empty
		if n := selfNotice(s.client.URL, facts); n != nil {
			return v.present(s.at(sighting{notice: n}))
		}
		return v.present(s)
	}
	v.seek(s)
	return v.sighted(sighting{notice: &client.Notice{Title: "Looking for a dashboard", Detail: "on this network"}})
}

// present shows the frames of the service in the settings. The current frame remains until the
// first new frame arrives. If the settings of the screen have not changed, the screen stays open.
func (v *viewer) present(s *settings) error {
	before := v.client
	v.stop()
	if v.screen != nil && !v.screen.fits(s) {
		v.screen.close() // close the old screen first, because both may need the same device
		v.screen = nil
	}
	if v.screen == nil {
		var err error
		if v.screen, err = openScreen(s, v.cover, v.store, v.log); err != nil {
			return err
		}
	}
	o := s.client
	v.cover.screen, v.cover.fonts, v.cover.corner = v.screen, v.fonts, s.client.Corner
	o.Display, o.Text, o.Log = v.cover, v.fonts, v.log
	o.TimeSet = func(now time.Time) bool { return timeset.Known(timeset.Machine(), now) }
	o.Screen, o.Light = v.screen.follow, v.screen.lit
	o.Passed, o.Heartbeat = v.systemd.Passed, v.systemd.Period()/2
	next, err := client.New(o)
	if err != nil {
		return err
	}
	if before != nil {
		next.Continue(before)
	}
	v.start(next)
	return nil
}

func (v *viewer) start(c *client.Client) {
	var ctx context.Context
	ctx, v.end = context.WithCancel(context.Background())
	v.client = c
	v.screen.shows.Store(c)
	v.cover.shows.Store(c)
	v.done.Go(func() { c.Run(ctx) })
}

// stop ends the client, if there is one.
func (v *viewer) stop() {
	if v.client != nil {
		v.end()
		v.done.Wait()
	}
}

// close ends the client and closes the screen. Even if the client hangs while it draws, the console is restored.
func (v *viewer) close() {
	v.stopSeeking()
	if v.end != nil {
		v.end()
	}
	if v.screen != nil {
		v.screen.close()
	}
	v.done.Wait()
}
