// Package bridge shows messages of ntfy and Gotify servers as notifications.
//
// A [Bridge] keeps a WebSocket (RFC 6455) open. After a lost connection it reconnects, and the pauses between its attempts grow. It
// ignores messages that are too old. A message that is too large ends the connection.
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
	// MaxMessage is the maximum size of a message, in bytes. The text of an ntfy message has at most 4,096 bytes, and its other keys need
	// additional space.
	MaxMessage = 64 << 10
	// MaxAge is the greatest age of a message that is shown. An older message, for example from a doorbell, is useless.
	MaxAge = 10 * time.Minute
	// pingEvery is the interval of pings. pongTime is the maximum time until the answer to a ping.
	pingEvery = 45 * time.Second
	pongTime  = 10 * time.Second
	// firstPause and lastPause are the shortest and the longest pause before a new connection. refusedPause is the pause after the server
	// rejected the token.
	firstPause   = time.Second
	lastPause    = time.Minute
	refusedPause = 5 * time.Minute
	// `settled` is the minimum duration of a connection after which the next pause is firstPause again.
	settled = 30 * time.Second
)

// Kind is the kind of server: ntfy or Gotify.
type Kind string

// Kinds of servers.
const (
	Ntfy   Kind = "ntfy"   // docs.ntfy.sh/subscribe/api
	Gotify Kind = "gotify" // gotify.net/api-docs
)

// A Source is a server and its topics.
type Source struct {
	Kind   Kind
	URL    string // address of the server, http or https
	Topics string // topics of ntfy, separated by commas
	Token  string // sent as Authorization: Bearer, or as X-Gotify-Key; if it is "", no token is sent
}

// A Bridge listens to one server.
type Bridge struct {
	Source Source
	Client *fetch.Client
	Post   func(body []byte) error // posts a body, like POST /notify
	Log    *slog.Logger
	Kept   notify.Keeper // stores the position for the next start; nil stores nothing
	Key    string        // key of the wall's position in Kept

	flow *flow
	seen *seen
	had  int64 // highest message number that the server returned to missed() on this connection; 0 if unknown
}

// Run listens until ctx ends. It reconnects after errors.
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

// pause returns the time to wait after an error. It adds up to 20 percent at random, so that many walls do not reconnect at the same
// time.
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

// listen opens a connection and shows its messages until the connection is lost. It calls `opened` after the connection is open.
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

// came() shows a message that the connection received, unless missed() has already shown it.
func (b *Bridge) came(ctx context.Context, data []byte) {
	if b.Source.Kind == Gotify {
		at := positionOf(data)
		if at.Number > 0 && at.Number <= b.had {
			return
		}
		b.seen.set(b.seen.now().after(at))
	}
	b.take(ctx, data, time.Now())
}

// keepAlive sends pings and closes the connection if the server does not answer.
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

// request returns the HTTP request that opens the connection.
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

// take shows a message. It ignores invalid messages, old messages, and messages above the rate limit.
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
