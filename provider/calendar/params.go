package calendar

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/provider/ask"
	"dashboard/provider/caldav"
	"dashboard/provider/ical"
	"dashboard/provider/query"
)

// Params are the keys of a provider of type calendar.
type Params struct {
	// The calendars.
	Calendars []Entry `yaml:"calendars" required:"true" minlen:"1" maxlen:"20"`
	// Time zone, such as Europe/Berlin, for days and for times without a zone. Default: the wall's.
	Timezone string `yaml:"timezone"`
	ask.Keys
	// Pause between two readings.
	UpdateInterval value.Duration `yaml:"update_interval" default:"15m" min:"30"`
	// Allows changing tasks at the wall, in calendars with 'caldav'.
	Write bool `yaml:"write" default:"false"`
}

// An Entry describes one calendar.
type Entry struct {
	// Name of the calendar.
	Name string `yaml:"name" required:"true" minlen:"1"`
	// Address of an .ics file: http, https or webcal (which is https). Exactly one of url, path, caldav and entity is
	// required.
	URL       string `yaml:"url"`
	URLSecret bool   `secret:"url"` // whether the address came from a secret
	// An .ics file, or a folder of them.
	Path string `yaml:"path"`
	// Address of a CalDAV server, or of one calendar on it.
	CalDAV    string `yaml:"caldav"`
	DAVSecret bool   `secret:"caldav"`
	// Calendar of Home Assistant, such as calendar.family. Requires 'homeassistant' in conf.yaml.
	Entity string `yaml:"entity"`
	// Credentials. Default: the provider's.
	Auth *query.Auth `yaml:"auth"`
	// Color. Default: the first color that the CalDAV server reports, else series1 to series6 in turn.
	Color string `yaml:"color"`
	// An icon such as mdi:school.
	Icon string `yaml:"icon"`
	// Kind of calendar.
	Kind string `yaml:"kind" default:"event" enum:"event,birthday,holiday,tasks"`
	// All events, or only busy ones.
	Show string `yaml:"show" default:"all" enum:"busy,all"`
	// Text instead of the title of private events.
	PrivateText string `yaml:"private_text"`
	// Time from the reminder to the event. 0: no reminder.
	Remind value.Duration `yaml:"remind" default:"0"`
}

// sources() returns the source of each calendar. An error begins with the name of the configuration key that causes it.
func (p *Params) sources(e Env) (all []*source, err error) {
	for i := range p.Calendars {
		entry := &p.Calendars[i]
		c := entry.source(i)
		switch {
		case entry.given() != 1:
			err = errors.New("needs one of url, path, caldav and entity")
		case entry.CalDAV != "":
			err = entry.onServer(c, p, e)
		case entry.Entity != "":
			err = entry.ofHome(c, &p.Keys, e)
		case entry.URL != "":
			c.request, err = entry.request(&p.Keys, e, "url", entry.URL)
		}
		if err != nil {
			return nil, entry.mistake(i, err)
		}
		all = append(all, c)
	}
	return all, nil
}

// mistake adds the path of the configuration key to an error of the calendar with the index i.
func (e *Entry) mistake(i int, err error) error {
	key, _, keyed := strings.Cut(err.Error(), ": ")
	switch {
	case key == "auth" && e.Auth == nil: // the entry has no auth, so the error is about the key auth of the provider
		return err
	case keyed:
		return fmt.Errorf("calendars[%d].%w", i, err)
	}
	return fmt.Errorf("calendars[%d]: %w", i, err)
}

// OfHome reports whether one of the calendars is an entity of Home Assistant.
func (p *Params) OfHome() bool {
	return slices.ContainsFunc(p.Calendars, func(e Entry) bool { return e.Entity != "" })
}

// given() returns how many of url, path, caldav and entity are set.
func (e *Entry) given() (n int) {
	for _, s := range []string{e.URL, e.Path, e.CalDAV, e.Entity} {
		if s != "" {
			n++
		}
	}
	return n
}

// seriesColors is the number of default colors.
const seriesColors = 6

func (e *Entry) source(i int) *source {
	c := &source{
		Calendar: Calendar{Name: e.Name, Color: e.Color, Icon: e.Icon, Kind: e.Kind},
		ownColor: e.Color != "", show: e.Show, privateText: e.PrivateText, remind: time.Duration(e.Remind), path: e.Path,
	}
	if c.Color == "" {
		c.Color = fmt.Sprintf("series%d", i%seriesColors+1)
	}
	return c
}

// request returns the request for a calendar with an address. `key` is the name of the key with the address.
func (e *Entry) request(keys *ask.Keys, env Env, key, url string) (*fetch.Request, error) {
	if rest, ok := cutPrefixFold(url, "webcal://"); ok {
		url = "https://" + rest
	}
	mine := *keys
	if e.Auth != nil {
		mine.Auth = e.Auth
	}
	if strings.HasPrefix(url, "file://") {
		return nil, errors.New(key + ": use path for a file of this machine")
	}
	asking := env.Asking
	asking.Client, asking.Files = env.Client, env.Files
	r, err := mine.Request(asking, url)
	if rest, ok := strings.CutPrefix(fmt.Sprint(err), "url: "); err != nil && ok {
		err = fmt.Errorf("%s: %s", key, rest)
	}
	if err != nil {
		return nil, err
	}
	r.Secret, r.MaxBytes = e.URLSecret || e.DAVSecret, ical.MaxBytes
	return &r, nil
}

// onServer sets up a source that reads from a CalDAV server. If p.Write is true, the source also sends changes of tasks to the server.
func (e *Entry) onServer(c *source, p *Params, env Env) error {
	r, err := e.request(&p.Keys, env, "caldav", e.CalDAV)
	if err != nil {
		return err
	}
	c.dav = caldav.New(env.Client, *r, e.Kind == "tasks")
	if !p.Write {
		return nil
	}
	c.writer, c.zone = caldav.NewWriter(env.Client, *r), env.Zone
	c.queue, err = env.Queues.Queue(fmt.Sprintf("caldav %q %q", r.URL, r.Auth.Username))
	return err
}

// ofHome sets up a source that reads from Home Assistant.
func (e *Entry) ofHome(c *source, keys *ask.Keys, env Env) error {
	if env.Home == nil {
		return errors.New("entity: write the address and the token of Home Assistant under 'homeassistant' in conf.yaml")
	}
	if _, err := env.Home.Calendar(e.Entity, time.Time{}, time.Time{}); err != nil {
		return fmt.Errorf("entity: %w", err)
	}
	c.home, c.entity, c.timeout = env.Home, e.Entity, time.Duration(keys.Timeout)
	return nil
}

// cutPrefixFold is like strings.CutPrefix, but it ignores case.
func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
