package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// thumb is the size of the pictures, px.
const thumb = "width=480&height=270"

// Run asks the walls while somebody looks at the page, until ctx ends.
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

// wanted reports whether somebody looked at the page in the last minutes.
func (f *Fleet) wanted() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.parts.Now().Sub(f.looked) <= Rest
}

// search looks for walls on the network until the returned function is called.
func (f *Fleet) search(ctx context.Context) (stop func()) {
	if f.parts.Browse == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var done sync.WaitGroup
	done.Go(func() { _ = f.parts.Browse(ctx, f.discovered) }) // without a network there is nothing to find
	return func() {
		cancel()
		done.Wait()
	}
}

// askAll asks each wall, a few at once.
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

// ask takes over the state and the picture of a wall.
func (f *Fleet) ask(ctx context.Context, old *Wall) {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	now := *old
	err := f.report(ctx, &now)
	if err == nil {
		now.Problem, now.Answered = "", f.parts.Now()
		f.frame(ctx, &now)
	} else if now.Problem = "no answer"; errors.Is(err, errForeign) {
		now.Problem = "another program answers"
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if w := f.walls[old.ID]; w != nil && w.URL == old.URL && w.key == old.key {
		*w = now
	}
}

// errForeign is the reason for an answer that is no wall's.
var errForeign = errors.New("not a wall")

// get sends a request without the token, except for frames.
func (f *Fleet) get(ctx context.Context, target, key string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, err
	}
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	return f.parts.Client.Do(r)
}

// report reads /healthz, which needs no token.
func (f *Fleet) report(ctx context.Context, w *Wall) error {
	answer, err := f.get(ctx, w.URL+"/healthz", "")
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var said struct {
		Version   string
		Success   *bool
		Providers []struct{ Stale bool }
		Stream    struct {
			Age *int64 `json:"seconds_since_published"`
		}
	}
	if json.NewDecoder(io.LimitReader(answer.Body, maxReport)).Decode(&said) != nil || said.Success == nil {
		return errForeign
	}
	w.Version, w.Stale = short(said.Version), 0
	for _, p := range said.Providers {
		if p.Stale {
			w.Stale++
		}
	}
	if a := said.Stream.Age; a != nil {
		w.Painted = f.parts.Now().Add(-time.Duration(*a) * time.Second)
	}
	return nil
}

// frame reads a small picture. A wall that wants another token is locked.
func (f *Fleet) frame(ctx context.Context, w *Wall) {
	answer, err := f.get(ctx, w.URL+"/frame?"+thumb, w.key)
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
	w.picture, w.kind = body, kind
	if at, err := strconv.ParseFloat(answer.Header.Get("X-Frame-Published-At"), 64); err == nil && at > 0 && at < 1e11 {
		w.Painted = time.UnixMilli(int64(at * 1000))
	}
}

// A Result is how an action went on one wall.
type Result struct {
	ID, Name string
	OK       bool
	Reason   string
	At       time.Time
}

// Do sends a request to several walls at once and returns the result of each, in their order. A wall without an answer is tried
// three times.
func (f *Fleet) Do(ctx context.Context, ids []string, method, path string, body []byte) ([]Result, error) {
	f.mu.Lock()
	all := make([]Wall, 0, min(len(ids), MaxWalls))
	for _, id := range ids {
		w := f.walls[id]
		if w == nil || len(all) == MaxWalls {
			f.mu.Unlock()
			return nil, ErrUnknown
		}
		all = append(all, *w)
	}
	f.mu.Unlock()
	out := make([]Result, len(all))
	var done sync.WaitGroup
	for i := range all {
		done.Go(func() {
			out[i] = Result{ID: all[i].ID, Name: all[i].Name}
			for n := range tries {
				reason, final := f.send(ctx, &all[i], method, path, body)
				out[i].OK, out[i].Reason, out[i].At = reason == "", reason, f.parts.Now()
				if final || n == tries-1 || pause(ctx, tryAgain) != nil {
					return
				}
			}
		})
	}
	done.Wait()
	return out, nil
}

func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// send sends the request to one wall. final reports whether another try is of no use.
func (f *Fleet) send(ctx context.Context, w *Wall, method, path string, body []byte) (reason string, final bool) {
	f.slots <- struct{}{}
	defer func() { <-f.slots }()
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, w.URL+path, bytes.NewReader(body))
	if err != nil {
		return "the request cannot be made", true
	}
	r.Header.Set("Content-Type", "application/json")
	if w.key != "" {
		r.Header.Set("Authorization", "Bearer "+w.key)
	}
	answer, err := f.parts.Client.Do(r)
	if err != nil {
		return "no answer", false
	}
	defer answer.Body.Close()
	if answer.StatusCode < 300 {
		return "", true
	}
	var said struct{ Error string }
	_ = json.NewDecoder(io.LimitReader(answer.Body, maxReason)).Decode(&said)
	if said.Error = strings.TrimSpace(short(said.Error)); said.Error == "" {
		said.Error = fmt.Sprintf("status %d", answer.StatusCode)
	}
	return said.Error, answer.StatusCode != http.StatusServiceUnavailable && answer.StatusCode != http.StatusTooManyRequests
}
