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
	// hangTime is the time after which a new request can restart the reading of the files. For example, a network disk that does not answer
	// must not delay the reading of a repaired folder.
	hangTime = 1500 * time.Millisecond
	// maxHung is the maximum number of unfinished readings. At this limit, reloads are refused, because each reading keeps its files in
	// memory.
	maxHung = 4
)

// errHangs means that reading the files takes too long.
var errHangs = errors.New("reading the files takes too long; it is tried again")

// A reloadRequest is a request to read all files again.
type reloadRequest struct {
	answer chan<- reloadAnswer // has the capacity 1, or is nil if no caller waits
}

// A reloadAnswer is the result of a request.
type reloadAnswer struct {
	report *config.Report // nil if err is not nil
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
	seen   [sha256.Size]byte // fingerprint of the files, taken just before the reading
}

// askReload requests that the files are read again. It does not block. Several requests at the same time become one.
func (s *Service) askReload() {
	select {
	case s.reloads <- reloadRequest{}:
	default:
	}
}

// askResize requests that the files are read again because the size of a screen has changed. It does not block.
func (s *Service) askResize() {
	s.resized.Store(true)
	s.askReload()
}

// runReloads handles the requests one after another until ctx ends.
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

// reload reads all files again. If there are errors, the walls keep their content and also show the error. If the reading takes longer
// than hangTime and another request arrives, reload stops waiting and returns this request. The caller handles it next.
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
		s.log.Error("reload refused: earlier reloads still wait for the files", "waiting", maxHung)
		req.tell(reloadAnswer{err: errHangs})
		return next, false
	}
	slow := time.NewTimer(hangTime)
	defer slow.Stop()
	var more <-chan reloadRequest // nil until hangTime has passed
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
			s.log.Warn("reading the files takes too long and is started again", "seconds", hangTime.Seconds())
			req.tell(reloadAnswer{err: errHangs})
			return next, true
		}
	}
}

// readSafely reads all files. A panic becomes an error in the report, and the walls stay unchanged.
func (s *Service) readSafely() (g *scene.Generation, report *config.Report) {
	defer func() {
		if fault := recover(); fault != nil {
			s.log.Error("reading the files failed because of an error in the program", "reason", fault, "stack", string(debug.Stack()))
			g, report = nil, &config.Report{}
			report.Add(config.Diagnostic{File: s.opts.Home, Severity: config.Error, Message: fmt.Sprintf("a fault of the program: %v", fault)})
		}
	}()
	return s.read()
}

// readAll reads and builds everything. The folder may be missing.
func (s *Service) readAll() (*scene.Generation, *config.Report) {
	if err := daemon.Folder(s.opts.Home, s.opts.Home); err != nil {
		r := &config.Report{}
		r.Add(config.Diagnostic{File: s.opts.Home, Severity: config.Error, Message: errors.Unwrap(err).Error()})
		return nil, r
	}
	id := FolderID(s.opts.Home)
	s.folderID.Store(&id)
	return s.load()
}

// apply shows the configuration that was read, or its errors.
func (s *Service) apply(ctx context.Context, r reading) {
	daemon.Log(s.log, r.report)
	resized := s.resized.Swap(false)
	go s.drafts.Changed() // in a goroutine, because the wall must not wait for the drawing of a draft
	if r.gen == nil {
		s.setProblem(r.report.Errors())
		s.log.Error("reload refused: the dashboard keeps the earlier configuration", "errors", len(r.report.Errors()))
		if resized {
			s.layOut(ctx)
		}
		return
	}
	if err := s.replace(ctx, r.gen); err != nil {
		return // the program is about to end
	}
	s.setProblem(nil)
	s.setTypos(r.report)
	s.tolerate(r.report)
	s.log.Info("configuration reloaded")
	s.keepGood(r.seen)
}

// replace shows a new generation on all walls.
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
