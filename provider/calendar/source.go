package calendar

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"dashboard/config/value"
	"dashboard/internal/fetch"
	"dashboard/internal/folder"
	"dashboard/provider/ical"
	"dashboard/provider/query"
)

// Params are the keys of a provider of type calendar.
type Params struct {
	Calendars      []Entry        `yaml:"calendars" required:"true" minlen:"1" maxlen:"20" doc:"The calendars."`
	Timezone       string         `yaml:"timezone" doc:"Zone of times that name none, and of days, such as Europe/Berlin, instead of the wall's."`
	UpdateInterval value.Duration `yaml:"update_interval" default:"15m" min:"30" doc:"Pause between looks at the calendars."`
	Jitter         value.Duration `yaml:"jitter" default:"30s" doc:"Up to this much is added to each pause at random."`
	Timeout        value.Duration `yaml:"timeout" default:"30s" min:"1" max:"600" doc:"Longest time for one calendar."`
}

// An Entry is one calendar of a provider's.
type Entry struct {
	Name        string         `yaml:"name" required:"true" doc:"What it is called."`
	URL         string         `yaml:"url" doc:"Address of an .ics file: http, https or webcal, which is https. One of url, path and caldav."`
	Path        string         `yaml:"path" doc:"An .ics file, or a folder of them."`
	CalDAV      string         `yaml:"caldav" doc:"Address of a CalDAV server, or of one calendar on it."`
	Auth        *query.Auth    `yaml:"auth" doc:"Who asks."`
	Color       string         `yaml:"color" doc:"Its color; without one series1 to series6 in turn."`
	Icon        string         `yaml:"icon" doc:"An icon such as mdi:school."`
	Kind        string         `yaml:"kind" default:"event" enum:"event,birthday,holiday,tasks" doc:"What is in it."`
	Show        string         `yaml:"show" default:"all" enum:"busy,all" doc:"All events, or only those that take up time."`
	PrivateText string         `yaml:"private_text" doc:"Shown in place of the title of private events."`
	Remind      value.Duration `yaml:"remind" default:"0" doc:"So long before an event its reminder is due; 0 is none."`
}

const (
	showBusy = "busy"
	// maxFiles bounds the files of a folder.
	maxFiles = 1000
	// maxMemory bounds the text of all calendars of a provider together, bytes.
	maxMemory = 32 << 20
	// seriesColors is how many colors calendars without one take turns with.
	seriesColors = 6
)

// A source is one calendar and what was last read of it.
type source struct {
	Calendar
	show, privateText string
	remind            time.Duration
	request           *fetch.Request // nil for files
	path              string

	data           []byte // last good text; nil if there was none
	etag, modified string
	err            error // of the latest look
}

// newSource checks an entry. The error begins with the key it is about.
func newSource(e *Entry, i int, timeout time.Duration) (*source, error) {
	c := &source{
		Calendar: Calendar{Name: e.Name, Color: e.Color, Icon: e.Icon, Kind: e.Kind},
		show:     e.Show, privateText: e.PrivateText, remind: time.Duration(e.Remind), path: e.Path,
	}
	if c.Color == "" {
		c.Color = fmt.Sprintf("series%d", i%seriesColors+1)
	}
	given := 0
	for _, s := range []string{e.URL, e.Path, e.CalDAV} {
		if s != "" {
			given++
		}
	}
	if given != 1 {
		return nil, fmt.Errorf("calendars: '%s' needs one of url, path and caldav", e.Name)
	}
	if e.CalDAV != "" {
		return nil, fmt.Errorf("calendars: '%s': caldav cannot be had yet; most servers give a calendar out as an .ics address too, for url", e.Name)
	}
	if e.URL == "" {
		return c, nil
	}
	url := e.URL
	if rest, ok := strings.CutPrefix(url, "webcal://"); ok {
		url = "https://" + rest
	}
	if err := fetch.CheckURL(url); err != nil {
		return nil, fmt.Errorf("calendars: '%s': url: %w", e.Name, err)
	}
	who, err := e.Auth.Who()
	if err != nil {
		return nil, fmt.Errorf("calendars: '%s': auth: %w", e.Name, err)
	}
	c.request = &fetch.Request{URL: url, Auth: who, Timeout: timeout, MaxBytes: ical.MaxBytes, Patient: true}
	return c, nil
}

// look reads the calendar again. What cannot be read leaves what was read before.
func (c *source) look(ctx context.Context, client *fetch.Client, files fs.FS) {
	data, err := c.read(ctx, client, files)
	if c.err = err; err == nil {
		c.data = data
	}
}

func (c *source) read(ctx context.Context, client *fetch.Client, files fs.FS) ([]byte, error) {
	if c.request == nil {
		return readFiles(files, c.path)
	}
	req := *c.request
	if c.data != nil {
		req.ETag, req.LastModified = c.etag, c.modified
	}
	resp, err := client.Do(ctx, &req)
	if err != nil {
		return nil, err
	}
	resp.Release()
	if resp.NotModified() && c.data != nil {
		return c.data, nil
	}
	if err := resp.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", fetch.Redact(req.URL), err)
	}
	if err := c.sound(resp.Body); err != nil {
		return nil, fmt.Errorf("%s: %w", fetch.Redact(req.URL), err)
	}
	c.etag, c.modified = resp.ETag, resp.LastModified
	return resp.Body, nil
}

var errHalf = errors.New("the answer ends before END:VCALENDAR")

// sound refuses what is no calendar, and half a one where there is a whole one of before.
func (c *source) sound(data []byte) error {
	if !bytes.Contains(data, []byte("BEGIN:V")) {
		return errors.New("the answer is no calendar: there is no BEGIN:VCALENDAR in it")
	}
	if c.data != nil && bytes.Contains(data, []byte("BEGIN:VCALENDAR")) && !bytes.Contains(data, []byte("END:VCALENDAR")) {
		return errHalf
	}
	return nil
}

// readFiles reads a file, or all .ics files of a folder one after the other.
func readFiles(files fs.FS, name string) ([]byte, error) {
	data, err := folder.Read(files, name, ical.MaxBytes)
	if err == nil {
		return data, nil
	}
	entries, dirErr := readDir(files, name)
	if dirErr != nil {
		return nil, fmt.Errorf("%s: %w", name, folder.Reason(err))
	}
	var all []byte
	for _, e := range entries[:min(len(entries), maxFiles)] {
		if e.IsDir() || !strings.EqualFold(path.Ext(e.Name()), ".ics") {
			continue
		}
		data, err := folder.Read(files, path.Join(name, e.Name()), int64(ical.MaxBytes-len(all)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path.Join(name, e.Name()), folder.Reason(err))
		}
		all = append(append(all, data...), '\n')
	}
	return all, nil
}
