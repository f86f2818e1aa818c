package bridge

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"

	"dashboard/internal/fetch"
	"dashboard/internal/stable"
)

const (
	// maxMissed is the number of missed messages that are requested. It equals the number of notifications that can wait.
	maxMissed = 32
	// maxBacklog is the maximum size of the answer with the missed messages, in bytes.
	maxBacklog = 1 << 20
	// missedTime is the maximum duration of the request for missed messages.
	missedTime = 10 * time.Second
)

// missed() shows the messages that a Gotify server received while there was no connection. The oldest message is shown first. The request
// is sent after the new connection is open, because every later message arrives on this connection. If a message is in the answer and
// also arrives on the connection, it is shown once.
func (b *Bridge) missed(ctx context.Context) {
	b.had = 0
	all, err := b.backlog(ctx)
	if err != nil {
		if ctx.Err() == nil {
			b.Log.Warn("cannot get missed messages", "server", b.Source.Kind, "error", err)
		}
		return
	}
	seen, newest := b.seen.now(), position{}
	for _, one := range all {
		newest = newest.after(positionOf(one))
	}
	stable.Sort(all, func(a, c json.RawMessage) int { return cmp.Compare(positionOf(a).Number, positionOf(c).Number) })
	for _, one := range all {
		at := positionOf(one)
		// If all numbers are lower, either the newest message was deleted, or the server counts from 1 again. Then the time decides.
		fresh := at.Number > seen.Number || newest.Number < seen.Number && at.Time.After(seen.Time)
		if len(one) <= MaxMessage && fresh {
			b.take(ctx, one, time.Now())
		}
	}
	b.had = newest.Number
	b.seen.set(position{Number: newest.Number, Time: newest.after(seen).Time})
}

// backlog requests the newest messages of a Gotify server.
func (b *Bridge) backlog(ctx context.Context) ([]json.RawMessage, error) {
	answer, err := b.Client.Do(ctx, &fetch.Request{
		URL: strings.TrimRight(b.Source.URL, "/") + "/message", Query: url.Values{"limit": {strconv.Itoa(maxMissed)}},
		Header: map[string]string{"X-Gotify-Key": b.Source.Token}, Timeout: missedTime, MaxBytes: maxBacklog,
	})
	if err != nil {
		return nil, err
	}
	defer answer.Release()
	if err := answer.Check(); err != nil { // Gotify sends errors as JSON, which would count as an empty list
		return nil, err
	}
	var list struct{ Messages []json.RawMessage }
	if err := json.Unmarshal(answer.Body, &list); err != nil {
		return nil, err
	}
	return list.Messages[:min(len(list.Messages), maxMissed)], nil
}

// positionOf returns the number and time of a Gotify message, or a zero position if it has no number.
func positionOf(data []byte) position {
	var m struct {
		ID   int64
		Date time.Time
	}
	if json.Unmarshal(data, &m) != nil || m.ID < 0 {
		return position{}
	}
	return position{Number: m.ID, Time: m.Date}
}
