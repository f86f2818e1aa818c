// Package photos is a provider of pictures in a folder, or in an album on a server. It publishes the pictures one after another,
// scaled to their place.
package photos

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io/fs"
	"math/rand/v2"
	"time"

	"dashboard/provider"
	"dashboard/render/picture"
)

const (
	// MaxFiles bounds the files that are listed, and maxDepth the depth of nested folders.
	MaxFiles = 100_000
	maxDepth = 10
	// walkEvery is the interval at which the folder is searched.
	walkEvery = 10 * time.Minute
	// retry is the pause while there is nothing to show.
	retry = 30 * time.Second
	// maxFailures bounds the unreadable files in a row before there is a pause.
	maxFailures = 20
	// headBytes is the part of a file that is read to find the time at which it was taken. Cameras write it in the first segment,
	// which has at most 64 KiB.
	headBytes = 66 << 10
)

// Order is the order of the pictures.
type Order string

// The orders.
const (
	Shuffle   Order = "shuffle" // all pictures in random order, then again in another order
	ByName    Order = "name"
	ByDate    Order = "date"
	OnThisDay Order = "on_this_day" // pictures of this day in other years. If there are none, all pictures are shuffled
)

// A Config selects the pictures and their form.
type Config struct {
	Path    string // path of the folder, or identity of an album
	Album   Album  // if not nil: pictures in another place, instead of a folder
	Order   Order
	Dwell   time.Duration // time for which each picture is shown
	Box     image.Point   // px
	Fit     picture.Fit
	Blurred bool // the whole picture on a blurred and darkened copy
	Zone    *time.Location

	Files  fs.FS
	Keep   *Kept         // may be nil
	Turn   chan struct{} // holds a token while a picture is decoded. nil means no limit
	Seed   uint64        // seed for shuffling; 0 for a random one
	Smooth bool
}

// A Photo is one picture, ready to be shown.
type Photo struct {
	Picture *picture.Picture
	Name    string    // file name without its extension
	Folder  string    // folder of the file
	Taken   time.Time // zero if unknown

	Palette [picture.PaletteColors]color.RGBA // the most frequent first
}

// Size returns the bytes of the pixels.
func (p *Photo) Size() int64 { return p.Picture.Size() }

// A Provider publishes a *Photo whenever the next one is due.
type Provider struct {
	c      Config
	random *rand.Rand
	bag    []file // pictures to show before any is repeated
	walked time.Time
	all    []file
	left   leftOut // unsupported pictures of the folder in the last search
}

var _ provider.Provider = (*Provider)(nil)

// A file may be a picture.
type file struct {
	path    string
	changed time.Time
	size    int64

	item *Item // item of an album; nil for a file
}

// New returns a provider.
func New(c Config) *Provider {
	seed := c.Seed
	if seed == 0 {
		seed = rand.Uint64()
	}
	return &Provider{c: c, random: rand.New(rand.NewPCG(seed, seed))}
}

// Key identifies configurations.
func (c Config) Key() string {
	return fmt.Sprintf("photos %q %s %v %v %v %v", c.Path, c.Order, c.Dwell, c.Box, c.Fit, c.Blurred)
}

// Kind is "photos".
func (p *Provider) Kind() string { return "photos" }

// ErrNone is the error for a folder without pictures.
var ErrNone = errors.New("has no pictures")

// Run publishes a picture at once, and the next one after each dwell. It decodes a picture while the previous one is shown.
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
		if next != nil { // if the folder cannot be read, a stored picture with an error
			cell.PublishPart(next, time.Now(), err)
		}
	}
}

// next returns the next picture that can be read. It also returns an error if others are not supported because of their format. If
// the folder cannot be read, it returns a stored picture and the error.
func (p *Provider) next(ctx context.Context) (*Photo, error) {
	var failed error
	for range maxFailures {
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
			return photo, p.left.err()
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		failed = fmt.Errorf("%s: %w", f.name(), err)
		if f.item != nil && errors.Is(err, ErrUnreached) {
			break // the other pictures cannot be reached either
		}
	}
	if photo := p.c.Keep.any(ctx, p.random, p.c); photo != nil {
		return photo, failed
	}
	return nil, failed
}

// load reads and decodes a picture, or takes it from the stored ones.
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

// decode scales a picture for the box.
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
