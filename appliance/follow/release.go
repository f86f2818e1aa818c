package follow

import (
	"context"
	"errors"
	"fmt"
	"io"

	"dashboard/appliance/about"
	"dashboard/appliance/delta"
	"dashboard/appliance/install"
	"dashboard/appliance/manifest"
	"dashboard/appliance/state"
)

// check asks the server for the newest release. If `byHand` is true, check also accepts a release that has failed before, or a release
// that other boards get first.
func (f *Follower) check(ctx context.Context, byHand bool) {
	f.next = f.Now().Add(checkPause + f.spread(checkJitter))
	if err := f.canAsk(); err != nil {
		return
	}
	f.tell(about.Fetch, 0)
	data, err := f.fetch(ctx)
	if err != nil {
		f.told.Warning = fmt.Sprintf("The server of updates was asked in vain: %v", err)
		f.tell("", 0)
		return
	}
	f.told.Asked, f.told.Warning, f.told.Problem = f.Now(), "", ""
	if err := f.judge(data, byHand); err != nil {
		f.release, f.told.Problem = nil, err.Error()
	}
	f.tell("", 0)
}

// fetch reads the manifest of the channel.
func (f *Follower) fetch(ctx context.Context) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, checkTime, errSlow)
	defer cancel()
	data, err := f.receive(ctx)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return data, err
}

// errSlow is the error of a server that has not sent the whole manifest within checkTime.
var errSlow = fmt.Errorf("the manifest did not arrive within %v", checkTime)

func (f *Follower) receive(ctx context.Context) ([]byte, error) {
	body, err := f.Source.Open(ctx, manifest.Name(f.Channel, f.Arch), 0)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return io.ReadAll(io.LimitReader(body, manifest.MaxSize+1)) // the extra byte makes Read refuse a longer manifest
}

// judge reads a manifest, and stores its release and the verdict about the release. It returns an error only if a person should see the
// reason why the release is not installed.
func (f *Follower) judge(data []byte, byHand bool) error {
	r, err := f.Machine.State()
	if err != nil {
		return err
	}
	m, by, err := manifest.Read(data, f.keys(r.Release))
	if err != nil {
		return err
	}
	b := manifest.Board{
		Arch: f.Arch, Machine: f.ID, Channel: f.Channel, Sequence: f.Sequence, Highest: r.Release.Highest, Failed: r.Release.GivenUp,
		Now: f.Now(), ClockGood: f.TimeSet(),
	}
	verdict := m.Judge(b)
	if errors.Is(verdict, manifest.ErrBoard) || errors.Is(verdict, manifest.ErrOlder) {
		return verdict
	}
	keys := f.keys(r.Release).Rotate(&m, by)
	if err := f.Machine.Change(func(r state.Record) state.Record {
		return r.Accept(m.Sequence, textOf(&keys.Current), textOf(keys.Next))
	}); err != nil {
		return err
	}
	if m.Stale(b) {
		f.told.Warning = fmt.Sprintf("The newest release was signed on %s: the server may hold newer ones back", m.Made.Format("2 January 2006"))
	}
	if byHand && (errors.Is(verdict, manifest.ErrWaits) || errors.Is(verdict, manifest.ErrFailed)) {
		verdict = nil
	}
	f.release, f.verdict, f.told.Size = &m, verdict, 0
	if verdict != nil {
		return wrong(verdict)
	}
	return f.measure()
}

// wrong() returns the verdict if a person should see it. For the usual verdicts it returns nil.
func wrong(verdict error) error {
	if errors.Is(verdict, manifest.ErrFrom) {
		return verdict
	}
	return nil
}

// measure computes the size of the download. It also detects a new release whose root file system equals the running root file system.
func (f *Follower) measure() error {
	_, sum, err := f.Machine.Running()
	if err != nil {
		return err
	}
	if sum == f.release.Slot.Sum {
		f.verdict = manifest.ErrNothing
		return nil
	}
	file, ok := f.release.Choose(sum)
	if !ok {
		return manifest.ErrFrom
	}
	f.told.Size = file.Size
	return nil
}

// keys() returns the trusted keys. If the newest accepted manifest is newer than the running release, the state `r` contains the trusted
// keys. Otherwise the keys of the root file system are trusted.
func (f *Follower) keys(r state.Release) manifest.Keys {
	current, err := manifest.ParseKey(r.Current.String())
	if err != nil || r.Highest <= f.Sequence {
		return *f.Keys
	}
	k := manifest.Keys{Current: current}
	if next, err := manifest.ParseKey(r.Next.String()); err == nil {
		k.Next = &next
	}
	return k
}

// textOf returns a key as the state stores it, or "" for nil.
func textOf(k *manifest.Key) string {
	if k == nil {
		return ""
	}
	return k.String()
}

// install writes the release that is ready, and restarts into it. If `byHand` is true, a file that has produced damaged releases is tried
// once more.
func (f *Follower) install(ctx context.Context, byHand bool) {
	f.try = f.Now().Add(retryPause)
	f.told.Percent, f.told.Problem = 0, ""
	ctx, cancel := context.WithTimeout(ctx, installTime)
	defer cancel()
	if err := f.write(ctx, byHand); err != nil {
		f.fail(err)
		return
	}
	f.restart()
}

// fail shows the error of a failed installation or restart.
func (f *Follower) fail(err error) {
	f.told.Problem = err.Error()
	f.tell("", 0)
}

// errTrial is the error of an installation while the running slot is on trial.
var errTrial = errors.New("the running version is itself on trial")

// write writes the release into the other slot and prepares its trial at the next start.
func (f *Follower) write(ctx context.Context, byHand bool) error {
	f.tell(about.Fetch, 0)
	old, running, err := f.Machine.Running()
	if err != nil {
		return err
	}
	to, err := f.Machine.Target()
	if err != nil {
		return err
	}
	defer to.Close()
	if err := f.overwrite(); err != nil {
		return err
	}
	file, ok := f.release.Choose(running)
	if !ok {
		return manifest.ErrFrom
	}
	other, ok := f.release.Choose(manifest.Sum{})
	if mark := f.Marks.Load(); ok && mark.Result == f.release.Slot.Sum && mark.File == other.Sum && mark.At > 0 {
		file, other = other, file // the delta file has failed before. It would overwrite the part of the whole file that is written
	}
	job := f.job(file, old, to)
	job.Again = byHand
	err = job.Run(ctx)
	if ok && useless(err) && other != file {
		job.File = other
		err = job.Run(ctx)
	}
	if err != nil {
		return err
	}
	return f.Machine.Change(func(r state.Record) state.Record {
		return r.Try(f.Slot.Other(), tries, r.Update).Offer(f.release.Sequence, f.release.Version, f.Version)
	})
}

// useless() reports whether an error concerns only the file in use. Another file of the release may then work.
func useless(err error) bool {
	for _, e := range []error{install.ErrGone, install.ErrShort, install.ErrFile, install.ErrResult, install.ErrBad, delta.ErrFormat} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// overwrite records that the other slot is about to be written.
func (f *Follower) overwrite() error {
	onTrial := false
	err := f.Machine.Change(func(r state.Record) state.Record {
		if onTrial = r.Trial == f.Slot; onTrial {
			return r
		}
		return r.Overwrite()
	})
	if onTrial {
		return errTrial
	}
	return err
}

// job returns the job that writes the release, with one of the release's files as the source.
func (f *Follower) job(file manifest.File, old io.ReaderAt, to Target) *install.Job {
	size := f.release.Slot.Size
	return &install.Job{
		Source: f.Source, Release: f.release.Slot, File: file, Old: old, To: to, Marks: f.Marks, Pause: f.Pause,
		Wrote: func(n int64) { f.tell(about.Write, int(n*writeShare/size)) },
		ReadBack: func(n int64) (manifest.Sum, error) {
			f.tell(about.Check, writeShare)
			return to.ReadBack(n)
		},
	}
}

// writeShare is the progress in percent at which all data is written.
const writeShare = 95
