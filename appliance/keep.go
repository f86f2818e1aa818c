//go:build linux

package appliance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"dashboard/appliance/about"
	"dashboard/appliance/card"
	"dashboard/appliance/kernels"
	"dashboard/appliance/state"
)

const (
	keepPause   = 250 * time.Millisecond
	rareLooks   = 20               // every rareLooks-th step also checks for a screen, for a new wall, and for silent name servers
	clockPause  = 5 * time.Minute  // time between two writes of the clock's time to the card. A power cut loses at most this time
	reportPause = 6 * time.Hour    // time between two reports
	reportLimit = 90 * time.Second // time of the first report if there is no frame
)

// parameter() returns a duration on the kernel's command line. The value is in whole seconds or in the form "250ms". If the parameter is
// missing, the function returns its argument `otherwise`.
func parameter(name string, otherwise time.Duration) time.Duration {
	line, err := os.ReadFile("/proc/cmdline")
	if err != nil {
		return otherwise
	}
	for _, word := range strings.Fields(string(line)) {
		if value, ok := strings.CutPrefix(word, name+"="); ok {
			if n, err := strconv.Atoi(value); err == nil {
				return time.Duration(n) * time.Second
			}
			if d, err := time.ParseDuration(value); err == nil {
				return d
			}
		}
	}
	return otherwise
}

// A keeper does the work of the appliance while the wall is running. It is the service "appliance keep".
type keeper struct {
	card                    *disk
	store                   *os.File
	slot                    state.Slot
	version                 string // version of the running root file system
	keyFile                 string // file with the key that must sign updates
	kernels                 kernels.Partition
	folder                  state.Slot               // folder of the running kernel, or None
	writable                func(func() error) error // calls a function while the first partition is writable
	clockPause, reportPause time.Duration
	confirmed, updated      bool
	looks                   int           // number of steps so far
	before                  []byte        // end of the last report that was written before this start
	refused                 string        // reason why an update on the card is refused, or ""
	wall                    wallWatch     // watch for a new wall of config_url
	names                   namesWatch    // watch of the name servers in settings.txt
	wish                    string        // ID of the last Wish, a request of the set-up
	frame                   time.Duration // time of the first frame, since the start of the kernel
	nextClock, nextReport   time.Duration // times at which the clock's time and the report are written next, since the kernel's start
	background              sync.WaitGroup
	endedTrial              bool // true if this start has ended the trial of a release
}

// keep() runs until SIGTERM.
func keep() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	k, err := newKeeper()
	if err != nil {
		return err
	}
	defer k.store.Close()
	defer k.background.Wait()
	tick := time.NewTicker(keepPause)
	defer tick.Stop()
	for {
		if err := k.step(ctx); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		select {
		case <-ctx.Done():
			return k.saveClock()
		case <-tick.C:
		}
	}
}

func newKeeper() (*keeper, error) {
	c, err := findCard(0)
	if err != nil {
		return nil, err
	}
	slot, err := runningSlot(c)
	if err != nil {
		return nil, err
	}
	store, err := openState(c.partition(card.State))
	if err != nil {
		return nil, err
	}
	version, _ := os.ReadFile(versionFile) // if the file is missing, the version is empty
	k := &keeper{
		version: strings.TrimSpace(string(version)),
		card:    c, store: store, slot: slot, keyFile: card.KeyFile, nextReport: reportLimit, before: lastBefore(keptReport),
		wall: newWallWatch(), names: newNamesWatch(resolverFile, resolverSocket), kernels: c.firstPartition(), folder: runningFolder(), writable: writable,
		clockPause:  parameter("appliance.clock", clockPause),
		reportPause: parameter("appliance.report", reportPause),
	}
	return k, nil
}

// runningSlot returns the slot whose root file system is mounted as the root.
func runningSlot(c *disk) (state.Slot, error) {
	mounts, err := os.ReadFile("/proc/self/mounts")
	if err != nil {
		return state.None, err
	}
	for line := range strings.Lines(string(mounts)) {
		words := strings.Fields(line)
		if len(words) < 2 || words[1] != "/" {
			continue
		}
		for _, s := range []state.Slot{state.A, state.B} {
			if words[0] == c.partition(slotPartition(s)) {
				return s, nil
			}
		}
	}
	return state.None, errors.New("the root file system is not in a slot")
}

// step does the work that is due.
func (k *keeper) step(ctx context.Context) error {
	now := sinceStart()
	k.looks++
	if !k.confirmed && frameShown(ctx, k.looks%rareLooks == 0) {
		if err := k.confirm(now); err != nil {
			return err
		}
	}
	k.takeWish(ctx)
	if k.looks%rareLooks == 0 {
		k.followWall(ctx)
		if k.names.look(now, len(addresses()) > 0) {
			k.nextReport = now
			if err := k.tellWrong(); err != nil {
				return err
			}
		}
	}
	if now >= k.nextClock {
		k.nextClock = now + k.clockPause
		if err := k.saveClock(); err != nil {
			return err
		}
	}
	if now >= k.nextReport {
		k.nextReport = now + k.reportPause
		if err := k.report(ctx); err != nil {
			return err
		}
	}
	if k.confirmed && !k.updated {
		k.updated = true
		k.startFollowing(ctx, k.endedTrial)
		return k.takeUpdate()
	}
	return nil
}

// confirm records that the running slot has shown a frame.
func (k *keeper) confirm(now time.Duration) error {
	k.confirmed, k.frame, k.nextReport = true, now, now
	if at, ok := readFramed("/" + about.FramedFile); ok {
		k.frame = min(now, at)
	}
	if err := tell(about.PaintedFile, ""); err != nil {
		return err
	}
	fmt.Printf("first frame %.1f s after the kernel's start, slot %v\n", k.frame.Seconds(), k.slot)
	if err := k.keepKernel(); err != nil {
		fmt.Fprintln(os.Stderr, err) // the error is only logged, because the slot has painted even if the kernel cannot be kept
	}
	return k.change(func(r state.Record) state.Record {
		k.endedTrial = r.Trial == k.slot && r.Release.Trying != 0
		return r.Confirm(k.slot)
	})
}

func (k *keeper) saveClock() error {
	confirmed := clockConfirmed()
	return k.change(func(r state.Record) state.Record { return r.At(time.Now(), confirmed) })
}

// clockConfirmed reports whether the clock is synchronized with the network (adjtimex(2)).
func clockConfirmed() bool {
	var t unix.Timex
	how, err := unix.Adjtimex(&t)
	return err == nil && how != unix.TIME_ERROR
}

func (k *keeper) change(f func(state.Record) state.Record) error { return change(k.store, f) }

// change() reads the state, calls f, and writes the state if f has changed it. It locks the open file (flock(2)), because the guard,
// "appliance keep" and "appliance update" may change the state at the same time.
func change(store *os.File, f func(state.Record) state.Record) error {
	if err := unix.Flock(int(store.Fd()), unix.LOCK_EX); err != nil {
		return fmt.Errorf("state: lock: %w", err)
	}
	defer unix.Flock(int(store.Fd()), unix.LOCK_UN) // closing the file ends the lock too
	r, err := state.Load(store)
	if err != nil {
		return err
	}
	if after := f(r); after != r {
		_, err = state.Save(store, after)
	}
	return err
}
