package picture

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"

	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/render/picture"
)

// errUncovered is returned if a song has no cover.
var errUncovered = errors.New("the song has no cover")

// uncovered() returns the result for a song without a cover. The value in the result is a nil *picture.Picture.
func (p *Provider) uncovered() provider.Result {
	p.forget()
	return provider.Result{Value: (*picture.Picture)(nil)}
}

// read() is like fetch(), but gets the bytes from Config.Read.
func (p *Provider) read(ctx context.Context, req *fetch.Request) (*picture.Picture, error) {
	data, err := p.c.Read(ctx, req.URL, req.MaxBytes)
	switch {
	case err != nil:
		return nil, err
	case len(data) == 0:
		return nil, errUncovered
	}
	sum := sha256.Sum256(data)
	same := sum == p.sum
	p.shown, p.sum = req.URL, sum
	if same {
		return nil, nil
	}
	pic, err := p.decode(ctx, data)
	if err != nil {
		p.forget()
		return nil, fmt.Errorf("the cover of %s: %w", req.URL, err)
	}
	return pic, nil
}

// resolved() returns an address that may be relative to a base address.
func resolved(base, address string) string {
	to, err := url.Parse(address)
	from, wrong := url.Parse(base)
	if err != nil || wrong != nil || base == "" {
		return address
	}
	return from.ResolveReference(to).String()
}
