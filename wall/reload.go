package wall

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"dashboard/config"
	"dashboard/wall/daemon"
	"dashboard/wall/reload"
	"dashboard/wall/scene"
)

const (
	// hangTime is the time after which the next request may restart the reading of files. A network disk that does not answer must
	// not prevent reading a repaired folder.
	hangTime = 1500 * time.Millisecond
	// maxHung is the maximum number of abandoned readings that have not returned. Each keeps the files it has read in memory.
	maxHung = 4
)

// errHangs reports that reading the files takes too long.
var errHangs = errors.New("reading the files takes too long; it is tried again")

// A reloadRequest requests that all files are read again.
type reloadRequest struct {
	answer chan<- reloadAnswer // capacity 1, nil if no caller waits
}

// A reloadAnswer is the result of a request.
type reloadAnswer struct {
	report *config.Report // nil if err is set
	err    error
}

func (r reloadRequest) tell(a reloadAnswer) {
	if r.answer != nil {
		r.answer <- a
	}
}

// A reading is the result of reading the files.
type reading struct {
	gen    *scene.Generation // nil if the report has errors
	report *config.Report
	seen   [sha256.Size]byte // fingerprint of the files just before reading
}

// askReload requests that the files are read again. It never blocks. Simultaneous requests are combined.
func (s *Service) askReload() {
	select {
	case s.reloads <- reloadRequest{}:
	default:
	}
}

// askResize requests that the files are read again, because the size of a screen changed. It never blocks.
func (s *Service) askResize() {
	s.resized.Store(true)
	s.askReload()
}

// runReloads handles requests one at a time until ctx ends. It also controls the watcher.
func (s *Service) runReloads(ctx context.Context) {
	hung := make(chan struct{}, maxHung)
	for {
		select {
		case <-ctx.Done():
			return
		case req := <-s.reloads:
			for again := true; again; {
				req, again = s.reload(ctx, req, hung)
			}
		}
	}
}

// reload reads all files again. If there are errors, the walls stay unchanged and show the error. If reading hangs and the next
// request arrives, reload returns that request, which the caller then handles.
func (s *Service) reload(ctx context.Context, req reloadRequest, hung chan struct{}) (next reloadRequest, again bool) {
	s.systemd.Reloading()
	defer s.systemd.Reloaded()
	done := make(chan reading, 1)
	select {
	case hung <- struct{}{}:
		go func() {
			defer func() { <-hung }()
			seen := reload.Fingerprint(s.opts.Home)
			g, report := s.readSafely()
			done <- reading{g, report, seen}
		}()
	default:
		s.log.Error("reload refused: earlier ones still wait for the files", "waiting", maxHung)
		req.tell(reloadAnswer{err: errHangs})
		return next, false
	}
	slow := time.NewTimer(hangTime)
	defer slow.Stop()
	var more <-chan reloadRequest // nil while reading may still take time
	for {
		select {
		case <-ctx.Done():
			return next, false
		case got := <-done:
			s.apply(ctx, got)
			req.tell(reloadAnswer{report: got.report})
			return next, false
		case <-slow.C:
			more = s.reloads
		case next = <-more:
			s.log.Warn("reading the files takes long and is begun again", "seconds", hangTime.Seconds())
			req.tell(reloadAnswer{err: errHangs})
			return next, true
		}
	}
}

// readSafely reads all files. A panic becomes an error in the report, and the walls stay unchanged.
func (s *Service) readSafely() (g *scene.Generation, report *config.Report) {
	defer func() {
		if fault := recover(); fault != nil {
			s.log.Error("reading the files failed by a fault of the program", "reason", fault, "stack", string(debug.Stack()))
			g, report = nil, &config.Report{}
			report.Add(config.Diagnostic{File: s.opts.Home, Severity: config.Error, Message: fmt.Sprintf("a fault of the program: %v", fault)})
		}
	}()
	return s.read()
}

// readAll reads and builds everything. The folder may have been removed.
func (s *Service) readAll() (*scene.Generation, *config.Report) {
	if err := daemon.Folder(s.opts.Home, s.opts.Home); err != nil {
		r := &config.Report{}
		r.Add(config.Diagnostic{File: s.opts.Home, Severity: config.Error, Message: errors.Unwrap(err).Error()})
		return nil, r
	}
	return s.load()
}

// apply shows the read configuration, or its errors.
func (s *Service) apply(ctx context.Context, r reading) {
	daemon.Log(s.log, r.report)
	resized := s.resized.Swap(false)
	go s.drafts.Changed() // in a goroutine, because drawing a draft must not delay the wall
	if r.gen == nil {
		s.setProblem(r.report.Errors())
		s.log.Error("reload refused: the dashboard goes on as it was", "errors", len(r.report.Errors()))
		if resized {
			s.layOut(ctx)
		}
		return
	}
	if err := s.replace(ctx, r.gen); err != nil {
		return // the program is ending
	}
	s.setProblem(nil)
	s.setTypos(r.report)
	s.tolerate(r.report)
	s.log.Info("configuration reloaded")
	s.keepGood(r.seen)
}

// replace replaces the shown generation on all walls.
func (s *Service) replace(ctx context.Context, g *scene.Generation) error {
	s.builder.Providers.Commit(g.Sources)
	s.builder.Timers.Commit(g.Timers)
	fresh := s.open(g)
	for _, name := range s.names() {
		v := s.all()[name]
		switch {
		case g.Scenes[name] == nil:
		case slices.Contains(fresh, v):
			v.Begin(g)
			v.Notes.Keep()
			v.Launch(s.life)
		default:
			if err := v.Replace(ctx, g); err != nil {
				return err
			}
		}
	}
	s.shut(g)
	s.settings(g)
	return nil
}
