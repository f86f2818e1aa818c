package calendar

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"time"

	"dashboard/provider"
	"dashboard/provider/caldav"
)

var _ provider.Keeper = (*Provider)(nil)

// A kept calendar is the saved form of one: its texts. The events are not saved, because they depend on the day.
type kept struct {
	Texts          []string
	ETag, Modified string
	DAV            *caldav.State `json:",omitempty"`
}

// Kept implements provider.Keeper. It does not save files of this machine, because they can be read again.
func (p *Provider) Kept(any) ([]byte, error) {
	all := make([]kept, len(p.sources))
	for i, c := range p.sources {
		if c.dav != nil {
			state := c.dav.State()
			all[i].DAV = &state
		}
		if c.request == nil {
			continue
		}
		all[i].ETag, all[i].Modified = c.etag, c.modified
		for _, t := range c.texts {
			all[i].Texts = append(all[i].Texts, string(t))
		}
	}
	return json.Marshal(all)
}

// Restore implements provider.Keeper. It returns the present agenda of the texts that were read at a moment.
func (p *Provider) Restore(data []byte, at time.Time) (any, error) {
	var all []kept
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	if len(all) != len(p.sources) {
		return nil, errors.New("the calendars have changed")
	}
	for i, c := range p.sources {
		c.restore(&all[i], p.files)
	}
	p.bound()
	p.looked = at
	now := p.now().Round(0)
	from, to := window(now, p.zone)
	v, _ := p.expand(context.Background(), from, to).At(now)
	p.base = base{v, at, nil}
	return p.marked(v), nil
}

// restore restores the saved form of a calendar.
func (c *source) restore(k *kept, files fs.FS) {
	switch {
	case c.dav != nil:
		if k.DAV != nil {
			c.dav.Restore(*k.DAV)
		}
		c.texts = c.dav.Texts()
		c.located()
	case c.request != nil:
		c.etag, c.modified = k.ETag, k.Modified
		for _, t := range k.Texts {
			c.texts = append(c.texts, []byte(t))
		}
	default:
		c.texts, c.err = readFiles(files, c.path)
	}
}
