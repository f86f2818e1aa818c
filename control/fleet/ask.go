package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// thumb is the URL query that requests small pictures, with sizes in pixels.
const thumb = "width=480&height=270"

// Run requests the state of the walls until ctx ends. It sends requests only while a user views the page of all walls.
func (f *Fleet) Run(ctx context.Context) {
	tick := time.NewTicker(Every)
	defer tick.Stop()
	stop := func() {}
	defer func() { stop() }()
	searches := false
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.wake:
		case <-tick.C:
		}
		wanted := f.wanted()
		switch {
		case wanted && !searches:
			stop, searches = f.search(ctx), true
		case !wanted && searches:
			stop()
			stop, searches = func() {}, false
		}
		if wanted {
			f.askAll(ctx)
		}
	}
}

// wanted() reports whether a user has viewed the page and the time Rest has not passed since then.
func (f *Fleet) wanted() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.parts.Now().Sub(f.looked) <= Rest
}

// search searches the network for walls. The caller must call `stop` to end the search.
func (f *Fleet) search(ctx context.Context) (stop func()) {
	if f.parts.Browse == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() { _ = f.parts.Browse(ctx, f.discovered) }) // if the network is down, there are no walls to find
	return func() {
		cancel()
		done.Wait()
	}
}

// askAll requests the state of all walls. It sends up to atOnce requests at the same time.
func (f *Fleet) askAll(ctx context.Context) {
	f.mu.Lock()
	var all []Wall
	for _, w := range f.walls {
		all = append(all, *w)
	}
	f.mu.Unlock()
	var done sync.WaitGroup
	for i := range all {
		done.Go(func() {
			f.slots <- struct{}{}
			defer func() { <-f.slots }()
			f.ask(ctx, &all[i])
		})
	}
	done.Wait()
}

// ask requests the state and a picture of one wall and stores them.
func (f *Fleet) ask(ctx context.Context, old *Wall) {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	now := *old
	err := f.report(ctx, &now)
	if err == nil {
		now.Problem, now.Answered = "", f.parts.Now()
		f.frame(ctx, &now)
	} else if now.Problem = "no answer"; errors.Is(err, ErrForeign) {
		now.Problem = "another program answers"
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if w := f.walls[old.ID]; w != nil && w.URL == old.URL && w.credential == old.credential {
		now.began = w.began // Look may have changed it during the request
		*w = now
	}
}

// ErrForeign is returned if the answer does not come from a wall.
var ErrForeign = errors.New("no wall answers at this address")

// get sends a GET request with the credential of a wall.
func (f *Fleet) get(ctx context.Context, w *Wall, path string) (*http.Response, error) {
	return f.do(ctx, w, http.MethodGet, path, nil)
}

// report reads /healthz of a wall, which needs no token. With a valid token or signature, the answer includes the e-readers.
func (f *Fleet) report(ctx context.Context, w *Wall) error {
	answer, err := f.get(ctx, w, "/healthz")
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var said report
	if json.NewDecoder(io.LimitReader(answer.Body, maxReport)).Decode(&said) != nil || said.Success == nil {
		return ErrForeign
	}
	w.take(&said, f.parts.Now())
	return nil
}

// A report is the part of /healthz that the page uses.
type report struct {
	Version   string
	Success   *bool
	Providers []struct{ Stale bool }
	Stream    struct {
		Age *int64 `json:"seconds_since_published"`
	}
	Update *struct {
		Latest, Phase *string
		Percent       int
	}
	Readers struct {
		Devices []struct {
			Name     string
			Age      *int64   `json:"seconds_since_seen"`
			Battery  *float64 `json:"battery_percent"`
			Charging bool
			Refresh  int64 // in seconds
		}
	}
}

// maxReaders limits the e-readers that are stored for each wall.
const maxReaders = 16

// take stores a report. It checks all numbers, because the other host may send any value.
func (w *Wall) take(said *report, now time.Time) {
	w.Version, w.Stale, w.Updating, w.Readers = short(said.Version), 0, nil, nil
	for _, p := range said.Providers {
		if p.Stale {
			w.Stale++
		}
	}
	if a := said.Stream.Age; a != nil {
		w.Painted = before(now, *a)
	}
	if u := said.Update; u != nil && u.Phase != nil && u.Latest != nil {
		w.Updating = &Update{short(*u.Latest), min(max(u.Percent, 0), 100)}
	}
	for _, d := range said.Readers.Devices[:min(len(said.Readers.Devices), maxReaders)] {
		r := Reader{Name: short(d.Name), Refresh: now.Sub(before(now, d.Refresh)), Charging: d.Charging}
		if d.Age != nil {
			r.Seen = before(now, *d.Age)
		}
		if d.Battery != nil {
			percent := int(min(max(*d.Battery, 0), 100))
			r.Battery = &percent
		}
		w.Readers = append(w.Readers, r)
	}
}

// maxAge is the maximum age of a picture and the maximum interval of an e-reader, because another host may report any number.
const maxAge = 400 * 24 * time.Hour

// before() returns `now` minus the given number of seconds. It limits this number to the range from 0 to maxAge.
func before(now time.Time, seconds int64) time.Time {
	return now.Add(-time.Duration(min(max(seconds, 0), int64(maxAge/time.Second))) * time.Second)
}

// frame requests a small picture of a wall. If the wall requires another token, it is marked as locked.
func (f *Fleet) frame(ctx context.Context, w *Wall) {
	answer, err := f.get(ctx, w, "/frame?"+thumb)
	if err != nil {
		return
	}
	defer answer.Body.Close()
	w.Locked = answer.StatusCode == http.StatusUnauthorized
	kind := answer.Header.Get("Content-Type")
	if answer.StatusCode != http.StatusOK || kind != "image/jpeg" && kind != "image/png" {
		return
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxPicture+1))
	if err != nil || len(body) > maxPicture {
		return
	}
	w.picture, w.kind, w.Picture = body, kind, idOf(string(body))
	if at, err := strconv.ParseFloat(answer.Header.Get("X-Frame-Published-At"), 64); err == nil && at > 0 && at < 1e11 {
		w.Painted = time.UnixMilli(int64(at * 1000))
	}
}
