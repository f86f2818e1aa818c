package scene

import (
	"log/slog"

	"dashboard/internal/budget"
	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/geocode"
)

// Aside returns a builder for generations that are only inspected while b's wall is shown, such as drafts. It uses b's cached glyphs,
// memory account and running providers. Its generations start nothing.
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

// Apart is like Aside, but the returned builder has a separate client, memory account and set of
// providers. The caller closes the providers.
func (b *Builder) Apart(client *fetch.Client) *Builder {
	c := b.Aside()
	c.Memory = budget.New()
	c.Providers = provider.NewManager(c.Memory, func() {}, slog.New(slog.DiscardHandler))
	c.Client, c.shown, c.Pasts, c.photos = client, false, nil, nil
	c.Atlas = geocode.NewAtlas(client, geocode.Geocoder, nil)
	return c
}
