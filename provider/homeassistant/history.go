package homeassistant

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"dashboard/internal/stable"
	"dashboard/provider"
)

// Limits for the history of an entity.
const (
	MaxHistory   = 14 * 24 * time.Hour // Home Assistant stores ten days by default
	MaxPoints    = 1440                // points of one entity; more than the width of a chart in pixels
	historyEvery = 30 * time.Minute    // time between two readings
	historyTime  = 30 * time.Second    // maximum time for one answer
)

// History returns a provider and the key of the provider's definition. The provider publishes the states that an entity had in the time
// span before now, as a list of [Unix seconds, number]. The oldest point is first. A number is null where the entity had no numeric
// state.
func (h *Home) History(id string, span time.Duration) (key string, p provider.Provider, err error) {
	if err := CheckID(id); err != nil {
		return "", nil, err
	}
	if span <= 0 || span > MaxHistory {
		span = MaxHistory
	}
	return fmt.Sprintf("%s history %s %v", h.key, id, span), &history{h, id, span}, nil
}

type history struct {
	home *Home
	id   string
	span time.Duration
}

// Kind is "history".
func (p *history) Kind() string { return "history" }

// Run reads the history at once and then every historyEvery.
func (p *history) Run(ctx context.Context, cell *provider.Cell) error {
	c, release, err := p.home.Connect(ctx)
	if err != nil {
		return err
	}
	defer release()
	poll := provider.Poll{Interval: historyEvery, RetryMost: time.Minute}
	return poll.Run(ctx, cell, func(ctx context.Context, _ bool) provider.Result {
		v, err := p.ask(ctx, c)
		if err != nil {
			return provider.Fail(err, false)
		}
		return provider.Result{Value: v}
	})
}

// ask requests the history once.
func (p *history) ask(ctx context.Context, c *Connection) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, historyTime)
	defer cancel()
	now := time.Now()
	v, err := c.Ask(ctx, map[string]any{
		"type": "history/history_during_period", "entity_ids": []string{p.id},
		"start_time": now.Add(-p.span).UTC().Format(time.RFC3339), "end_time": now.UTC().Format(time.RFC3339),
		"minimal_response": true, "no_attributes": true, "significant_changes_only": false,
	})
	if err != nil {
		return nil, err
	}
	all, ok := v.(map[string]any)
	if !ok {
		return nil, errors.New("Home Assistant gives no history") //nolint:staticcheck // the error begins with a proper name
	}
	list, _ := all[p.id].([]any)
	return points(list, now.Add(-p.span), p.span), nil
}

// points() returns at most MaxPoints points of a history. A point is a time with a numeric state, or with null if the state is not a
// number. If three successive points lie within a time of about span/MaxPoints, the third point replaces the second point.
func points(list []any, from time.Time, span time.Duration) []any {
	type point struct {
		at float64
		v  any
	}
	all := make([]point, 0, min(len(list), MaxPoints))
	step := span.Seconds() / (MaxPoints - 1)
	start := float64(from.Unix())
	for _, entry := range list {
		m, _ := entry.(map[string]any)
		at, ok := number(m["lu"])
		if !ok {
			at, ok = number(m["lc"])
		}
		state, isText := m["s"].(string)
		if !ok || !isText || at > start+span.Seconds()+60 {
			continue
		}
		next := point{max(at, start), nil}
		if n, ok := number(stateOf(state)); ok {
			next.v = n
		}
		if n := len(all); n > 1 && next.at-all[n-2].at < step || n == MaxPoints {
			all[n-1] = next
			continue
		}
		all = append(all, next)
	}
	stable.Sort(all, func(a, b point) int { return cmp.Compare(a.at, b.at) })
	out := make([]any, len(all))
	for i, p := range all {
		out[i] = []any{p.at, p.v}
	}
	return out
}
