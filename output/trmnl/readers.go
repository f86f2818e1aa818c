// Package trmnl shows walls on e-readers with the protocol of TRMNL. A device wakes up and asks for
// the address and the name of its picture. If the device does not have a picture with this name
// yet, it fetches the picture. Then it sleeps for the time that the answer contains.
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
	// MaxDevices bounds the number of devices.
	MaxDevices = 32
	// maxStrangers bounds the number of unknown devices that are remembered.
	maxStrangers = 8
	// maxKept bounds the bytes of the stored pictures of all devices. The oldest pictures are dropped first.
	maxKept = 16 << 20
	// keptEach is the number of pictures that are stored for each device: the newest picture, and
	// the previous picture, which the device may still fetch.
	keptEach = 2
	// maxDrawn bounds the number of pictures that are drawn at the same time, because drawing a picture takes the memory of some frames.
	maxDrawn = 1
	// MinRefresh is the minimum time that a device sleeps.
	MinRefresh = 30 * time.Second
	// `settles` is the time between a change that is known in advance and the device's next request. By then, the new picture is ready.
	settles = 2 * time.Second
	// MaxLines bounds the lines of a report that are logged, and maxLine bounds the bytes of each line.
	MaxLines, maxLine = 8, 256
)

// Errors that devices' requests can cause.
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

// A Device is an e-reader that shows a wall.
type Device struct {
	Name    string // the device's address, as Address returns it. If Token is set, any name
	View    string
	Model   string // name of one of Models. "" means the model in the device's headers
	Refresh time.Duration
	Token   string // "" if Setup gives the device its token
	Profile string // temperature profile: default, a, b or c. "" means default
	Full    bool   // refresh the whole panel for every picture, for a panel that would otherwise show ghosts or stripes
	// Asleep returns the end of the current quiet time, until which the device should sleep. Outside quiet times, it returns the zero time.
	// If Asleep is nil, there are no quiet times.
	Asleep func(now time.Time) time.Time
}

// Settings are the settings that can change with a reload.
type Settings struct {
	On      bool
	Devices []Device
	Guest   *Device // settings for permitted devices that are not in Devices. Its Name is empty. nil if such devices are not allowed
}

// Kept is the state that is stored for the next start.
type Kept struct {
	Key   []byte           `json:"key"` // key for the tokens of devices
	Shown map[string]Shown `json:"shown"`
	// Allowed lists the addresses of permitted devices that are not in Settings.Devices, at most MaxDevices.
	Allowed []string `json:"allowed,omitempty"`
}

// Shown describes the last picture of a device.
type Shown struct {
	Sum  []byte `json:"sum"`  // checksum of the picture's pixels
	Time int64  `json:"time"` // time in the picture's name
}

// Parts are functions of the program that Readers need.
type Parts struct {
	// Paint returns the newest frame of a view. It also returns the time of the next change that is
	// known in advance, or the zero time if no such change is known.
	Paint func(ctx context.Context, view string) (Shot, time.Time, error)
	Log   *slog.Logger
}

// Readers manages the devices and their pictures. Its methods may be called from any goroutine.
type Readers struct {
	parts   Parts
	drawing chan struct{}   // limits the number of pictures that are drawn at the same time
	lines   *loglimit.Limit // bounds the log lines about all devices together

	mu        sync.Mutex // guards the following fields
	settings  Settings
	kept      Kept
	keep      func(Kept) error
	guests    []Device // permitted devices that are not in the settings
	status    map[string]*Status
	strangers []string
	pictures  []Picture // from the oldest to the newest
}

// A Picture is a picture file for a device.
type Picture struct {
	Name   string // without the extension
	Secret string // secret part of the picture's address
	Type   string // media type
	File   []byte
	device string
}

// New returns Readers without devices. They do nothing until Configure is called.
func New(p Parts) *Readers {
	key := make([]byte, 32)
	_, _ = rand.Read(key) // rand.Read never fails
	return &Readers{
		parts: p, lines: loglimit.New(), drawing: make(chan struct{}, maxDrawn), status: map[string]*Status{},
		kept: Kept{Key: key, Shown: map[string]Shown{}}, keep: func(Kept) error { return nil },
	}
}

// Keep restores the state of an earlier run. From then on, r calls the function `keep` with every new state.
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

// Configure sets the settings, at the start and after every reload.
func (r *Readers) Configure(s Settings) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.settings = s
	r.invite()
}

// On reports whether the configuration has an output for e-readers.
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

// A Turn is the answer to a device's request.
type Turn struct {
	Picture Picture
	Refresh int    // seconds until the device's next request
	Profile string // temperature profile
	Full    bool   // the device must refresh its whole panel
}

// Show draws the view of a device. It returns the picture, and how long the device should sleep.
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

// limited() reduces a size to the allowed maximum and keeps the aspect ratio.
func limited(size image.Point) image.Point {
	if max(size.X, size.Y) <= MaxSide {
		return size
	}
	return inside(size, image.Pt(MaxSide, MaxSide)).Size()
}

// refresh() returns the time that a device should sleep, in seconds. In a quiet time, the device sleeps until the end of this time.
// Otherwise it sleeps for the configured time, or until a known change if that is earlier, but at least for MinRefresh.
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

// note() records the headers of a request and the answer to it.
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

// Hear logs lines of a device's own log. It removes the device's token from them.
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

// tell() logs an event. It limits the number of lines, because devices can cause any number of events.
func (r *Readers) tell(says string, fields ...any) {
	if fields, ok := r.lines.Next(time.Now(), fields...); ok {
		r.parts.Log.Info(says, fields...)
	}
}

// Status returns the states of all devices, and the addresses of unknown devices. The states of configured devices come first.
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
