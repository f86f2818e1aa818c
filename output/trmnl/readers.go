// Package trmnl shows walls on e-readers with TRMNL's protocol: a device wakes up, requests address and name of its picture,
// fetches the picture if the name is new, and sleeps for the given time.
package trmnl

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"dashboard/internal/loglimit"
)

const (
	// MaxDevices limits the devices.
	MaxDevices = 32
	// maxStrangers limits the unknown devices that are remembered.
	maxStrangers = 8
	// maxKept limits the stored picture files of all devices, in bytes. The oldest are dropped first.
	maxKept = 16 << 20
	// keptEach is the number of stored pictures for each device: the newest one, and the previous one, which it may be fetching.
	keptEach = 2
	// maxDrawn limits parallel drawing, because a picture takes the memory of some frames.
	maxDrawn = 1
	// MinRefresh is the shortest sleep of a device.
	MinRefresh = 30 * time.Second
	// settles is the delay between a known change and the wake-up of a device, so that the picture is ready.
	settles = 2 * time.Second
	// MaxLines and maxLine limit the logged lines of a report.
	MaxLines, maxLine = 8, 256
)

// Errors of requests. Their texts are for the caller.
var (
	ErrUnknown = errors.New("unknown device: add its address to devices of the trmnl output")
	ErrFull    = fmt.Errorf("%d devices are known, which is the limit", MaxDevices)
	ErrNoID    = errors.New("the header ID must be a MAC address such as AA:BB:CC:DD:EE:FF")
	ErrToken   = errors.New("no device has this access token")
	ErrWritten = errors.New("this device has a token in conf.yaml; enter it on the device")
	ErrWaits   = errors.New("this device waits to be allowed on the wall's page")
	ErrAsks    = errors.New("no such device waits")
	ErrListed  = errors.New("this device is listed in conf.yaml; remove it there")
)

// A Device is a device that shows a wall.
type Device struct {
	Name    string // its address in the form of Address, or any other name if it has a token
	View    string
	Model   string // name of one of Models. "" means that the device's headers apply
	Refresh time.Duration
	Token   string // "" if the device gets its token at setup
	Profile string // temperature profile: default, a, b or c ("" means default)
	Full    bool   // each picture is a full refresh, for panels that show ghosts or stripes
	// Asleep returns the end of a device's sleep, or the zero time. It may be nil.
	Asleep func(now time.Time) time.Time
}

// Settings are the settings that a reload may change.
type Settings struct {
	On      bool
	Devices []Device
	Guest   *Device // settings of allowed devices that are not listed, without a name (nil allows none)
}

// Kept is the state for the next start.
type Kept struct {
	Key   []byte           `json:"key"` // key for the tokens of devices
	Shown map[string]Shown `json:"shown"`
	// Allowed are the addresses of allowed devices that are not listed, at most MaxDevices.
	Allowed []string `json:"allowed,omitempty"`
}

// Shown is the last picture of a device.
type Shown struct {
	Sum  []byte `json:"sum"`  // checksum of its pixels
	Time int64  `json:"time"` // time in its name
}

// Parts are the functions that Readers need.
type Parts struct {
	// Paint returns the newest frame of a view and the time of its next known change, or zero.
	Paint func(ctx context.Context, view string) (Shot, time.Time, error)
	Log   *slog.Logger
}

// Readers are the devices and their pictures. Its methods may be called from any goroutine.
type Readers struct {
	parts   Parts
	drawing chan struct{}   // held while a picture is made, which takes the memory of some frames
	lines   *loglimit.Limit // limit of log lines about all devices together

	mu        sync.Mutex // guards the following fields
	settings  Settings
	kept      Kept
	keep      func(Kept) error
	guests    []Device // allowed devices that are not listed
	status    map[string]*Status
	strangers []string
	pictures  []Picture // the oldest first
}

// A Picture is a file for a device.
type Picture struct {
	Name   string // without ending
	Secret string // secret in its address
	Type   string // media type
	File   []byte
	device string
}

// New returns readers that show and store nothing until they are configured.
func New(p Parts) *Readers {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // Read never fails
	return &Readers{
		parts: p, lines: loglimit.New(), drawing: make(chan struct{}, maxDrawn), status: map[string]*Status{},
		kept: Kept{Key: key, Shown: map[string]Shown{}}, keep: func(Kept) error { return nil },
	}
}

// Keep restores the state of an earlier run and calls keep with each new state.
func (r *Readers) Keep(before Kept, keep func(Kept) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keep = keep
	if len(before.Key) == len(r.kept.Key) {
		r.kept.Key = before.Key
	}
	for name, s := range before.Shown {
		if len(r.kept.Shown) < MaxDevices && len(s.Sum) == sha256.Size {
			r.kept.Shown[name] = s
		}
	}
	for _, id := range before.Allowed[:min(len(before.Allowed), MaxDevices)] {
		if _, ok := Address(id); ok {
			r.kept.Allowed = append(r.kept.Allowed, id)
		}
	}
	r.invite()
	return keep(r.kept)
}

// Configure sets the settings, at the start and at every reload.
func (r *Readers) Configure(s Settings) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.settings = s
	r.invite()
}

// On reports whether there is an output of this kind.
func (r *Readers) On() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.settings.On
}

func named(all []Device, name string) *Device {
	if i := slices.IndexFunc(all, func(d Device) bool { return d.Name == name }); i >= 0 {
		return &all[i]
	}
	return nil
}

// A Turn is the answer to a device.
type Turn struct {
	Picture Picture
	Refresh int    // seconds until the next request
	Profile string // temperature profile
	Full    bool   // the device makes a full refresh
}

// Show paints the view of a device. It returns the picture and the time to sleep.
func (r *Readers) Show(ctx context.Context, said Said, now time.Time) (Turn, error) {
	d, err := r.Known(said)
	if err != nil {
		return Turn{}, err
	}
	select {
	case r.drawing <- struct{}{}:
		defer func() { <-r.drawing }()
	case <-ctx.Done():
		return Turn{}, ctx.Err()
	}
	shot, next, err := r.parts.Paint(ctx, d.View)
	if err != nil {
		return Turn{}, err
	}
	m := modelOf(d.Model, said, limited(shot.Frame.Rect.Size()))
	pic, file, err := draws(&shot, m)
	if err != nil {
		return Turn{}, err
	}
	t := Turn{Refresh: refresh(d, now, next), Picture: r.name(d.Name, pic, file, m.BMP, now), Profile: cmp.Or(d.Profile, "default"), Full: d.Full}
	r.note(d, said, m, t, now)
	return t, nil
}

// limited returns a size within the limits, with the same proportions.
func limited(size image.Point) image.Point {
	if max(size.X, size.Y) <= MaxSide {
		return size
	}
	return inside(size, image.Pt(MaxSide, MaxSide)).Size()
}

// refresh returns the sleep of a device in seconds: until the end of its quiet time, until a known change, or the configured time.
func refresh(d Device, now, next time.Time) int {
	if d.Asleep != nil {
		if until := d.Asleep(now); until.After(now) {
			return int(math.Ceil(until.Sub(now).Seconds())) + 1
		}
	}
	wait := max(d.Refresh, MinRefresh)
	if next.After(now) {
		wait = min(wait, max(MinRefresh, next.Sub(now)+settles))
	}
	return int(math.Ceil(wait.Seconds()))
}

// note records the headers and the answer.
func (r *Readers) note(d Device, said Said, m Model, t Turn, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	line := ""
	if was := r.status[d.Name]; was != nil {
		line = was.Said
	}
	r.status[d.Name] = &Status{
		Name: d.Name, View: d.View, Model: m.Name, Firmware: said.Firmware, Seen: now, Volts: said.Volts, Percent: said.Percent,
		Charging: said.Charging, Signal: said.Signal, Refresh: t.Refresh, Picture: t.Picture.Name, Said: line,
	}
}

// Hear logs lines of a device's own log, without its token.
func (r *Readers) Hear(d Device, lines []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, line := range lines[:min(len(lines), MaxLines)] {
		for _, token := range []string{d.Token, r.tokenOf(d.Name)} {
			if token != "" {
				line = strings.ReplaceAll(line, token, "…")
			}
		}
		line = strings.ToValidUTF8(line[:min(len(line), maxLine)], "")
		r.tell("report of an e-reader", "device", d.Name, "line", line)
		if s := r.status[d.Name]; s != nil {
			s.Said = line
		}
	}
}

// tell logs an event, but limits the number of lines, because devices can cause any number of events.
func (r *Readers) tell(says string, fields ...any) {
	if fields, ok := r.lines.Next(time.Now(), fields...); ok {
		r.parts.Log.Info(says, fields...)
	}
}

// Status returns the devices, listed ones first, and the addresses of unknown devices.
func (r *Readers) Status() (all []Status, strangers []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	nan := math.NaN()
	for i, d := range slices.Concat(r.settings.Devices, r.guests) {
		one := Status{Name: d.Name, View: d.View, Model: d.Model, Volts: nan, Percent: nan, Signal: nan}
		if s := r.status[d.Name]; s != nil {
			one = *s
		}
		one.Friendly, one.Public, one.Guest = Friendly(d.Name), r.publicName(d.Name), i >= len(r.settings.Devices)
		all = append(all, one)
	}
	return all, slices.Clone(r.strangers)
}
