// Package light reads a light sensor of the kernel and maps the light in the room to a brightness for a screen.
package light

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Dir is the folder of the kernel's sensors (Documentation/ABI/testing/sysfs-bus-iio).
const Dir = "/sys/bus/iio/devices"

const (
	// Interval is the time between two reads of a sensor.
	Interval = 3 * time.Second
	// full is the light for full brightness, in lux. A room has this light by day.
	full = 400
	// growth and decay are the times to follow more and less light. Less light takes longer, so that a person in front of a lamp
	// does not dim the screen.
	growth, decay = 10 * time.Second, time.Minute
	// least is the smallest change of the brightness that is applied, as a share.
	least = 0.05
	// Own is the time after a change of the screen during which the sensor is not read, because the screen also lights the room.
	Own = 3 * time.Second

	maxDevices   = 32
	maxAttribute = 64
)

var errNone = errors.New("no light sensor")

// A Sensor is a light sensor of the kernel.
type Sensor struct {
	dir    string
	value  string  // file with lux, or with a value to scale
	scale  float64 // factor to lux
	offset float64
}

// Find returns the first sensor in dir, which is Dir except in tests.
func Find(dir string) (*Sensor, error) {
	all, err := filepath.Glob(filepath.Join(dir, "iio:device*"))
	if err != nil {
		return nil, err
	}
	for _, at := range all[:min(len(all), maxDevices)] {
		for _, channel := range []string{"in_illuminance", "in_illuminance0", "in_intensity_both"} {
			if s := open(at, channel); s != nil {
				return s, nil
			}
		}
	}
	return nil, errNone
}

// open returns a channel of a device, or nil if it does not exist.
func open(dir, channel string) *Sensor {
	for _, s := range []*Sensor{{dir: dir, value: channel + "_input", scale: 1}, {dir: dir, value: channel + "_raw", scale: 1}} {
		if _, err := os.Stat(filepath.Join(dir, s.value)); err != nil {
			continue
		}
		if strings.HasSuffix(s.value, "_raw") {
			if v, err := number(filepath.Join(dir, channel+"_scale")); err == nil {
				s.scale = v
			}
			if v, err := number(filepath.Join(dir, channel+"_offset")); err == nil {
				s.offset = v
			}
		}
		return s
	}
	return nil
}

// Name returns the driver's name for the sensor.
func (s *Sensor) Name() string {
	b, err := os.ReadFile(filepath.Join(s.dir, "name"))
	if err != nil {
		return filepath.Base(s.dir)
	}
	return strings.TrimSpace(string(b[:min(len(b), maxAttribute)]))
}

// Lux returns the current light. It takes as long as the sensor measures, up to a second.
func (s *Sensor) Lux() (float64, error) {
	v, err := number(filepath.Join(s.dir, s.value))
	if err != nil {
		return 0, err
	}
	return finite(max(0, (v+s.offset)*s.scale), nil)
}

// finite returns an error for NaN and infinities.
func finite(v float64, err error) (float64, error) {
	if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
		err = strconv.ErrRange
	}
	return v, err
}

// number reads a file of the kernel.
func number(path string) (float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	buf := make([]byte, maxAttribute)
	n, err := f.Read(buf)
	if n == 0 {
		return 0, errors.Join(errors.New("nothing to read"), err)
	}
	return finite(strconv.ParseFloat(strings.TrimSpace(string(buf[:n])), 64))
}

// Share returns the brightness for a light, from 0 to 1. Equal steps of brightness look equal.
func Share(lux float64) float64 {
	return min(1, max(0, math.Log10(1+max(0, lux))/math.Log10(1+full)))
}

// A Follower follows the light slowly. It does not read a clock. The zero value has no measurement.
type Follower struct {
	seen   bool
	last   time.Time
	smooth float64
	told   float64
	deaf   time.Time // time until which measurements are ignored
}

// Ignore ignores the sensor for Own after a change of the screen.
func (f *Follower) Ignore(changed time.Time) {
	if until := changed.Add(Own); until.After(f.deaf) {
		f.deaf = until
	}
}

// Step adds a measurement. It returns the share for the screen, and whether it changed.
func (f *Follower) Step(now time.Time, lux float64) (share float64, changed bool) {
	to := Share(lux)
	if !f.seen {
		f.seen, f.last, f.smooth, f.told = true, now, to, to
		return to, true
	}
	passed := now.Sub(f.last)
	if passed <= 0 { // the clock was set back
		f.last, f.deaf = now, now
		return f.told, false
	}
	if now.Before(f.deaf) {
		return f.told, false
	}
	f.last = now
	tau := growth
	if to < f.smooth {
		tau = decay
	}
	f.smooth += (to - f.smooth) * (1 - math.Exp(-float64(passed)/float64(tau)))
	if math.Abs(f.smooth-f.told) < least && !(to == 0 && f.smooth < least/2 && f.told > 0) {
		return f.told, false
	}
	f.told, f.deaf = f.smooth, now.Add(Own)
	return f.told, true
}
