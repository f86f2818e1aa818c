package wall

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"time"

	"dashboard/internal/folder"
	"dashboard/internal/state"
	"dashboard/output/trmnl"
	"dashboard/render"
	"dashboard/server"
	"dashboard/wall/fact"
	"dashboard/wall/outputs"
)

const (
	// readersFolder and readersFile are the path of a file in the state folder. The file contains the key of the e-readers' tokens and
	// the names of the e-readers' pictures.
	readersFolder, readersFile = "readers", "readers.json"
	// maxReadersFile is the maximum size of readersFile, in bytes. A device takes about 100 bytes.
	maxReadersFile = 64 << 10
	// paintTime is the maximum time for painting the frame that an e-reader requests.
	paintTime = 10 * time.Second
)

// keepReaders loads the tokens and pictures of e-readers from the store. From then on `to` saves each change.
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

// errNoView means that the view of a device was removed.
var errNoView = errors.New("there is no such view")

// paintReader returns the current frame of a view, even if the view has no other viewers. `next` is the time of the view's next known
// change.
func (s *Service) paintReader(ctx context.Context, name string) (shot trmnl.Shot, next time.Time, err error) {
	v := s.all()[name]
	if v == nil {
		return shot, next, errNoView
	}
	ctx, cancel := context.WithTimeout(ctx, paintTime)
	defer cancel()
	v.Asked.Store(int64(time.Since(v.Started)))
	if err := v.Loop.Do(ctx, func(*render.Renderer) {}); err != nil { // the next pass paints the frame that the second call reads
		return shot, next, err
	}
	var due time.Time
	err = v.Loop.Do(ctx, func(r *render.Renderer) {
		shot.Frame, shot.Regions = outputs.Still(r, v.Shown.Load().Graphics.Flip)
		due = r.Due()
	})
	return shot, v.NextKnown(time.Now(), due), err
}

// readerHealth returns the report about e-readers.
func (s *Service) readerHealth(now time.Time) map[string]any {
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

// readerCount returns the public part of the report about e-readers. It contains the number of configured e-readers, of e-readers that have
// connected, and of unknown devices.
func (s *Service) readerCount() map[string]any {
	all, strangers := s.readers.Status()
	seen := 0
	for _, d := range all {
		if !d.Seen.IsZero() {
			seen++
		}
	}
	return map[string]any{"devices": len(all), "seen": seen, "unknown": len(strangers)}
}

// readerMeasures calls `yield` with the metrics of e-readers.
func (s *Service) readerMeasures(yield func(string, float64) bool) bool {
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
