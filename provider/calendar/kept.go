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

// The type kept is the form in which one calendar is stored for the next start. It has the texts and not the events, because the events
// depend on the day.
type kept struct {
	Texts          []string
	ETag, Modified string
	DAV            *caldav.State `json:",omitempty"`
}

var errUnread = errors.New("the calendars have not been read")

// A snapshot is one calendar after a reading. It is immutable, because Kept may run while the next reading is in progress.
type snapshot struct {
	texts          [][]byte // texts of a calendar that is read from an address
	etag, modified string
	dav            func() caldav.State // returns the state of a CalDAV server; nil for other calendars
}

// remember stores snapshots of all calendars for Kept.
func (p *Provider) remember() {
	all := make([]snapshot, len(p.sources))
	for i, c := range p.sources {
		if c.dav != nil {
			all[i].dav = c.dav.Snapshot()
		}
		if c.request != nil {
			all[i].texts, all[i].etag, all[i].modified = c.texts, c.etag, c.modified
		}
	}
	p.kept.Store(&all)
}

// Kept implements provider.Keeper. It omits calendars in files of this machine, because these files can be read again. It also omits
// calendars of Home Assistant.
func (p *Provider) Kept(any) ([]byte, error) {
	read := p.kept.Load()
	if read == nil {
		return nil, errUnread
	}
	all := make([]kept, len(*read))
	for i, c := range *read {
		if c.dav != nil {
			state := c.dav()
			all[i].DAV = &state
		}
		all[i].ETag, all[i].Modified = c.etag, c.modified
		for _, t := range c.texts {
			all[i].Texts = append(all[i].Texts, string(t))
		}
	}
	return json.Marshal(all)
}

// Restore implements provider.Keeper. It returns the present agenda, made from the stored texts. `at` is the time at which the texts were
// read.
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
	p.remember()
	p.looked = at
	now := p.now().Round(0)
	from, to := window(now, p.zone)
	v, _ := p.expand(context.Background(), from, to).At(now)
	p.base = base{v, at, nil}
	return p.marked(v), nil
}

// restore restores a calendar from its stored form.
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
	case c.home != nil: // the texts are not stored, and there is no file to read
	default:
		c.texts, c.err = readFiles(files, c.path)
	}
}
