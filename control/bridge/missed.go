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
	// maxMissed bounds how many messages are asked for that came while nobody listened: as many as may wait for a place on the wall.
	maxMissed = 32
	// maxBacklog bounds the answer, bytes.
	maxBacklog = 1 << 20
	// missedTime is how long that may take.
	missedTime = 10 * time.Second
)

// missed shows what came to a Gotify server while nobody listened, oldest first. It is asked once the connection stands, so that nothing
// is between the two; what is in both is shown once.
func (b *Bridge) missed(ctx context.Context) {
	b.had = 0
	all, err := b.backlog(ctx)
	if err != nil {
		if ctx.Err() == nil {
			b.Log.Warn("what came while the server was away is not known", "server", b.Source.Kind, "error", err)
		}
		return
	}
	newest := int64(0)
	for _, one := range all {
		newest = max(newest, idOf(one))
	}
	seen := b.seen.now().Number
	if newest < seen {
		seen = 0 // it counts from the beginning again
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

// backlog are the newest messages that a server has.
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

// idOf is the number of a message of Gotify, 0 for what is none.
func idOf(data []byte) int64 {
	var m struct{ ID int64 }
	if json.Unmarshal(data, &m) != nil || m.ID < 0 {
		return 0
	}
	return m.ID
}
