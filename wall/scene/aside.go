package scene

import (
	"log/slog"

	"dashboard/internal/budget"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/geocode"
)

// Aside returns a builder of generations that are inspected but not shown, next to the wall that b shows. It shares the glyphs,
// the memory account and the running providers. Its generations start nothing.
func (b *Builder) Aside() *Builder {
	serving := *b.Serving
	serving.Found, serving.Tolerates = func() {}, func(string) bool { return true }
	c := &Builder{
		Parts: b.Parts, Memory: b.Memory, shown: b.shown, photos: b.photos, Pasts: b.Pasts, Providers: b.Providers, Text: b.Text,
		Banner: provider.NewCell(nil), Client: b.Client, Atlas: b.Atlas, mark: b.mark,
	}
	c.Serving, c.Wake = &serving, func() {}
	c.strangers.agent = b.strangers.agent
	c.TimeSet.Store(true)
	return c
}

// Apart returns a builder like Aside with separate providers and another client. The caller closes the
// providers.
func (b *Builder) Apart(client *fetch.Client) *Builder {
	c := b.Aside()
	c.Memory = budget.New()
	c.Providers = provider.NewManager(c.Memory, func() {}, slog.New(slog.DiscardHandler))
	c.Client, c.shown, c.Pasts, c.photos = client, false, nil, nil
	c.Atlas = geocode.NewAtlas(client, geocode.Geocoder, nil)
	return c
}
