// Package origin fetches the files of a wall from an address.
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
	// leastEvery is the minimum interval between two requests.
	leastEvery = time.Minute
	// jitterShare limits the random delay of a request: it is at most the interval divided by
	// jitterShare. The delay prevents many walls from requesting at the same time.
	jitterShare = 8
	// firstRetry is the maximum time until the next request while there is no copy of the files.
	firstRetry = 30 * time.Second
	// maxSecrets and maxConf are the maximum sizes of secrets.yaml and conf.yaml in the local folder, in bytes.
	maxSecrets, maxConf = 1 << 20, 4 << 20
)

var (
	// ErrOff means that the wall has no address for its files and uses the files in its local folder.
	ErrOff = errors.New("the files of this wall are in its own folder: conf.yaml has no config_url")
	// ErrNotKept means that the copy of the files cannot be stored, because there is no state folder.
	ErrNotKept = errors.New("config_url needs a state folder for the copy")
)

// Parts are the parts of an Origin.
type Parts struct {
	Home    string // local folder
	Dir     string // folder for the copy, or ""
	Version string // version of the program, for the check of the files
	// Check returns an error if the wall cannot show the files. Reload makes the wall read its files again.
	Check  func(files *folder.Root) error
	Reload func()
	Log    *slog.Logger
	Now    func() time.Time
}

// An Origin fetches the files of a wall from an address and stores a copy. Its methods may be called from any goroutine.
type Origin struct {
	Parts
	changed chan struct{}   // has the capacity 1. A value means that the settings have changed
	asks    chan chan error // requests of TakeOver. Each channel has the capacity 1 and receives the result

	mu    sync.Mutex // guards the fields below
	conf  *config.ConfigURL
	state State
	files string // folder with the unpacked copy, or ""
}

// New returns an origin that is off until Configure is called.
func New(p Parts) *Origin {
	return &Origin{Parts: p, changed: make(chan struct{}, 1), asks: make(chan chan error)}
}

// A State describes the origin of a wall's files.
type State struct {
	On       bool
	Revision string    // commit or checksum of the files that the wall uses, or "" before the first files
	Since    time.Time // time at which these files were received
	Asked    time.Time // time of the last request
	Next     time.Time // time of the next request
	Refused  string    // commit or checksum of the files that were rejected, or ""
	Problem  string    // reason why new files were rejected, or error of the last request
}

// State returns the current state.
func (o *Origin) State() State {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.state
}

// Conf returns the settings. If there is no address, it returns nil.
func (o *Origin) Conf() *config.ConfigURL {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.conf
}

// Jitter returns the maximum random delay of a request. The parameter `every` is the interval between two requests.
func Jitter(every time.Duration) time.Duration { return max(every, leastEvery) / jitterShare }

// Configure applies the settings of the local folder. It returns the files of the stored copy. If
// there is no address or no copy, it returns nil, and the wall shows the files of the local folder.
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

// look uses the stored copy, if there is one. The caller must hold mu.
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

// over() returns the files of the folder `dir` together with files of the local folder. secrets.yaml always comes from the local folder.
// conf.yaml comes from the local folder if `dir` has none.
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

// unpacked() unpacks the stored copy and removes the folders of older copies. It returns the folder of the unpacked copy. This folder is
// always complete. If there is no copy, it returns "".
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
	others, _ := filepath.Glob(filepath.Join(o.Dir, "files-*")) // Glob fails only for an invalid pattern
	for _, old := range others {
		if old != to && old != o.files { // keep o.files, because the wall may still read it
			_ = os.RemoveAll(old)
		}
	}
	return to, nil
}

// puller returns an object that requests the files with the current settings. The caller must hold mu.
func (o *Origin) puller() *pull.Puller {
	p := &pull.Puller{}
	p.Source = pull.Source{Address: o.conf.URL, Token: o.conf.Token, Header: o.conf.Header, Folder: o.conf.Folder}
	p.Dir, p.Version, p.Now = o.Dir, o.Version, o.Now
	p.Check = func(dir string) error { return o.Check(o.over(dir)) }
	return p
}

// Run requests the files at intervals until ctx ends.
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

// wait returns the time until the next request, and stores the time of this request in the state.
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

// pull requests the files once. If the files are new and valid, pull makes the wall read them.
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

// settle records the result of a request. It returns true if there are new files.
func (o *Origin) settle(asked *config.ConfigURL, r wallcopy.Record, failed error) (taken bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.conf != asked {
		return false // the settings were changed during the request
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

// TakeOver requests the files now and waits for the result. If the request fails, TakeOver returns the reason.
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
