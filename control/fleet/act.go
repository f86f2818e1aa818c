package fleet

import (
	"context"
	"net/http"
	"sync"
	"time"

	"dashboard/internal/pause"
)

// A Result is the result of an action on one wall.
type Result struct {
	ID, Name string
	OK       bool
	Reason   string
	At       time.Time
}

// Do sends a request to several walls at once. It returns one result for each wall, in the order of `ids`. If a wall is busy or does not
// answer, Do sends the request to this wall again, up to three times in all.
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
				if final || n == tries-1 || pause.For(ctx, tryAgain) != nil {
					return
				}
			}
		})
	}
	done.Wait()
	return out, nil
}

// send sends the request to one wall. `final` is true if another attempt would be useless.
func (f *Fleet) send(ctx context.Context, w *Wall, method, path string, body []byte) (reason string, final bool) {
	f.slots <- struct{}{}
	defer func() { <-f.slots }()
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	answer, err := f.do(ctx, w, method, path, body)
	if err != nil {
		return "no answer", false
	}
	defer answer.Body.Close()
	if answer.StatusCode < 300 {
		return "", true
	}
	return refusal(answer).Reason, answer.StatusCode != http.StatusServiceUnavailable && answer.StatusCode != http.StatusTooManyRequests
}
