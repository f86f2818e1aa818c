// Package prometheus is a provider of the result of a query to Prometheus or a compatible server (HTTP API v1, instant and range queries).
// The value is {value, series: [{text, labels, values: [[at, number]]}]}. The time `at` is in Unix seconds. NaN and other special numbers
// become null.
package prometheus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/provider/ask"
)

// Limits for a query and its answer.
const (
	// MaxPoints is the maximum number of points in a series that the server returns. If a query has
	// more points, the server returns the error bad_data.
	MaxPoints = 11000
	// MaxSeries is the maximum number of series in the value.
	MaxSeries = 100
	// MaxValues is the maximum number of points in all series together.
	MaxValues = 100000

	usualPoints = 300 // points in a range if no step is set; a chart has no room for more
	maxQuery    = 8192
)

// Params are the keys of a prometheus provider.
type Params struct {
	// Address of the server, without /api/v1.
	URL       string `yaml:"url" required:"true"`
	URLSecret bool   `secret:"url"` // whether the address came from a secret
	// Query in PromQL.
	Query string `yaml:"query" required:"true"`
	// Time span of the numbers. Default: only the present value.
	Range value.Duration `yaml:"range"`
	// Time between the numbers of a range. Default: 1/300 of the range.
	Step value.Duration `yaml:"step"`
	// Pause between queries.
	UpdateInterval value.Duration `yaml:"update_interval" default:"30s" min:"1"`
	ask.Keys
}

// New returns a provider and the key that identifies its definition. An error begins with the name of the configuration key that causes
// it.
func New(p *Params, d ask.Deps) (key string, s *ask.Source, err error) {
	s = &ask.Source{Name: "prometheus", Client: d.Client, Explain: explain, Read: func(ctx context.Context, body []byte) (any, error) { return Read(ctx, body, p.Query) }}
	if s.Request, err = p.Request(d, p.URL); err != nil {
		return "", nil, err
	}
	s.Request.Secret = p.URLSecret
	if s.Schedule, err = p.Schedule(d, p.UpdateInterval); err != nil {
		return "", nil, err
	}
	step, err := p.step()
	if err != nil {
		return "", nil, err
	}
	u, err := url.Parse(p.URL)
	if err != nil || u.Scheme == "file" || u.RawQuery != "" || u.Fragment != "" {
		return "", nil, errors.New("url: must be the address of a server, without a query; PromQL is written at 'query'")
	}
	end := map[bool]string{false: "query", true: "query_range"}[p.Range > 0]
	s.Request.URL = u.JoinPath("api", "v1", end).String()
	s.Prepare = func(r *fetch.Request, now time.Time) { r.Query = p.parameters(step, now) }
	return ask.Key("prometheus", []any{p, s.Request}), s, nil
}

// step returns the time between two points of a range, in whole milliseconds. It returns 0 for an instant query.
func (p *Params) step() (time.Duration, error) {
	span, step := time.Duration(p.Range), time.Duration(p.Step)
	switch {
	case len(p.Query) > maxQuery:
		return 0, fmt.Errorf("query: has at most %d characters", maxQuery)
	case span == 0 && step > 0:
		return 0, errors.New("step: is for a range, which is not given")
	case span == 0:
		return 0, nil
	}
	step = cmp.Or(step, max(time.Second, (span/usualPoints).Round(time.Second))).Round(time.Millisecond)
	if step <= 0 || span/step > MaxPoints {
		return 0, fmt.Errorf("step: a range of %v in steps of %v is more than the %d points that a server gives", span, time.Duration(p.Step), MaxPoints)
	}
	return step, nil
}

// parameters() returns the parameters of the request. The end of a range is a multiple of the step, so that successive requests return the
// same points.
func (p *Params) parameters(step time.Duration, now time.Time) url.Values {
	q := url.Values{"query": {p.Query}}
	if step == 0 {
		q.Set("time", unix(now))
		return q
	}
	end := now.Truncate(step)
	q.Set("end", unix(end))
	q.Set("start", unix(end.Add(-time.Duration(p.Range))))
	q.Set("step", strconv.FormatFloat(step.Seconds(), 'f', -1, 64))
	return q
}

// unix formats a time in Unix seconds. If the time is not a whole second, the result has three decimals.
func unix(t time.Time) string {
	text := strconv.FormatFloat(float64(t.UnixMilli())/1000, 'f', 3, 64)
	return strings.TrimSuffix(text, ".000")
}
