// Package follow decides when a card requests releases, and installs them.
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
	// checkPause is the time between two requests to the server. Each board adds its own delay of at most checkJitter.
	checkPause, checkJitter = 6 * time.Hour, time.Hour
	// tickPause is the time between two checks whether work is due.
	tickPause = time.Minute
	// retryPause is the minimum time from the start of a failed installation to the next automatic installation.
	retryPause = 15 * time.Minute
	// installTime limits one installation. A slow line needs an hour. Without a limit, a server that sends one byte a minute would keep
	// the installation running.
	installTime = 6 * time.Hour
	// checkTime limits the request for a manifest, because a person's request, such as to go back to the earlier version, waits until it ends.
	checkTime = 5 * time.Minute
	// tries is the maximum number of starts of a new slot that end without a picture. There are several tries, because a power cut may end
	// a start.
	tries = 3
)

// A Target is the slot that is not running. Other programs cannot write it until Close is called.
type Target interface {
	install.Slot
	io.Closer
	// ReadBack returns the checksum of the first `size` bytes, read from the card.
	ReadBack(size int64) (manifest.Sum, error)
}

// A Machine gives a Follower access to the board and its card.
type Machine interface {
	State() (state.Record, error)
	Change(func(state.Record) state.Record) error
	// Running returns the running root file system and its sum.
	Running() (io.ReaderAt, manifest.Sum, error)
	Target() (Target, error)
	// Set writes a setting into settings.txt.
	Set(name, value string) error
	// Restart requests a restart of the board. It returns before the board restarts.
	Restart(state.Record) error
	Tell(about.Update)
}

// A Board has the parts that a Follower needs.
type Board struct {
	Machine  Machine
	Source   install.Source
	Marks    install.Marks
	Slot     state.Slot
	Arch     string
	ID       string // identity of the machine
	Version  string // running version
	Sequence uint64 // sequence of the running release
	Keys     *manifest.Keys
	Channel  string
	Window   Window
	First    time.Duration // delay before the first request, without jitter
	Jitter   bool          // true to distribute the requests of many boards over time
	Now      func() time.Time
	TimeSet  func() bool // reports whether the clock is set
	Pause    func(context.Context, time.Duration) error
}

// A Follower requests the releases at one address and installs them. Only the goroutine of Run calls its methods.
type Follower struct {
	Board
	started time.Time
	next    time.Time // time of the next request to the server
	try     time.Time // earliest time of the next installation
	release *manifest.Manifest
	verdict error // reason not to install the release, or nil
	told    about.Update
	confirm bool // true if this start has confirmed a release
}

// New returns a follower. `confirmed` is true if this start ended the trial of a release.
func New(b Board, confirmed bool) *Follower {
	f := &Follower{Board: b, started: b.Now(), confirm: confirmed}
	f.next = f.started.Add(b.First + f.spread(checkJitter/6))
	return f
}

// An Ask is a request with a channel for its answer.
type Ask struct {
	about.Ask
	Answer chan<- error
}

// Run requests and installs releases until ctx ends.
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
	if !now.Before(f.next) || f.next.Sub(now) > checkPause+checkJitter { // the second condition is true if the clock was set back
		f.check(ctx, false)
	}
	if f.due(now) {
		f.install(ctx, false)
	}
}

// due() reports whether the release is installed automatically now.
func (f *Follower) due(now time.Time) bool {
	if f.release == nil || f.verdict != nil || now.Before(f.try) && f.try.Sub(now) <= retryPause {
		return false
	}
	return f.release.Urgent || f.TimeSet() && f.Window.open(now, f.share())
}

// share returns a number from 0 to below 1 that depends on the board's ID and never changes. Without Jitter it returns 0.
func (f *Follower) share() float64 {
	if !f.Jitter {
		return 0
	}
	sum := sha256.Sum256([]byte("jitter " + f.ID))
	return float64(binary.LittleEndian.Uint32(sum[:])) / (1 << 32)
}

// spread returns a delay between 0 and `most`. The delay is `most` multiplied by share(), so it depends on the board's ID.
func (f *Follower) spread(most time.Duration) time.Duration {
	return time.Duration(f.share() * float64(most))
}

// errAsk is the error for an unknown request.
var errAsk = errors.New("there is no such request")

// answer handles a request. It returns the work that must be done after the answer is sent.
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

// Reasons why the server cannot be asked.
var (
	errNoSource = errors.New("settings.txt has no update_url")
	errNoKey    = errors.New("this image has no key that releases are signed with")
)

// canAsk returns the reason why the server cannot be asked, or nil.
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

// setChannel changes the channel.
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

// setWindow changes the hours for installing releases.
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

// errNoBack means that the other slot has never painted a picture, or was overwritten after its last picture. During a trial, a request
// to return gets this error too.
var errNoBack = errors.New("there is no earlier version to return to")

// back() prepares the start of the earlier version. It returns a function that restarts the board. It also switches updates off, because
// otherwise the board would install the same release again.
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

// restart shows the phase Trial and restarts the board.
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
