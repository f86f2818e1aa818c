package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"dashboard/control/wallkey"
)

// A pending is a wall that is showing a code for this wall.
type pending struct {
	key    []byte
	secret string
	until  time.Time
}

// maxPending is the maximum number of walls that show a code at the same time.
const maxPending = 8

// A Refusal is the answer of a wall that rejects a request.
type Refusal struct {
	Status int
	Reason string
	Left   int // remaining attempts with a code
}

// Error returns the text from the wall.
func (r *Refusal) Error() string { return r.Reason }

// Errors of pairing.
var (
	ErrNoAsk    = errors.New("the wall shows no code any more: ask for a new one")
	ErrNoAnswer = errors.New("the wall does not answer")
	ErrAddress  = errors.New("an address of a wall is needed, such as http://hall.local:5000")
	ErrFull     = fmt.Errorf("the page follows %d walls", MaxWalls)
)

// refusal reads the reason from an answer.
func refusal(answer *http.Response) *Refusal {
	var said struct {
		Error string
		Left  int
	}
	_ = json.NewDecoder(io.LimitReader(answer.Body, maxReason)).Decode(&said)
	if said.Error = strings.TrimSpace(shorter(said.Error, maxWords)); said.Error == "" {
		said.Error = fmt.Sprintf("status %d", answer.StatusCode)
	}
	return &Refusal{answer.StatusCode, said.Error, said.Left}
}

// do sends a request with the credential of a wall. If the wall has restarted, it signs and sends the request again.
func (f *Fleet) do(ctx context.Context, w *Wall, method, path string, body []byte) (*http.Response, error) {
	for again := false; ; again = true {
		r, err := http.NewRequestWithContext(ctx, method, w.URL+path, bytes.NewReader(body))
		if err != nil {
			return nil, err
		}
		if body != nil {
			r.Header.Set("Content-Type", "application/json")
		}
		switch {
		case w.signer != nil:
			w.signer.Sign(r, body)
		case w.token != "":
			r.Header.Set("Authorization", "Bearer "+w.token)
		}
		answer, err := f.parts.Client.Do(r)
		if err != nil || w.signer == nil || again || !w.signer.Learn(answer) {
			return answer, err
		}
		answer.Body.Close()
	}
}

// call sends a JSON object for pairing to a wall and reads its answer.
func (f *Fleet) call(ctx context.Context, u, method, path, secret string, object, into any) error {
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	body, err := json.Marshal(object)
	if err != nil {
		return err
	}
	answer, err := f.do(ctx, &Wall{URL: u, credential: credential{token: secret}}, method, path, body)
	if err != nil {
		return ErrNoAnswer
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return refusal(answer)
	}
	if json.NewDecoder(io.LimitReader(answer.Body, maxReason)).Decode(into) != nil {
		return ErrForeign
	}
	return nil
}

// Add adds a wall at an address, also for the next starts, and returns its id. An address without a scheme uses http.
func (f *Fleet) Add(address string) (id string, err error) {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, ok := clean(strings.TrimRight(address, "/"))
	if !ok {
		return "", ErrAddress
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	id = idOf(u)
	w := f.walls[id]
	if w == nil {
		if len(f.walls) >= MaxWalls {
			return "", ErrFull
		}
		w = &Wall{ID: id, Name: u, URL: u, began: f.parts.Now()}
		f.walls[id] = w
	}
	return id, f.change(w, func(k *Kept) { k.Added = true })
}

// Ask makes a wall show a code on its screen and returns the end of the code.
func (f *Fleet) Ask(ctx context.Context, id string) (until time.Time, err error) {
	u, err := f.urlOf(id)
	if err != nil {
		return until, err
	}
	half, err := wallkey.NewHalf()
	if err != nil {
		return until, err
	}
	var said struct {
		Key, Secret, Name string
		ExpiresIn         float64 `json:"expires_in"`
	}
	err = f.call(ctx, u, http.MethodPost, "/peers", "", map[string]string{"name": f.parts.Name(), "key": half.Public()}, &said)
	if err != nil {
		return until, err
	}
	key, err := half.Key(said.Key, half.Public(), said.Key)
	if err != nil || !goodKey(said.Secret) {
		return until, ErrForeign
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.parts.Now()
	for other, p := range f.asks {
		if !now.Before(p.until) || len(f.asks) >= maxPending {
			delete(f.asks, other)
		}
	}
	until = now.Add(time.Duration(min(max(said.ExpiresIn, 0), maxAsk.Seconds()) * float64(time.Second)))
	f.asks[id] = &pending{key, said.Secret, until}
	if w := f.walls[id]; w != nil && w.Name == w.URL {
		w.Name = short(said.Name)
	}
	return until, nil
}

// maxAsk is the maximum time to wait for a code.
const maxAsk = 5 * time.Minute

func (f *Fleet) urlOf(id string) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	w := f.walls[id]
	if w == nil {
		return "", ErrUnknown
	}
	return w.URL, nil
}

// Enter sends the code that a wall shows. If it is right, both walls store their key.
func (f *Fleet) Enter(ctx context.Context, id, code string) error {
	f.mu.Lock()
	w, p := f.walls[id], f.asks[id]
	f.mu.Unlock()
	if w == nil || p == nil {
		return ErrNoAsk
	}
	var said struct{ ID string }
	err := f.call(ctx, w.URL, http.MethodPost, "/peers/code", p.secret, map[string]string{"code": code}, &said)
	var refused *Refusal
	if errors.As(err, &refused) && refused.Left > 0 {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.asks[id] == p {
		delete(f.asks, id)
	}
	switch w = f.walls[id]; {
	case err != nil:
		return err
	case w == nil:
		return ErrUnknown
	case !goodKey(said.ID):
		return ErrForeign
	}
	return f.change(w, func(k *Kept) { k.Name, k.ID, k.Key, k.Token = w.Name, said.ID, p.key, "" })
}

// Forget removes the stored data of a wall. If a paired wall answers, it also deletes the key.
func (f *Fleet) Forget(ctx context.Context, id string) error {
	f.mu.Lock()
	w := f.walls[id]
	if w == nil {
		f.mu.Unlock()
		return ErrUnknown
	}
	old := *w
	err := f.change(w, func(k *Kept) { *k = Kept{URL: k.URL} })
	if old.Added && !w.Listed {
		delete(f.walls, id)
	}
	f.mu.Unlock()
	if old.signer == nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	answer, lost := f.do(ctx, &old, http.MethodDelete, "/peers", nil)
	if lost == nil {
		answer.Body.Close()
	}
	return err // a wall that does not answer keeps the key until it is revoked there
}
