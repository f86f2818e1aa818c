package sources

import (
	"context"
	"errors"
	"fmt"
	"time"

	"dashboard/internal/fetch"
	"dashboard/provider"
	"dashboard/provider/photos"
)

// An album presents a photo provider's list as a photos.Album.
type album struct {
	cell     *provider.Cell
	read     func(ctx context.Context, id string, most int64) ([]byte, func(), error)
	original bool // whether the field `read` returns original files; otherwise it returns previews
	zone     *time.Location
}

var _ photos.Album = (*album)(nil)

// List returns the published pictures. It waits until there is a list or an error.
func (a *album) List(ctx context.Context) ([]photos.Item, error) {
	changed := make(chan struct{}, 1)
	defer a.cell.Watch(changed)()
	for {
		a.cell.Look(time.Now()) // marks the list as visible, so that its provider reads the list
		switch s := a.cell.Load(); {
		case s.Has():
			return a.items(s.Value), nil
		case s.Err != nil:
			return nil, s.Err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// items() converts a published list to items.
func (a *album) items(v any) (all []photos.Item) {
	list, _ := v.(map[string]any)
	rows, _ := list["photos"].([]any)
	for _, row := range rows {
		m, _ := row.(map[string]any)
		text := func(key string) string { s, _ := m[key].(string); return s }
		i := photos.Item{ID: text("id"), Name: text("name"), Place: text("place")}
		zone := a.zone
		if zone == nil {
			zone = time.Local
		}
		i.Taken, _ = time.ParseInLocation("2006-01-02T15:04:05", text("taken"), zone)
		switch at := m["changed"].(type) {
		case int:
			i.Taken = time.Unix(int64(at), 0)
		case float64: // type of the number in a list that was restored from JSON
			i.Taken = time.Unix(int64(at), 0)
		}
		i.Original = a.original
		all = append(all, i)
	}
	return all
}

// Read requests the bytes of a photo.
func (a *album) Read(ctx context.Context, id string, most int64) ([]byte, func(), error) {
	data, release, err := a.read(ctx, id, most)
	if errors.Is(err, fetch.ErrUnavailable) {
		err = fmt.Errorf("%w: %w", photos.ErrUnreached, err)
	}
	return data, release, err
}
