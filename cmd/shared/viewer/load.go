package viewer

import (
	"errors"
	"image"
	"log/slog"
	"time"

	"dashboard/client"
	"dashboard/config"
	"dashboard/fb"
	"dashboard/wall/daemon"
	"dashboard/wall/window"
)

// settings is the content of client.yaml after the check, in the form that the other parts need.
type settings struct {
	level  slog.Level
	output config.WindowOutput // window that shows the frames
	window fb.Options
	client client.Options
	name   string // name of the service, or "" if there is only one
	power  config.ClientDisplay
}

// nowhereURL is a URL for settings that never send a request.
const nowhereURL = "http://localhost"

// seeks reports whether the program has to search for the service.
func (s *settings) seeks() bool { return s.client.URL == "" && s.client.Problem == "" }

// at returns the settings for a wall that the search has found.
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

// load reads client.yaml. If the file has errors, it returns no settings.
func load(o *options) (*settings, *config.Report) {
	r := &config.Report{}
	if err := daemon.Folder(o.home, o.home); err != nil { // the folder may be missing
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

// clientOptions returns the options of the client that the file sets. version is the version of the program.
func clientOptions(c *config.Client, version string) client.Options {
	corner, _ := client.ParseCorner(c.Indicator.Corner) // the corner was checked before
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
