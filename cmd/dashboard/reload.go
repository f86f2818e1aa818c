package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dashboard/config"
	"dashboard/internal/daemon"
	"dashboard/render"
)

// reload reads everything again. If any of it is wrong the wall stays as it is and says so.
func (s *service) reload(ctx context.Context) {
	s.systemd.Reloading()
	defer s.systemd.Reloaded()
	g, report := s.read()
	daemon.Log(s.log, report)
	if g == nil {
		s.setProblem(report.Errors())
		s.log.Error("reload refused: the dashboard goes on as it was", "errors", len(report.Errors()))
		return
	}
	if err := s.replace(ctx, g); err != nil {
		return // the program is ending
	}
	s.setProblem(nil)
	s.log.Info("configuration reloaded")
}

// read reads and builds everything. The folder may be another one of the same name by now, and may be gone.
func (s *service) read() (*generation, *config.Report) {
	if err := daemon.Enter(s.opts.home); err != nil {
		r := &config.Report{}
		r.Add(config.Diagnostic{File: s.opts.home, Severity: config.Error, Message: errors.Unwrap(err).Error()})
		return nil, r
	}
	return s.shop.load(s.opts)
}

// replace puts a generation on the wall in place of the one there.
func (s *service) replace(ctx context.Context, g *generation) error {
	leave, err := s.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	mode := s.themes.adopt(g.conf, g.single(), s.themes.now())
	old := s.live.Load()
	same := old.size == g.size && old.conf.Graphics.Flip == g.conf.Graphics.Flip
	s.shop.providers.Commit(g.sources)
	err = s.loop.Do(ctx, func(r *render.Renderer) {
		if same {
			r.SetRoot(g.trees[mode].root)
		} else {
			*r = *g.renderer(mode)
		}
		s.shop.board.Commit(g.trees[mode].inboxes)
	})
	if err != nil {
		return err
	}
	s.live.Store(g)
	s.mode.Store(mode)
	s.settings(g)
	if s.outs.apply(g) {
		err = s.loop.Do(ctx, (*render.Renderer).Repaint)
	}
	return err
}

// setProblem shows the errors of the files, or that there are none, on the wall and on /healthz.
func (s *service) setProblem(errs []config.Diagnostic) {
	text := ""
	if len(errs) > 0 {
		text = errs[0].String()
	}
	if len(errs) > 1 {
		text += fmt.Sprintf(" (and %d more)", len(errs)-1)
	}
	s.problem.Store(nil)
	if text != "" {
		s.problem.Store(&text)
	}
	s.shop.banner.Publish(text, time.Now())
}
