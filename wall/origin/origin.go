// Package origin takes over the files of a wall from an address.
package origin

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"time"

	"dashboard/config"
	"dashboard/internal/folder"
	"dashboard/internal/pull"
	"dashboard/internal/pull/archive"
	"dashboard/internal/pull/wallcopy"
)

const (
	// leastEvery bounds the interval from below.
	leastEvery = time.Minute
	// jitterShare is the part of the interval by which requests come later, so that many walls do not ask at the same time.
	jitterShare = 8
	// firstRetry is the time until another request while no copy is kept.
	firstRetry = 30 * time.Second
	// maxSecrets and maxConf bound the files of the local folder, bytes.
	maxSecrets, maxConf = 1 << 20, 4 << 20
)

var (
	// ErrOff reports a wall whose files are in its own folder.
	ErrOff = errors.New("the files of this wall are in its own folder: conf.yaml has no config_url")
	// ErrNotKept reports a wall without a folder for the copy.
	ErrNotKept = errors.New("config_url needs a state folder for the copy")
)

// Parts are what an Origin needs.
type Parts struct {
	Home    string // the local folder
	Dir     string // that keeps the copy, "" if there is none
	Version string // of the program that judges the files
	// Check returns the mistakes in files. Reload has the wall read its files again.
	Check  func(files *folder.Root) error
	Reload func()
	Log    *slog.Logger
	Now    func() time.Time
}

// An Origin knows where the files of a wall are. Its methods may be called from any goroutine.
type Origin struct {
	Parts
	changed chan struct{}   // capacity 1: there are other settings
	asks    chan chan error // from TakeOver; each has capacity 1

	mu    sync.Mutex // guards what follows
	conf  *config.ConfigURL
	state State
	files string // the folder of the unpacked copy, "" for none
}

// New returns an origin that is off until Configure.
func New(p Parts) *Origin {
	return &Origin{Parts: p, changed: make(chan struct{}, 1), asks: make(chan chan error)}
}

// A State describes the files of a wall.
type State struct {
	On       bool
	Revision string    // on the wall: a commit or a checksum; "" before the first
	Since    time.Time // when it was taken over
	Asked    time.Time // the last request
	Next     time.Time // the next one
	Refused  string    // the revision that is not taken over, or ""
	Problem  string    // why it is not, or why there is no answer
}

// State returns the present state.
func (o *Origin) State() State {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.state
}

// Conf returns the settings, nil if they are off.
func (o *Origin) Conf() *config.ConfigURL {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.conf
}

// Jitter returns by how much a request comes later at most.
func Jitter(every time.Duration) time.Duration { return max(every, leastEvery) / jitterShare }

// Configure takes over the settings of the local folder and returns the files to show: nil for the folder's own.
func (o *Origin) Configure(c *config.ConfigURL) *folder.Root {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !reflect.DeepEqual(c, o.conf) {
		o.conf, o.state, o.files = c, State{On: c != nil}, ""
		if c != nil && o.Dir != "" {
			o.look()
		} else if c != nil {
			o.state.Problem = ErrNotKept.Error()
		}
		select {
		case o.changed <- struct{}{}:
		default:
		}
	}
	if c == nil || o.files == "" {
		return nil
	}
	return o.over(o.files)
}

// look takes over what is kept. mu is held.
func (o *Origin) look() {
	p := o.puller()
	r := p.Record()
	o.state.Refused, o.state.Problem = r.RefusedRevision, ""
	if r.Refused != "" {
		o.state.Problem = r.Refused
	}
	dir, err := o.unpacked(r)
	if err != nil {
		o.Log.Warn("the kept files of config_url are not used", "reason", err)
		return
	}
	if dir != "" {
		o.files, o.state.Revision, o.state.Since = dir, r.Revision(), r.Taken
	}
}

// over returns the files of a folder with what stays local: the secrets, and conf.yaml if the folder has none.
func (o *Origin) over(dir string) *folder.Root {
	local, files := map[string][]byte{}, folder.Dir(dir)
	if data, err := folder.Read(folder.Dir(o.Home), config.SecretsName, maxSecrets); err == nil {
		local[config.SecretsName] = data
	}
	if _, err := files.Stat(config.ConfName); errors.Is(err, fs.ErrNotExist) {
		if data, err := folder.Read(folder.Dir(o.Home), config.ConfName, maxConf); err == nil {
			local[config.ConfName] = data
		}
	}
	return files.Draft(local)
}

// unpacked returns the folder of a kept copy, which is complete or missing, and removes the others. "" is no copy.
func (o *Origin) unpacked(r wallcopy.Record) (string, error) {
	file, ok := wallcopy.Kept(o.Dir, r)
	if !ok {
		return "", nil
	}
	to := filepath.Join(o.Dir, "files-"+r.Sum[:16])
	if _, err := os.Stat(to); err != nil {
		fresh := to + ".new"
		if err := os.RemoveAll(fresh); err != nil {
			return "", err
		}
		if _, err := archive.Unpack(file, fresh, o.conf.Folder); err != nil {
			return "", errors.Join(err, os.RemoveAll(fresh))
		}
		if err := os.Rename(fresh, to); err != nil {
			return "", err
		}
	}
	others, _ := filepath.Glob(filepath.Join(o.Dir, "files-*")) // the pattern is correct
	for _, old := range others {
		if old != to && old != o.files { // the wall may still read the files it shows
			_ = os.RemoveAll(old)
		}
	}
	return to, nil
}

// puller returns what fetches the files. mu is held.
func (o *Origin) puller() *pull.Puller {
	p := &pull.Puller{}
	p.Source = pull.Source{Address: o.conf.URL, Token: o.conf.Token, Header: o.conf.Header, Folder: o.conf.Folder}
	p.Dir, p.Version, p.Now = o.Dir, o.Version, o.Now
	p.Check = func(dir string) error { return o.Check(o.over(dir)) }
	return p
}

// Run asks for the files until ctx ends.
func (o *Origin) Run(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		var answer chan error
		select {
		case <-ctx.Done():
			return
		case <-o.changed:
		case <-timer.C:
		case answer = <-o.asks:
		}
		err := o.pull(ctx)
		if answer != nil {
			answer <- err
		}
		timer.Reset(o.wait())
	}
}

// wait returns the time until the next request.
func (o *Origin) wait() time.Duration {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.conf == nil || o.Dir == "" {
		return 24 * time.Hour
	}
	every := max(time.Duration(o.conf.Every), leastEvery)
	d := every + rand.N(Jitter(every))
	if o.files == "" {
		d = min(d, firstRetry)
	}
	o.state.Next = o.Now().Add(d)
	return d
}

// pull asks once and takes over files that are new and right.
func (o *Origin) pull(ctx context.Context) error {
	o.mu.Lock()
	conf := o.conf
	if conf == nil || o.Dir == "" {
		o.mu.Unlock()
		return ErrOff
	}
	p := o.puller()
	o.mu.Unlock()
	client, err := pull.NewClient(conf.CAFile)
	if err == nil {
		p.Client = client
		err = p.Pull(ctx)
		client.CloseIdle()
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if taken := o.settle(conf, p.Record(), err); taken {
		o.Log.Info("files of config_url taken over", "revision", o.State().Revision)
		o.Reload()
	} else if err != nil {
		o.Log.Warn("no files of config_url taken over", "reason", err)
	}
	return err
}

// settle notes the result of a request. It reports whether there are other files.
func (o *Origin) settle(asked *config.ConfigURL, r wallcopy.Record, failed error) (taken bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.conf != asked {
		return false // other settings have come meanwhile
	}
	o.state.Asked, o.state.Refused, o.state.Problem = o.Now(), r.RefusedRevision, ""
	if failed != nil {
		o.state.Problem = failed.Error()
	}
	dir, err := o.unpacked(r)
	if err != nil {
		o.state.Problem = err.Error()
		return false
	}
	if dir == "" || dir == o.files {
		return false
	}
	o.files, o.state.Revision, o.state.Since = dir, r.Revision(), r.Taken
	return true
}

// TakeOver asks for the files now and returns when they are taken over, or the reason why they are not.
func (o *Origin) TakeOver(ctx context.Context) (State, error) {
	if o.Conf() == nil {
		return State{}, ErrOff
	}
	answer := make(chan error, 1)
	select {
	case o.asks <- answer:
	case <-ctx.Done():
		return o.State(), ctx.Err()
	}
	select {
	case err := <-answer:
		return o.State(), err
	case <-ctx.Done():
		return o.State(), ctx.Err()
	}
}
