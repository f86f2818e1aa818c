package weather

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/testing/crowdtest"
	"dashboard/provider"
)

// A refused forecast is requested again. The answer 304 does not confirm it.
func TestRefusedForecast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{t: t}
		s.answer = func(r *http.Request) (int, map[string]string, string) {
			if r.Header.Get("If-None-Match") == `"a"` {
				return 304, map[string]string{"ETag": `"a"`}, ""
			}
			return 200, map[string]string{"ETag": `"a"`}, shortForecast
		}
		p := s.provider(t, Params{Source: "open-meteo"})
		cell, free := crowdtest.Run(t, p)
		for range 2 {
			synctest.Wait()
			crowdtest.Check(t, cell)
			time.Sleep(15 * time.Minute)
		}
		free()
		time.Sleep(15 * time.Minute)
		synctest.Wait()
		if s := cell.Load(); s.Err != nil || !s.Has() {
			t.Errorf("with room: got %v, %v", s.Has(), s.Err)
		}
	})
}

// An unchanged entity does not confirm a refused report.
func TestRefusedEntity(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &Entity{env: Env{Zone: berlin}, now: time.Now, changes: make(chan struct{}, 1)}
		state := provider.NewCell(nil)
		defer state.Watch(p.changes)()
		cell, free := crowdtest.Run(t, nil)
		ended := make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		go func() { defer close(ended); p.tell(ctx, state, cell) }()
		defer func() { cancel(); <-ended }()
		state.Publish(map[string]any{"state": "sunny", "attributes": map[string]any{"temperature": 20.0}}, time.Now())
		for range 2 {
			synctest.Wait()
			crowdtest.Check(t, cell)
			state.Confirm(time.Now())
		}
		free()
		state.Confirm(time.Now())
		synctest.Wait()
		if s := cell.Load(); !s.Has() {
			t.Errorf("with room: got %v, %v", s.Has(), s.Err)
		}
	})
}
