// Package bridge shows messages of ntfy and Gotify servers as notifications.
//
// A [Bridge] keeps a WebSocket open (RFC 6455) and reconnects with growing pauses. Messages are limited in size, and old ones are
// ignored.
package bridge

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"strings"
	"sync"
	"time"

	"dashboard/control/notify"
	"dashboard/internal/fetch"
)

const (
	// MaxMessage limits a message, in bytes. A message of ntfy has 4,096 and its keys.
	MaxMessage = 64 << 10
	// MaxAge is the greatest age of a message that is shown, because an old doorbell is useless.
	MaxAge = 10 * time.Minute
	// pingEvery is the interval of pings, and pongTime the time for an answer.
	pingEvery = 45 * time.Second
	pongTime  = 10 * time.Second
	// firstPause and lastPause are the shortest and the longest pause before reconnecting. refusedPause follows a refused token.
	firstPause   = time.Second
	lastPause    = time.Minute
	refusedPause = 5 * time.Minute
	// settled is the duration of a connection after which the next pause is firstPause.
	settled = 30 * time.Second
)

// Kind is the kind of a server.
type Kind string

// Kinds of servers.
const (
	Ntfy   Kind = "ntfy"   // docs.ntfy.sh/subscribe/api
	Gotify Kind = "gotify" // gotify.net/api-docs
)

// Source is a server and its topics.
type Source struct {
	Kind   Kind
	URL    string // address of the server, http or https
	Topics string // topics of ntfy, separated by commas
	Token  string // sent as Authorization: Bearer, or as X-Gotify-Key; "" sends none
}

// Bridge listens to one server.
type Bridge struct {
	Source Source
	Client *fetch.Client
	Post   func(body []byte) error // posts the body of a POST /notify
	Log    *slog.Logger
	Kept   notify.Keeper // keeps the position for the next start; nil keeps nothing
	Key    string        // name of the wall in Kept

	flow *flow
	seen *seen
	had  int64 // number of the newest Gotify message before this connection, 0 if unknown
}

// Run listens until ctx ends.
func (b *Bridge) Run(ctx context.Context) {
	b.flow = newFlow(lasting, atOnce, b.Log)
	b.seen = openSeen(b.Kept, strings.Join([]string{b.Key, string(b.Source.Kind), b.Source.URL, b.Source.Topics}, "\x00"), b.Log)
	var keeping sync.WaitGroup
	keeping.Go(func() { b.seen.run(ctx) })
	defer keeping.Wait()
	pause, down := firstPause, false
	for ctx.Err() == nil {
		began := time.Now()
		err := b.listen(ctx, func() {
			if down {
				b.Log.Info("receiving messages again", "server", b.Source.Kind)
			}
			down = false
		})
		if ctx.Err() != nil {
			return
		}
		if !down {
			down = true
			b.Log.Warn("cannot receive messages; retrying", "server", b.Source.Kind, "error", err)
		}
		if time.Since(began) >= settled {
			pause = firstPause
		}
		wait(ctx, b.pause(err, pause))
		pause = min(2*pause, lastPause)
	}
}

// pause returns the pause after an error plus up to a fifth at random, so that many walls do not reconnect at once.
func (b *Bridge) pause(err error, usual time.Duration) time.Duration {
	var status *fetch.StatusError
	if errors.As(err, &status) && (status.Code == 401 || status.Code == 403) {
		usual = refusedPause
	}
	return usual + rand.N(usual/5)
}

func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// listen opens a connection and shows its messages until it is lost.
func (b *Bridge) listen(ctx context.Context, opened func()) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s, err := b.Client.Socket(ctx, b.request())
	if err != nil {
		return err
	}
	defer s.Close()
	opened()
	if b.Source.Kind == Gotify {
		b.missed(ctx)
	}
	pinged := make(chan struct{})
	go func() {
		defer close(pinged)
		keepAlive(ctx, s)
	}()
	for err == nil {
		var data []byte
		if data, err = s.Read(ctx); err == nil {
			b.came(ctx, data)
		}
	}
	cancel()
	<-pinged
	return err
}

// came shows a message of the connection, unless it was already shown.
func (b *Bridge) came(ctx context.Context, data []byte) {
	if b.Source.Kind == Gotify {
		id := idOf(data)
		if id > 0 && id <= b.had {
			return
		}
		b.seen.set(position{Number: max(b.seen.now().Number, id)})
	}
	b.take(ctx, data, time.Now())
}

// keepAlive closes a connection that does not answer pings.
func keepAlive(ctx context.Context, s *fetch.Socket) {
	for {
		wait(ctx, pingEvery)
		if ctx.Err() != nil {
			return
		}
		in, cancel := context.WithTimeout(ctx, pongTime)
		err := s.Ping(in)
		cancel()
		if err != nil {
			s.Close()
			return
		}
	}
}

// request returns the request for the connection.
func (b *Bridge) request() *fetch.Request {
	r := &fetch.Request{MaxBytes: MaxMessage, Header: map[string]string{}}
	base := strings.TrimRight(b.Source.URL, "/")
	if b.Source.Kind == Gotify {
		r.URL = base + "/stream"
		if b.Source.Token != "" {
			r.Header["X-Gotify-Key"] = b.Source.Token
		}
		return r
	}
	at := b.seen.now()
	since := at.ID
	if since == "" || time.Since(at.Time) > MaxAge {
		since = MaxAge.String()
	}
	r.URL = base + "/" + b.Source.Topics + "/ws?since=" + url.QueryEscape(since)
	if b.Source.Token != "" {
		r.Header["Authorization"] = "Bearer " + b.Source.Token
	}
	return r
}

// take shows a message. It ignores invalid and old messages, and messages above the rate.
func (b *Bridge) take(ctx context.Context, data []byte, now time.Time) {
	read := b.ntfy
	if b.Source.Kind == Gotify {
		read = gotify
	}
	body, at, ok := read(data)
	if !ok || !at.IsZero() && now.Sub(at) > MaxAge {
		return
	}
	if !b.flow.lets(now, b.Source.Kind) {
		wait(ctx, restTime)
		return
	}
	encoded, err := json.Marshal(body)
	if err == nil {
		err = b.Post(encoded)
	}
	if err != nil {
		b.flow.warn(now, "cannot show a message", "server", b.Source.Kind, "reason", err)
	}
}
