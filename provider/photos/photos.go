// Package photos is a provider of the pictures in a folder, or in an album on a server. It publishes one picture after another, scaled to
// the size at which the picture is shown.
package photos

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io/fs"
	"math/rand/v2"
	"slices"
	"time"

	"dashboard/provider"
	"dashboard/render/picture"
)

const (
	// MaxFiles is the maximum number of files in the list. maxDepth is the maximum depth of subfolders.
	MaxFiles = 100_000
	maxDepth = 10
	// walkEvery is the time between two searches of the folder or album.
	walkEvery = 10 * time.Minute
	// retry is the pause before the next attempt if there is nothing to show.
	retry = 30 * time.Second
	// maxFailures is the number of unreadable pictures in a row after which there is a pause.
	maxFailures = 20
	// headBytes is the number of bytes at the beginning of a file that are searched for the time at which the photo was taken. Cameras
	// write this time into the first segment, which has at most 64 KiB.
	headBytes = 66 << 10
)

// Order is the order in which pictures are shown.
type Order string

// The orders.
const (
	Shuffle   Order = "shuffle" // all pictures in random order, then again in another random order
	ByName    Order = "name"
	ByDate    Order = "date"
	OnThisDay Order = "on_this_day" // pictures that were taken on this day in other years; if there are none, Shuffle
)

// A Config selects the pictures and describes how they are shown.
type Config struct {
	Path    string // path of the folder, or a text that identifies the album
	Album   Album  // source of the pictures; nil for a folder
	Order   Order
	Dwell   time.Duration // time for which each picture is shown
	Box     image.Point   // size in pixels
	Fit     picture.Fit
	Blurred bool // whether a picture is shown whole, on a blurred and darkened copy of itself
	Zone    *time.Location

	Files  fs.FS
	Keep   *Kept         // store for scaled pictures; may be nil
	Turn   chan struct{} // holds a token while a picture is decoded; if nil, several pictures may be decoded at once
	Seed   uint64        // seed for Shuffle; 0 for a random seed
	Smooth bool
}

// A Photo is a picture that is ready to be shown.
type Photo struct {
	Picture *picture.Picture
	Name    string    // name of the file without its extension
	Folder  string    // name of the file's folder
	Taken   time.Time // time at which the picture was taken, or time of the last change of its file; zero if unknown

	Palette [picture.PaletteColors]color.RGBA // sorted; the most frequent color is first
}

// Size returns the memory of the pixels, in bytes.
func (p *Photo) Size() int64 { return p.Picture.Size() }

// A Provider publishes a *Photo each time the next photo is due.
type Provider struct {
	c      Config
	random *rand.Rand
	bag    []file // pictures that are shown before any picture is repeated
	walked time.Time
	all    []file
	left   leftOut // unsupported pictures that the last search has found
	day    string  // date of the field `chosen`; "" if the pictures are not chosen yet
	chosen []file  // pictures for OnThisDay. They are stored, because choosing them reads every file
}

var _ provider.Provider = (*Provider)(nil)

// A file is a picture in the list. It is a file of the folder, or an item of the album.
type file struct {
	path    string
	changed time.Time
	size    int64

	item *Item // nil for a file of the folder
}

// equal() reports whether f and g are the same picture. A server's list has new items after each request, so equal() compares their values.
func (f file) equal(g file) bool {
	same := f.item == g.item || f.item != nil && g.item != nil && *f.item == *g.item
	f.item, g.item = nil, nil
	return same && f == g
}

// New returns a provider.
func New(c Config) *Provider {
	seed := c.Seed
	if seed == 0 {
		seed = rand.Uint64()
	}
	return &Provider{c: c, random: rand.New(rand.NewPCG(seed, seed))}
}

// Key returns a text that is equal for equal configurations.
func (c Config) Key() string {
	return fmt.Sprintf("photos %q %s %v %v %v %v", c.Path, c.Order, c.Dwell, c.Box, c.Fit, c.Blurred)
}

// Kind is "photos".
func (p *Provider) Kind() string { return "photos" }

// ErrNone is returned for a folder or album without pictures.
var ErrNone = errors.New("has no pictures")

// Run publishes a picture at once, and another picture after each Dwell. It decodes the next picture while the present picture is shown.
func (p *Provider) Run(ctx context.Context, cell *provider.Cell) error {
	for {
		due := time.Now().Add(p.c.Dwell)
		next, err := p.next(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if next != nil && len(next.Picture.Frames) > 0 {
			next.Palette = picture.Palette(next.Picture.Frames[0].Img)
		}
		pause := time.Until(due)
		if last := cell.Load(); !last.Has() {
			pause = 0
		}
		if next == nil {
			cell.Fail(err, time.Now())
			pause = max(pause, retry)
		}
		if !provider.Sleep(ctx, pause) {
			return nil
		}
		if next != nil { // err is not nil if the folder cannot be read and a stored picture is shown instead
			cell.PublishPart(next, time.Now(), err)
		}
	}
}

// next() returns the next readable picture. If the folder contains unsupported pictures, it also returns an error about them. If the
// folder, or many pictures in a row, cannot be read, it returns the error together with a stored picture. This picture is nil if no
// picture is stored.
func (p *Provider) next(ctx context.Context) (*Photo, error) {
	var failed error
	for n := range maxFailures {
		instead := p.c.Order == OnThisDay && len(p.chosen) > 0 && n >= len(p.chosen)
		if instead && n == len(p.chosen) { // no picture of this day can be read
			p.bag = slices.Clone(p.all)
			p.shuffle()
		}
		if len(p.bag) == 0 || time.Since(p.walked) > walkEvery {
			if err := p.fill(ctx); err != nil {
				photo := p.c.Keep.any(ctx, p.random, p.c)
				return photo, err
			}
		}
		f := p.bag[0]
		p.bag = p.bag[1:]
		photo, err := p.load(ctx, f)
		if err == nil {
			if instead {
				p.bag = nil // next time, try the pictures of this day again
			}
			return photo, p.left.err()
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		failed = fmt.Errorf("%s: %w", f.name(), err)
		if f.item != nil && errors.Is(err, ErrUnreached) {
			break // the server does not answer, so other pictures would fail too
		}
	}
	if photo := p.c.Keep.any(ctx, p.random, p.c); photo != nil {
		return photo, failed
	}
	return nil, failed
}

// load reads and scales a picture, or uses the stored copy.
func (p *Provider) load(ctx context.Context, f file) (*Photo, error) {
	photo := f.photo()
	if kept := p.c.Keep.load(ctx, f, p.c); kept != nil {
		photo.Picture, photo.Taken = kept.Picture, kept.Taken
		return photo, nil
	}
	if p.c.Turn != nil {
		select {
		case p.c.Turn <- struct{}{}:
			defer func() { <-p.c.Turn }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	data, release, err := p.read(ctx, f)
	if err != nil {
		return nil, err
	}
	defer release()
	if photo.Taken = picture.Taken(data, p.zone()); photo.Taken.IsZero() {
		photo.Taken = f.changed.In(p.zone())
	}
	if photo.Picture, err = p.decode(ctx, data); err != nil {
		return nil, err
	}
	p.c.Keep.save(f, p.c, photo)
	return photo, nil
}

// decode decodes a picture and scales it for the box.
func (p *Provider) decode(ctx context.Context, data []byte) (*picture.Picture, error) {
	if !p.c.Blurred {
		return picture.Decode(ctx, data, p.c.Box, p.c.Fit, p.c.Smooth)
	}
	whole, err := picture.Decode(ctx, data, p.c.Box, picture.Contain, p.c.Smooth)
	if err != nil {
		return nil, err
	}
	if whole.Rect == (image.Rectangle{Max: p.c.Box}) && whole.Opaque {
		return whole, nil
	}
	return blurred(ctx, data, whole, p.c.Box)
}
