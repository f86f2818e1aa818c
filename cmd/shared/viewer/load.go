package viewer

import (
	"errors"
	"image"
	"log/slog"
	"time"

	"dashboard/client"
	"dashboard/config"
	"dashboard/fb"
	"dashboard/output/window"
	"dashboard/wall/daemon"
)

// settings contains the checked content of client.yaml, in the form that the other parts of the program need.
type settings struct {
	level  slog.Level
	output config.WindowOutput // output whose window shows the frames
	window fb.Options
	client client.Options
	name   string // name of the service to search for, or "" for any service
	power  config.ClientDisplay
}

// nowhereURL is the URL in settings with which no request is sent.
const nowhereURL = "http://localhost"

// seeks() reports whether the program must search the network for the service.
func (s *settings) seeks() bool { return s.client.URL == "" && s.client.Problem == "" }

// at() returns the settings for a result of the search: a wall, or a text to show.
func (s *settings) at(w sighting) *settings {
	next := *s
	o := &next.client
	o.URL, o.Notice = w.url, w.notice
	if w.notice != nil {
		o.URL = nowhereURL
		return &next
	}
	o.Token, o.Paired = w.token, w.paired
	if o.View == "" {
		o.View = w.view
	}
	return &next
}

// load reads client.yaml. If the file has errors, the returned settings are nil.
func load(o *options) (*settings, *config.Report) {
	r := &config.Report{}
	if err := daemon.Folder(o.home, o.home); err != nil { // the folder may have been removed
		r.Add(config.Diagnostic{File: o.home, Severity: config.Error, Message: errors.Unwrap(err).Error()})
		return nil, r
	}
	root := o.files()
	c, ok := config.LoadClient(root, o.config, r, daemon.Secrets(root))
	if !ok {
		return nil, r
	}
	if o.LogLevel != "" {
		c.Logging.Level = o.LogLevel
	}
	if c.Window.Device != "" {
		c.Window.Device = root.Path(c.Window.Device)
	}
	s := &settings{level: daemon.Level(c.Logging.Level), output: *c.Window, client: clientOptions(c, o.version), name: c.Server.Name, power: c.Display}
	var err error
	if s.window, err = window.Options(c.Window, s.client.Size); err != nil {
		r.Errorf(c.OutputList.Items()[0], "%v", err)
	}
	checked := s.client
	if checked.URL == "" {
		checked.URL = nowhereURL
	}
	if err := checked.Validate(); err != nil {
		r.Add(config.Diagnostic{File: o.config, Message: err.Error()})
	}
	if r.Failed() {
		return nil, r
	}
	return s, r
}

// clientOptions returns the options for package client from the settings in client.yaml. `version` is the version of the program.
func clientOptions(c *config.Client, version string) client.Options {
	corner, _ := client.ParseCorner(c.Indicator.Corner) // cannot fail, because the value was checked before
	o := client.Options{
		URL: c.Server.URL, View: c.Server.View, Token: c.Server.Token, Version: version,
		Size:           image.Pt(c.Graphics.Resolution.Width, c.Graphics.Resolution.Height),
		ReconnectDelay: seconds(c.Server.ReconnectDelay), StaleAfter: seconds(c.Server.StaleAfter),
		Corner: corner, Latency: c.Logging.Level == "debug",
	}
	if c.Offline.Enabled {
		o.Offline = &client.Offline{Message: c.Offline.Message, ClockFormat: c.Offline.ClockFormat, Dim: c.Offline.Dim}
	}
	return o
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
