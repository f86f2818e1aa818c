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

// The type pending is a pairing that has begun: the other wall shows a code, and this wall waits for the user to enter it.
type pending struct {
	key    []byte
	secret string
	until  time.Time
}

// maxPending is the maximum number of pairings at the same time.
const maxPending = 8

// A Refusal is the error of a request that the other wall rejected.
type Refusal struct {
	Status int
	Reason string
	Left   int // number of attempts that remain for the code
}

// Error returns the text that the other wall sent.
func (r *Refusal) Error() string { return r.Reason }

// Errors during pairing.
var (
	ErrNoAsk    = errors.New("the wall shows no code any more: ask for a new one")
	ErrNoAnswer = errors.New("the wall does not answer")
	ErrAddress  = errors.New("an address of a wall is needed, such as http://hall.local:5000")
	ErrFull     = fmt.Errorf("the page follows %d walls", MaxWalls)
)

// refusal reads the reason from the answer of another wall.
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

// do sends a request with the credential of a wall. If the wall rejects the signature because it was restarted, do signs the request
// again and repeats it.
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

// call sends a JSON object to a wall during pairing and decodes the answer.
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

// Add adds a wall by its address, stores it for the next start and returns its ID. An address without a scheme uses http.
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

// Ask makes a wall show a code on its screen. `until` is the time when the code expires.
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

// maxAsk is the maximum time that another wall may give for entering a code.
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

// Enter sends the code that the user has read from the other wall. If the code is right, both walls store a common key.
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

// Forget removes the stored data of a wall. If the wall is paired and answers, the wall deletes its copy of the key too.
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
	return err // if the wall did not answer, it keeps the key until a user revokes the key there
}
