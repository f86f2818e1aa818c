package bridge

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"dashboard/internal/fetch"
)

const (
	// maxMissed is the number of missed messages to request: as many as may wait for a place on the wall.
	maxMissed = 32
	// maxBacklog is the maximum size of the answer, in bytes.
	maxBacklog = 1 << 20
	// missedTime limits the request.
	missedTime = 10 * time.Second
)

// missed shows the messages that a Gotify server received while there was no connection, oldest first. The request is sent after
// the connection is open, so that no message is lost between the two. A message in both is shown once.
func (b *Bridge) missed(ctx context.Context) {
	b.had = 0
	all, err := b.backlog(ctx)
	if err != nil {
		if ctx.Err() == nil {
			b.Log.Warn("cannot get missed messages", "server", b.Source.Kind, "error", err)
		}
		return
	}
	newest := int64(0)
	for _, one := range all {
		newest = max(newest, idOf(one))
	}
	seen := b.seen.now().Number
	if newest < seen {
		seen = 0 // the server has restarted its numbers
	}
	slices.SortStableFunc(all, func(a, c json.RawMessage) int { return int(min(max(idOf(a)-idOf(c), -1), 1)) })
	for _, one := range all {
		if len(one) <= MaxMessage && idOf(one) > seen {
			b.take(ctx, one, time.Now())
		}
	}
	b.had = newest
	b.seen.set(position{Number: newest})
}

// backlog returns the newest messages of a server.
func (b *Bridge) backlog(ctx context.Context) ([]json.RawMessage, error) {
	answer, err := b.Client.Do(ctx, &fetch.Request{
		URL: strings.TrimRight(b.Source.URL, "/") + "/message", Query: url.Values{"limit": {strconv.Itoa(maxMissed)}},
		Header: map[string]string{"X-Gotify-Key": b.Source.Token}, Timeout: missedTime, MaxBytes: maxBacklog,
	})
	if err != nil {
		return nil, err
	}
	defer answer.Release()
	var list struct{ Messages []json.RawMessage }
	if err := json.Unmarshal(answer.Body, &list); err != nil {
		return nil, err
	}
	return list.Messages[:min(len(list.Messages), maxMissed)], nil
}

// idOf returns the number of a Gotify message, 0 if it has none.
func idOf(data []byte) int64 {
	var m struct{ ID int64 }
	if json.Unmarshal(data, &m) != nil || m.ID < 0 {
		return 0
	}
	return m.ID
}
