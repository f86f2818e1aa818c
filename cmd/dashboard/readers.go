package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"time"

	"dashboard/config"
	"dashboard/config/value"
	"dashboard/control/page"
	"dashboard/internal/folder"
	"dashboard/internal/state"
	"dashboard/output/trmnl"
	"dashboard/render"
	"dashboard/server"
	"dashboard/wall/fact"
	"dashboard/wall/outputs"
)

const (
	// readersFolder and readersFile are where the state folder has the key of readers' tokens and the names of their pictures.
	readersFolder, readersFile = "readers", "readers.json"
	// maxReadersFile bounds it, bytes: each device takes some 100.
	maxReadersFile = 64 << 10
	// paintTime bounds how long a reader waits for the frame of its view.
	paintTime = 10 * time.Second
)

// keepReaders takes up the tokens and pictures of e-readers from before, and keeps them from now on.
func keepReaders(to *trmnl.Readers, store *state.Store) error {
	if store == nil {
		return nil
	}
	dir, err := store.Folder(readersFolder)
	if err != nil {
		return err
	}
	var before trmnl.Kept
	if data, err := folder.Read(folder.Dir(dir), readersFile, maxReadersFile); err == nil && json.Unmarshal(data, &before) != nil {
		before = trmnl.Kept{}
	}
	return to.Keep(before, func(k trmnl.Kept) error {
		data, err := json.Marshal(k)
		if err != nil {
			return err
		}
		return state.Replace(filepath.Join(dir, readersFile), data)
	})
}

// checkReaders reports windows of sleep that are none.
func checkReaders(c *config.Conf, r *config.Report) {
	t := c.Readers()
	if t == nil {
		return
	}
	check := func(n *config.Node) {
		if _, err := sleepOf(n); err != nil {
			r.Errorf(n, "%v", err)
		}
	}
	check(t.Sleep)
	for _, d := range t.Devices {
		if d != nil {
			check(d.Sleep)
		}
	}
}

// sleepOf is a window that is written; nil for none.
func sleepOf(n *config.Node) (*value.Window, error) {
	if n == nil || n.Broken() || n.Kind() == config.Null {
		return nil, nil
	}
	w := &value.Window{}
	return w, w.SetNode(n, nil)
}

// readers are the settings of e-readers.
func (g *generation) readers() trmnl.Settings {
	t := g.conf.Readers()
	if t == nil {
		return trmnl.Settings{}
	}
	s := trmnl.Settings{On: true}
	for key, d := range t.Devices {
		one := g.reader(t, d)
		one.Name = key
		if address, ok := t.Address(key); ok {
			one.Name = address
		}
		s.Devices = append(s.Devices, one)
	}
	if t.AutoRegister {
		guest := g.reader(t, nil)
		s.Guest = &guest
	}
	return s
}

// reader is a device as it is written, nil for one of which nothing is.
func (g *generation) reader(t *config.TRMNLOutput, d *config.Reader) trmnl.Device {
	if d == nil {
		d = &config.Reader{}
	}
	one := trmnl.Device{View: cmp.Or(d.View, config.MainView), Model: d.Model, Token: d.Token, Refresh: time.Duration(t.Refresh), Profile: d.Profile, Full: d.Full}
	if d.Refresh != nil {
		one.Refresh = time.Duration(*d.Refresh)
	}
	window, err := sleepOf(cmp.Or(d.Sleep, t.Sleep))
	if sc := g.scenes[one.View]; err == nil && window != nil && sc != nil {
		one.Asleep = asleep(*window, sc.region)
	}
	return one
}

// asleep is until when a window holds a device asleep, zero outside of it.
func asleep(w value.Window, at region) func(time.Time) time.Time {
	return func(now time.Time) time.Time {
		now = now.In(at.zone)
		in, yesterday := w.Holds(now, at.sun())
		if !in {
			return time.Time{}
		}
		y, m, d := now.Date()
		if yesterday {
			d--
		}
		_, to, _ := w.On(time.Date(y, m, d, 12, 0, 0, 0, at.zone), at.sun())
		return to
	}
}

// errNoView says that a device's view has just gone.
var errNoView = errors.New("there is no such view")

// paintReader is the frame of now of a view, whether anybody else looks at it or not, and when it is known to change.
func (s *service) paintReader(ctx context.Context, name string) (shot trmnl.Shot, next time.Time, err error) {
	v := s.all()[name]
	if v == nil {
		return shot, next, errNoView
	}
	ctx, cancel := context.WithTimeout(ctx, paintTime)
	defer cancel()
	v.asked.Store(int64(time.Since(v.started)))
	if err := v.loop.Do(ctx, func(*render.Renderer) {}); err != nil { // a pass follows
		return shot, next, err
	}
	var due time.Time
	err = v.loop.Do(ctx, func(r *render.Renderer) {
		shot.Frame, shot.Regions = outputs.Still(r, v.shown.Load().graphics.Flip)
		due = r.Due()
	})
	return shot, v.nextKnown(time.Now(), due), err
}

// nextKnown is when a page's rule, the theme or what the widgets say is due is known to change the view, zero for not. Pages that
// merely take turns do not count: a reader that followed them would not sleep.
func (v *view) nextKnown(now, due time.Time) (next time.Time) {
	sooner := func(t time.Time) {
		if t.After(now) && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	sooner(due)
	for _, p := range v.pages.List(now) {
		if p.Why != page.Turn && p.Why != page.Only {
			sooner(p.Until)
		}
	}
	if !v.shown.Load().single() {
		st := v.themes.holder.At(v.themes.now())
		if sooner(st.HeldUntil); st.FollowingSun {
			sooner(st.NextChange)
		}
	}
	return next
}

// readerHealth tells of e-readers.
func (s *service) readerHealth(now time.Time) map[string]any {
	all, strangers := s.readers.Status()
	devices := []any{}
	for _, d := range all {
		devices = append(devices, map[string]any{
			"name": d.Name, "view": d.View, "model": d.Model, "firmware": d.Firmware, "seconds_since_seen": fact.Age(now, d.Seen),
			"battery_volts": fact.Known(d.Volts), "battery_percent": fact.Known(d.Percent), "charging": d.Charging, "signal_dbm": fact.Known(d.Signal),
			"refresh": d.Refresh, "picture": d.Picture, "said": d.Said, "metric": d.Public,
		})
	}
	return map[string]any{"devices": devices, "unknown": append([]string{}, strangers...)}
}

// readerCount is how many e-readers there are, have ever asked, and asked and are not listed: what is for everybody.
func (s *service) readerCount() map[string]any {
	all, strangers := s.readers.Status()
	seen := 0
	for _, d := range all {
		if !d.Seen.IsZero() {
			seen++
		}
	}
	return map[string]any{"devices": len(all), "seen": seen, "unknown": len(strangers)}
}

// readerMeasures are the metrics of e-readers.
func (s *service) readerMeasures(yield func(string, float64) bool) bool {
	all, _ := s.readers.Status()
	now := time.Now()
	for _, d := range all {
		if d.Seen.IsZero() {
			continue
		}
		for _, m := range []struct {
			name  string
			value float64
		}{
			{"battery_volts", d.Volts}, {"battery_percent", d.Percent}, {"signal_dbm", d.Signal}, {"charging", fact.Truth(d.Charging)},
			{"seen_seconds", now.Sub(d.Seen).Seconds()}, {"refresh_seconds", float64(d.Refresh)},
		} {
			if !math.IsNaN(m.value) && !yield(server.MetricName("dashboard_reader_"+m.name, "device", d.Public), m.value) {
				return false
			}
		}
	}
	return true
}
