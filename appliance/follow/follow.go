// Package follow decides when a card asks for releases, and installs them.
package follow

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/install"
	"dashboard/appliance/manifest"
	"dashboard/appliance/state"
)

const (
	// checkPause is the time between two questions to the server, and checkJitter the most that a board adds to it.
	checkPause, checkJitter = 6 * time.Hour, time.Hour
	// tickPause is the time between two looks at the clock.
	tickPause = time.Minute
	// retryPause is the time after a failed installation, within the window.
	retryPause = 15 * time.Minute
	// installTime bounds one installation: a slow line needs an hour, and a server that sends a byte a minute never ends.
	installTime = 6 * time.Hour
	// tries is how often a new slot may be booted without painting: more than once, because the power may be cut.
	tries = 3
)

// A Target is the slot that does not run, locked until it is closed.
type Target interface {
	install.Slot
	io.Closer
	// ReadBack returns the checksum of the first size bytes, read from the card.
	ReadBack(size int64) (manifest.Sum, error)
}

// A Machine is the board and its card.
type Machine interface {
	State() (state.Record, error)
	Change(func(state.Record) state.Record) error
	// Running returns the root file system that runs, and its sum.
	Running() (io.ReaderAt, manifest.Sum, error)
	Target() (Target, error)
	// Set writes a setting.
	Set(name, value string) error
	// Restart restarts the board. It returns before that.
	Restart(state.Record) error
	Tell(about.Update)
}

// A Board is what follows releases.
type Board struct {
	Machine  Machine
	Source   install.Source
	Marks    install.Marks
	Slot     state.Slot
	Arch     string
	ID       string // of the machine
	Version  string // that runs
	Sequence uint64 // that runs
	Keys     *manifest.Keys
	Channel  string
	Window   Window
	First    time.Duration // until the first question, without jitter
	Jitter   bool          // questions of many boards are spread
	Now      func() time.Time
	TimeSet  func() bool // the time is known
	Pause    func(context.Context, time.Duration) error
}

// A Follower follows the releases of one address. Its methods belong to the goroutine of Run.
type Follower struct {
	Board
	started time.Time
	next    time.Time // question
	try     time.Time // earliest next installation
	release *manifest.Manifest
	verdict error // of release
	told    about.Update
	confirm bool // this start has confirmed a release
}

// New returns a follower. confirmed is true if this start ended the trial of a release.
func New(b Board, confirmed bool) *Follower {
	f := &Follower{Board: b, started: b.Now(), confirm: confirmed}
	f.next = f.started.Add(b.First + f.spread(checkJitter/6))
	return f
}

// An Ask is a request with the channel of its answer.
type Ask struct {
	about.Ask
	Answer chan<- error
}

// Run follows releases until ctx ends.
func (f *Follower) Run(ctx context.Context, asks <-chan Ask) {
	tick := time.NewTicker(min(tickPause, max(f.First, time.Second)))
	defer tick.Stop()
	f.tell("", 0)
	for {
		select {
		case <-ctx.Done():
			return
		case a := <-asks:
			do, err := f.answer(a.Ask)
			a.Answer <- err
			if do != nil {
				do(ctx)
			}
		case <-tick.C:
			f.step(ctx)
		}
	}
}

// step does the work that is due.
func (f *Follower) step(ctx context.Context) {
	now := f.Now()
	if f.Keys == nil || f.Channel == manifest.Off {
		return
	}
	if !now.Before(f.next) || f.next.Sub(now) > checkPause+checkJitter { // or the clock was set back
		f.check(ctx, false)
	}
	if f.due(now) {
		f.install(ctx, false)
	}
}

// due reports whether the release is installed now without being asked for.
func (f *Follower) due(now time.Time) bool {
	if f.release == nil || f.verdict != nil || now.Before(f.try) && f.try.Sub(now) <= retryPause {
		return false
	}
	return f.release.Urgent || f.TimeSet() && f.Window.open(now, f.share())
}

// share is the board's place among others, from 0 to 1, always the same.
func (f *Follower) share() float64 {
	if !f.Jitter {
		return 0
	}
	sum := sha256.Sum256([]byte("jitter " + f.ID))
	return float64(binary.LittleEndian.Uint32(sum[:])) / (1 << 32)
}

// spread is a time between zero and most that differs between boards.
func (f *Follower) spread(most time.Duration) time.Duration {
	return time.Duration(f.share() * float64(most))
}

// errAsk is for a request that this keeper does not know.
var errAsk = errors.New("there is no such request")

// answer returns the work that a request begins, after its answer.
func (f *Follower) answer(a about.Ask) (do func(context.Context), err error) {
	switch a.Do {
	case about.DoCheck:
		return func(ctx context.Context) { f.check(ctx, true) }, f.canAsk()
	case about.DoNow:
		return func(ctx context.Context) {
			if f.check(ctx, true); f.release != nil && f.verdict == nil {
				f.install(ctx, true)
			}
		}, f.canAsk()
	case about.DoBack:
		return f.back()
	case about.DoSeen:
		err := f.Machine.Change(func(r state.Record) state.Record { r.Release.Seen = true; return r })
		f.tell("", 0)
		return nil, err
	case about.DoChannel:
		return nil, f.setChannel(a.Value)
	case about.DoWindow:
		return nil, f.setWindow(a.Value)
	}
	return nil, errAsk
}

// Reasons not to ask the server.
var (
	errNoSource = errors.New("settings.txt has no update_url")
	errNoKey    = errors.New("this image has no key that releases are signed with")
)

// canAsk returns the reason why the server is not asked.
func (f *Follower) canAsk() error {
	switch {
	case f.Source == nil:
		return errNoSource
	case f.Keys == nil:
		return errNoKey
	case f.Channel == manifest.Off:
		return manifest.ErrOff
	}
	return nil
}

// setChannel follows another channel from now on.
func (f *Follower) setChannel(channel string) error {
	if channel != manifest.Stable && channel != manifest.Beta && channel != manifest.Off {
		return errAsk
	}
	if err := f.Machine.Set("update", channel); err != nil {
		return err
	}
	f.Channel, f.release, f.verdict, f.next = channel, nil, nil, f.Now()
	f.told.Problem, f.told.Warning = "", ""
	f.tell("", 0)
	return nil
}

// setWindow installs releases in other hours from now on.
func (f *Follower) setWindow(text string) error {
	w, err := ParseWindow(text)
	if err != nil {
		return err
	}
	if err := f.Machine.Set("update_window", text); err != nil {
		return err
	}
	f.Window = w
	f.tell("", 0)
	return nil
}

// errNoBack is for a card whose other slot was never painted, or was written since.
var errNoBack = errors.New("there is no earlier version to return to")

// back returns the restart into the earlier version. It switches updates off, or the board would install the same release again.
func (f *Follower) back() (do func(context.Context), err error) {
	r, err := f.Machine.State()
	if err != nil {
		return nil, err
	}
	if !r.Release.Kept || r.Trial != state.None {
		return nil, errNoBack
	}
	if err := f.setChannel(manifest.Off); err != nil {
		return nil, err
	}
	err = f.Machine.Change(func(r state.Record) state.Record { return r.Back(tries, f.Version) })
	return func(context.Context) { f.restart() }, err
}

// restart shows the last phase and restarts.
func (f *Follower) restart() {
	f.tell(about.Trial, 100)
	r, err := f.Machine.State()
	if err == nil {
		err = f.Machine.Restart(r)
	}
	if err != nil {
		f.fail(err)
	}
}
