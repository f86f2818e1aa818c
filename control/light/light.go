// Package light reads a light sensor through the kernel and converts the light in the room to the brightness of a screen.
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

// Dir is the folder of the kernel's sensors. Documentation/ABI/testing/sysfs-bus-iio of the kernel describes its files.
const Dir = "/sys/bus/iio/devices"

const (
	// Interval is the time between two readings of a sensor.
	Interval = 3 * time.Second
	// `full` is the light at which the screen has full brightness, in lux. Rooms have this light by day.
	full = 400
	// growth is the time constant while the light increases, and decay is the time constant while the light decreases. decay is longer,
	// so that a person who walks past a lamp does not dim the screen.
	growth, decay = 10 * time.Second, time.Minute
	// `least` is the smallest change of the brightness that Step reports, as a share of the full brightness.
	least = 0.05
	// Own is the time for which measurements are ignored after the brightness of the screen has changed. The reason is that the sensor
	// also measures the light of the screen.
	Own = 3 * time.Second

	maxDevices   = 32
	maxAttribute = 64
)

var errNone = errors.New("no light sensor")

// A Sensor is a light sensor of the kernel.
type Sensor struct {
	dir    string
	value  string  // file with the light in lux, or with a number that scale converts
	scale  float64 // factor that converts the value to lux
	offset float64
}

// Find returns the first light sensor below the folder `dir`. `dir` is Dir except in tests.
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

// open() returns a sensor for one channel of a device, or nil if the channel does not exist.
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

// Lux returns the current light in lux. It waits until the sensor has measured, up to a second.
func (s *Sensor) Lux() (float64, error) {
	v, err := number(filepath.Join(s.dir, s.value))
	if err != nil {
		return 0, err
	}
	return finite(max(0, (v+s.offset)*s.scale), nil)
}

// finite() returns v, or an error if v is not a finite number.
func finite(v float64, err error) (float64, error) {
	if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
		err = strconv.ErrRange
	}
	return v, err
}

// number reads a number from a file of the kernel.
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

// Share converts light in lux to a brightness from 0 to 1. The scale is logarithmic, because equal ratios of light look like equal steps.
func Share(lux float64) float64 {
	return min(1, max(0, math.Log10(1+max(0, lux))/math.Log10(1+full)))
}

// A Follower smooths the brightness over time. It does not read a clock. The zero value is ready for the first measurement.
type Follower struct {
	seen   bool
	last   time.Time
	smooth float64
	told   float64
	deaf   time.Time // time until which Step ignores measurements
}

// Ignore makes Step ignore measurements for the time Own after `changed`, the time when the screen changed.
func (f *Follower) Ignore(changed time.Time) {
	if until := changed.Add(Own); until.After(f.deaf) {
		f.deaf = until
	}
}

// Step adds a measurement. It returns the brightness for the screen, from 0 to 1, and whether it has changed.
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
	if left := f.deaf.Sub(now); left > 0 && left <= Own { // more than Own is left if the clock was set back after a change of the screen
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
