// Package rest is a provider of what an HTTP address answers: its JSON, a part of it, or its text.
package rest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"dashboard/internal/extract"
	"dashboard/internal/fetch"
	"dashboard/provider"
)

// A Provider fetches its address again and again. A failed fetch keeps the last good value.
type Provider struct {
	config *Config
	client *fetch.Client

	etag, modified string // of the last good answer
}

var _ provider.Provider = (*Provider)(nil)

// New returns a provider of a configuration made by [Params.Config] or [ForWidget], which it does not change.
func New(c *Config, client *fetch.Client) *Provider {
	return &Provider{config: c, client: client}
}

// Kind is "rest".
func (p *Provider) Kind() string { return "rest" }

// Key is the same for configurations that mean the same, and tells nothing of what they hold: secrets may be in it.
func (c *Config) Key() string {
	// Encoding a struct of plain values fails only for a body that no request could send either; its text tells it apart.
	data, err := json.Marshal(c)
	if err != nil {
		data = fmt.Appendf(nil, "%+v", *c)
	}
	sum := sha256.Sum256(data)
	return "rest:" + hex.EncodeToString(sum[:16])
}

// Run fetches at once, then after each pause: the interval and some jitter after a good fetch, after a failed one less,
// growing to the interval. An answer of the kind "you ask wrongly" (4xx) is not asked for again any sooner.
func (p *Provider) Run(ctx context.Context, cell *provider.Cell) error {
	c := p.config
	p.etag, p.modified = "", ""
	poll := provider.Poll{Interval: c.Interval, Jitter: c.Jitter, Once: c.Static, Promise: !c.Static}
	return poll.Run(ctx, cell, p.once)
}

// final reports whether asking again soon would give the same answer.
func final(err error) bool {
	var status *fetch.StatusError
	if errors.As(err, &status) {
		return status.Code < 500 && status.Code != http.StatusRequestTimeout
	}
	return !errors.Is(err, fetch.ErrUnavailable)
}

// once makes one attempt.
func (p *Provider) once(ctx context.Context, _ bool) provider.Result {
	v, confirmed, err := p.fetch(ctx)
	switch {
	case err != nil:
		return provider.Fail(err, final(err))
	case confirmed:
		return provider.Result{Outcome: provider.Unchanged}
	}
	return provider.Result{Value: v}
}

// fetch returns the value, or that the published one still holds.
func (p *Provider) fetch(ctx context.Context) (v any, confirmed bool, err error) {
	req := p.config.Request
	if req.JSON == nil {
		req.ETag, req.LastModified = p.etag, p.modified
	}
	resp, err := p.client.Do(ctx, &req)
	if err != nil {
		return nil, false, err
	}
	if resp.NotModified() && p.etag+p.modified != "" {
		return nil, true, nil
	}
	p.etag, p.modified = "", ""
	if err := resp.Check(); err != nil {
		return nil, false, fmt.Errorf("%s: %w", fetch.Redact(req.URL), err)
	}
	if v, err = p.config.value(resp.Body); err != nil {
		return nil, false, fmt.Errorf("%s: %w", fetch.Redact(req.URL), err)
	}
	p.etag, p.modified = resp.ETag, resp.LastModified
	return v, false, nil
}

// value picks what is wanted out of an answer. One that is not JSON is the text itself.
func (c *Config) value(body []byte) (any, error) {
	if c.Plain && c.extractor.Empty() {
		return strings.ToValidUTF8(string(body), "\uFFFD"), nil
	}
	return c.extractor.Read(body)
}

// Text is the word a widget shows in place of a value that could not be had, as Grydgets words it; empty for no error.
func Text(err error) string {
	var status *fetch.StatusError
	var picked *extract.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &status):
		return fmt.Sprintf("Error %d", status.Code)
	case errors.As(err, &picked):
		return "--"
	}
	return "Unavailable"
}
