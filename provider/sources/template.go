package sources

import (
	"context"
	"fmt"
	"strings"
	"time"

	"dashboard/internal/fetch"
	"dashboard/internal/pyfmt"
	"dashboard/provider"
	"dashboard/provider/query"
)

// hassTime bounds a request to Home Assistant, which is in the same house.
const hassTime = 5 * time.Second

// Template gives a template as Home Assistant fills it in whenever a value in it changes.
func (s *Sources) Template(a query.Asker, q query.Template) (query.Words, bool) {
	ok := true
	var from []*provider.Cell
	for _, name := range q.Providers {
		c, known := s.Named(a, name)
		from, ok = append(from, c), ok && known
	}
	url := strings.TrimRight(q.URL, "/") + "/api/template"
	if err := fetch.CheckURL(url); err != nil {
		a.Errorf("hass_url", "%v", err)
		ok = false
	}
	if !ok {
		return query.Words{}, false
	}
	made := s.derive(a, "template", []any{q.Providers, q.Template, url, q.Token}, true, func(ctx context.Context, values []any) (any, error) {
		req := &fetch.Request{
			Method: "POST", URL: url, Secret: q.Secret, Auth: fetch.Auth{Bearer: q.Token}, Timeout: hassTime,
			JSON: map[string]string{"template": filled(q, values)},
		}
		resp, err := s.client.Do(ctx, req)
		if err != nil {
			return nil, err
		}
		defer resp.Release()
		if err := resp.Check(); err != nil {
			return nil, fmt.Errorf("%s: %w", req.Shown(), err)
		}
		return Short(strings.TrimSpace(string(resp.Body))), nil
	}, from...)
	return words(made, func(s *provider.Sample, _ bool) string {
		if !s.Has() {
			return q.Fallback
		}
		return ""
	}), true
}

// filled is the template with its values, written as Python does, set before it.
func filled(q query.Template, values []any) string {
	var b []byte
	for i, name := range q.Providers {
		b = fmt.Appendf(b, "{%% set provider_%s = ", name)
		b = pyfmt.AppendRepr(b, values[i])
		b = append(b, " %}\n"...)
	}
	return string(b) + q.Template
}
