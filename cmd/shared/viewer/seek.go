package viewer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"dashboard/client"
	"dashboard/internal/mdns"
	"dashboard/internal/state"
)

const (
	// wallService is the DNS-SD service type of walls.
	wallService = "_dashboard._tcp"
	// settleTime is the time for which the search waits for other walls after it has found a wall.
	settleTime = 1500 * time.Millisecond
	// pollEvery is the time between two requests that ask whether a person has allowed the screen.
	pollEvery = 2 * time.Second
	// silentTime is the time without an answer after which the screen stops waiting for the permission of a wall. The wall may have
	// another address now.
	silentTime = 30 * time.Second
	// againAfter is the pause after a temporary error. restAfter is the pause after an error that a person must fix.
	againAfter, restAfter = 5 * time.Second, 10 * time.Minute
	// mostAsked is the number of consecutive pairing requests before a long pause. Each request expires after two minutes.
	mostAsked = 3
	// askTime is the timeout of a request to a wall. maxAnswer is the maximum size of the answer in bytes.
	askTime, maxAnswer = 10 * time.Second, 64 << 10
	// pairings is the kind of the file in the state folder that contains the token of this screen.
	pairings = "pairing"
	// mostNamed is the maximum number of walls that the screen lists by name.
	mostNamed = 6
)

// A sighting is a result of the search. It is either a wall, or a text that the screen shows during the search.
type sighting struct {
	notice *client.Notice // text to show, or nil if a wall was found
	url    string
	token  string
	view   string
	paired bool // true if the wall has given the token to this screen
	// pairing is the record of the paired wall with its present name and identity, if the token was stored before.
	pairing pairedWall
}

// A pairedWall contains the name of the wall with which this screen is paired, and the screen's token.
type pairedWall struct {
	Name, Token, View string
	ID                string `json:",omitempty"` // identity that the wall announces. It stays the same if the wall is renamed
}

// is reports whether f is the paired wall, even if it has another name now.
func (w *pairedWall) is(f *mdns.Found) bool { return w.ID != "" && w.ID == f.Text["id"] }

// A seeker searches for a wall in the local network and pairs the screen with it.
type seeker struct {
	name    string // name of the wall in client.yaml, or "" for any wall
	self    string // name of the screen
	version string // version of the program
	token   string // token in client.yaml; if it is not "", the screen does not pair
	store   *state.Store
	key     string
	log     *slog.Logger
	tell    func(sighting)
	search  func(ctx context.Context, service string, changed func([]mdns.Found)) error
	http    *http.Client

	said  client.Notice
	asked int // number of consecutive pairing requests
}

// run searches for a wall until ctx ends.
func (k *seeker) run(ctx context.Context) {
	k.http = &http.Client{Timeout: askTime, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	found, failed := make(chan []mdns.Found, 1), make(chan error)
	var browsing sync.WaitGroup
	browsing.Go(func() { k.browse(ctx, found, failed) })
	defer browsing.Wait()
	kept := k.kept()
	var all []mdns.Found
	joined, rests := mdns.Found{}, time.Time{}
	due := time.NewTimer(settleTime)
	defer due.Stop()
	k.looking(nil, kept)
	for {
		select {
		case <-ctx.Done():
			return
		case all = <-found:
			if joined.Name == "" {
				k.looking(all, kept)
			}
			due.Reset(max(settleTime, time.Until(rests)))
		case err := <-failed:
			k.log.Warn("no dashboard can be looked for; it is tried again", "error", err)
			if joined.Name == "" {
				k.say(client.Notice{Title: "This machine cannot look for a dashboard", Detail: "server.url in client.yaml says where it is"})
			}
		case <-due.C:
			f, ok := k.choose(all, kept)
			switch {
			case !ok || joined.Name == f.Name && joined.URL() == f.URL():
			default:
				if next := k.join(ctx, f, kept); next > 0 {
					rests = time.Now().Add(next)
					due.Reset(next)
				} else {
					joined, kept = f, k.kept()
				}
			}
		}
	}
}

// browse sends the list of walls in the network to the channel `found` after each change. If an older list was not received, the new list
// replaces it. Errors are sent to the channel `failed`.
func (k *seeker) browse(ctx context.Context, found chan []mdns.Found, failed chan<- error) {
	for ctx.Err() == nil {
		err := k.search(ctx, wallService, func(all []mdns.Found) {
			select {
			case <-found:
			default:
			}
			found <- all // does not block, because no other goroutine sends to this channel
		})
		if err != nil {
			select {
			case failed <- err:
				wait(ctx, againAfter)
			case <-ctx.Done():
			}
		}
	}
}

// wait waits for the time d. It returns false if ctx ends first.
func wait(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// say shows a text on the screen. If the text is shown already, say does nothing.
func (k *seeker) say(n client.Notice) {
	if n != k.said {
		k.said = n
		k.log.Info("looking for a dashboard", "says", n.Title)
		k.tell(sighting{notice: &n})
	}
}

// wanted() returns the name of the wall to search for, or "" for any wall.
func (k *seeker) wanted(kept pairedWall) string {
	if k.name != "" {
		return k.name
	}
	return kept.Name
}

// looking() shows a text about the search, with the names of the found walls.
func (k *seeker) looking(all []mdns.Found, kept pairedWall) {
	var names []string
	for _, f := range all[:min(len(all), mostNamed)] {
		names = append(names, f.Name)
	}
	n := client.Notice{Title: "Looking for a dashboard", Detail: "on this network"}
	_, chosen := k.choose(all, kept)
	switch name := k.wanted(kept); {
	case chosen:
		n.Detail = "found " + strings.Join(names, ", ")
	case name != "" && len(all) > 0:
		n.Title, n.Detail = "Looking for "+name, "found only "+strings.Join(names, ", ")
	case name != "":
		n.Title, n.Detail = "Looking for "+name, "on this network"
	case len(all) > 1:
		n.Title, n.Detail = "There are several dashboards", "server.name in client.yaml says which: "+strings.Join(names, ", ")
	}
	k.say(n)
}

// choose returns the found wall that the screen must use. If client.yaml names a wall or its host, this is the wall with that name.
// Otherwise it is the paired wall. If there is neither, choose returns the only found wall. If there is no such wall, choose returns false.
func (k *seeker) choose(all []mdns.Found, kept pairedWall) (mdns.Found, bool) {
	name := k.wanted(kept)
	if name == "" && len(all) == 1 {
		return all[0], true
	}
	best, points := mdns.Found{}, 0
	for _, f := range all {
		n, host := 0, strings.TrimSuffix(f.Host, ".local")
		if name != "" && (strings.EqualFold(f.Name, name) || k.name != "" && (strings.EqualFold(host, name) || strings.EqualFold(f.Host, name))) {
			n++
		}
		if k.name == "" && kept.is(&f) {
			n += 2 // the identity counts more than the name, because another wall may have this name now
		}
		if n > points {
			best, points = f, n
		}
	}
	return best, points > 0
}

// join makes the screen show the wall f. If necessary, the screen is paired with the wall first. It
// returns the time until the next attempt, or 0 after a success.
func (k *seeker) join(ctx context.Context, f mdns.Found, kept pairedWall) time.Duration {
	s := sighting{url: f.URL(), token: k.token}
	switch {
	case k.token != "":
	case kept.Token != "" && (strings.EqualFold(kept.Name, f.Name) || kept.is(&f)):
		s.token, s.view, s.paired = kept.Token, kept.View, true
		if id := cmp.Or(f.Text["id"], kept.ID); id != kept.ID || f.Name != kept.Name {
			kept.ID, kept.Name = id, f.Name
			if k.kept().Token == kept.Token { // otherwise the wall has rejected the token
				k.keep(kept)
			}
		}
		s.pairing = kept
	default:
		status, _, err := k.ask(ctx, http.MethodGet, f.URL()+"/frame?width=16&height=16", "", nil, nil)
		switch {
		case err != nil:
			k.say(client.Notice{Title: f.Name + " does not answer", Detail: f.URL()})
			return againAfter
		case status == http.StatusUnauthorized:
			wall, next := k.pair(ctx, f)
			if next > 0 {
				return next
			}
			s.token, s.view, s.paired = wall.Token, "", true // no view, because the wall itself selects the view of a paired screen
		case status == http.StatusNotFound:
			k.say(client.Notice{Title: f.Name + " shows nothing to screens", Detail: "it has no stream output"})
			return againAfter
		}
	}
	k.said = client.Notice{}
	k.log.Info("a dashboard was found", "name", f.Name, "service", s.url)
	k.tell(s)
	return 0
}

// A reply is the answer of a wall to a request for pairing.
type reply struct {
	Code, Secret, State, Token, View, Error string
}

// pair requests a token from the wall f and waits until a person allows the screen. It returns the
// time until the next attempt, or 0 after a success.
func (k *seeker) pair(ctx context.Context, f mdns.Found) (pairedWall, time.Duration) {
	if k.asked == mostAsked {
		k.asked = 0
		k.say(client.Notice{Title: "Nobody allowed this screen", Detail: "it asks again in ten minutes, or when it is started again"})
		return pairedWall{}, restAfter
	}
	var r reply
	status, again, err := k.ask(ctx, http.MethodPost, f.URL()+"/pair", "", map[string]string{"name": k.self}, &r)
	if err != nil || status != http.StatusOK || len(r.Code) != 6 || r.Secret == "" {
		k.say(client.Notice{Title: f.Name + " cannot be paired with now", Detail: r.Error})
		return pairedWall{}, max(again, againAfter)
	}
	k.asked++
	k.say(client.Notice{Title: "Show " + f.Name + "?", Detail: "Allow it on the wall's page", Code: r.Code[:3] + " " + r.Code[3:]})
	for answered := time.Now(); wait(ctx, pollEvery); {
		var now reply
		status, _, err := k.ask(ctx, http.MethodGet, f.URL()+"/pair", r.Secret, nil, &now)
		if err == nil {
			answered = time.Now()
		}
		switch {
		case time.Since(answered) >= silentTime:
			k.say(client.Notice{Title: f.Name + " does not answer", Detail: f.URL()})
			return pairedWall{}, againAfter
		case err != nil || status == http.StatusTooManyRequests || now.State == "waiting":
		case now.State == "paired" && now.Token != "":
			wall := pairedWall{Name: f.Name, Token: now.Token, ID: f.Text["id"]}
			k.keep(wall)
			k.log.Info("this screen was paired", "name", f.Name)
			return wall, 0
		case now.State == "refused":
			k.say(client.Notice{Title: "This screen was refused", Detail: "start it again to ask again"})
			return pairedWall{}, restAfter
		default: // the request has expired, or the wall was restarted
			return pairedWall{}, time.Millisecond
		}
	}
	return pairedWall{}, time.Hour
}

// ask sends a request to a wall. It decodes the JSON answer into `into`, unless `into` is nil. If the wall is busy, `again` is the time
// until the next attempt.
func (k *seeker) ask(ctx context.Context, method, url, token string, body, into any) (status int, again time.Duration, err error) {
	var data []byte
	if body != nil {
		if data, err = json.Marshal(body); err != nil {
			return 0, 0, err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, url, bytes.NewReader(data))
	if err != nil {
		return 0, 0, err
	}
	r.Header.Set("User-Agent", "dashboard-client/"+k.version)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	a, err := k.http.Do(r)
	if err != nil {
		return 0, 0, err
	}
	defer a.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(a.Body, maxAnswer+1))
	switch {
	case err != nil:
		return 0, 0, err
	case len(answer) > maxAnswer && into != nil:
		return 0, 0, errors.New("the answer is too long")
	case into != nil && json.Unmarshal(answer, into) != nil:
		return 0, 0, fmt.Errorf("the answer with status %d is not JSON", a.StatusCode)
	}
	seconds, _ := time.ParseDuration(a.Header.Get("Retry-After") + "s")
	return a.StatusCode, min(max(0, seconds), restAfter), nil
}

// kept() returns the wall with which this screen was paired before, or a zero pairedWall.
func (k *seeker) kept() (w pairedWall) {
	if data, ok := k.store.Load(pairings, k.key); ok && json.Unmarshal(data, &w) != nil {
		return pairedWall{}
	}
	return w
}

// keep() stores the wall and the token for the next start.
func (k *seeker) keep(w pairedWall) {
	data, err := json.Marshal(w)
	if err == nil {
		err = k.store.Save(pairings, k.key, data)
	}
	switch {
	case err != nil:
		k.log.Warn("the token is not kept for the next start", "reason", err)
	case k.store == nil:
		k.log.Warn("the token is not kept for the next start: --state-dir names no folder")
	}
}
