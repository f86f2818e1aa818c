// Package photos is a provider of the pictures of a folder, or of an album elsewhere, one after another, scaled for where they are shown.
package photos

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"math/rand/v2"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dashboard/internal/folder"
	"dashboard/provider"
	"dashboard/render/picture"
)

const (
	// MaxFiles bounds the files that are looked at, and maxDepth how deep folders are nested.
	MaxFiles = 100_000
	maxDepth = 10
	// walkEvery is how often the folder is looked through anew.
	walkEvery = 10 * time.Minute
	// retry is the pause while there is nothing to show.
	retry = 30 * time.Second
	// maxFailures bounds the files in a row that cannot be read before there is a pause.
	maxFailures = 20
	// headBytes is what is read of a file to find when it was taken; cameras write it in the first segment, of 64 KiB at most.
	headBytes = 66 << 10
)

// Order is in which order pictures come.
type Order string

// The orders.
const (
	Shuffle   Order = "shuffle" // each once, then each once again
	ByName    Order = "name"
	ByDate    Order = "date"
	OnThisDay Order = "on_this_day" // those of this day of other years; without any all, shuffled
)

// A Config says which pictures are shown, and how.
type Config struct {
	Path    string // of the folder, or what tells an album apart
	Album   Album  // if not nil: pictures that are elsewhere, in place of a folder
	Order   Order
	Dwell   time.Duration // how long each is shown
	Box     image.Point   // px
	Fit     picture.Fit
	Blurred bool // all of the picture, on a blurred and darkened one of itself
	Zone    *time.Location

	Files  fs.FS
	Keep   *Kept         // may be nil
	Turn   chan struct{} // holds a token while somebody decodes; nil for no limit
	Seed   uint64        // of the shuffling; 0 is any
	Smooth bool
}

// A Photo is one picture, ready to be shown.
type Photo struct {
	Picture *picture.Picture
	Name    string    // of the file, without its ending
	Folder  string    // that it is in
	Taken   time.Time // zero if that is not known
}

// A Provider publishes a *Photo whenever the next is due.
type Provider struct {
	c      Config
	random *rand.Rand
	bag    []file // those that come before any comes again
	walked time.Time
	all    []file
}

var _ provider.Provider = (*Provider)(nil)

// A file is one that may be a picture.
type file struct {
	path    string
	changed time.Time
	size    int64

	item *Item // of an album; nil for a file
}

// New returns a provider.
func New(c Config) *Provider {
	seed := c.Seed
	if seed == 0 {
		seed = rand.Uint64()
	}
	return &Provider{c: c, random: rand.New(rand.NewPCG(seed, seed))}
}

// Key tells configurations apart.
func (c Config) Key() string {
	return fmt.Sprintf("photos %q %s %v %v %v %v", c.Path, c.Order, c.Dwell, c.Box, c.Fit, c.Blurred)
}

// Kind is "photos".
func (p *Provider) Kind() string { return "photos" }

// ErrNone is the failure of a folder without pictures.
var ErrNone = errors.New("has no pictures")

// Run publishes a picture at once and the next after each dwell; it is decoded while the one before is shown.
func (p *Provider) Run(ctx context.Context, cell *provider.Cell) error {
	for {
		due := time.Now().Add(p.c.Dwell)
		next, err := p.next(ctx)
		if ctx.Err() != nil {
			return nil
		}
		pause := time.Until(due)
		if last := cell.Load(); !last.Has() {
			pause = 0
		}
		if next == nil {
			cell.Fail(err, time.Now())
			pause = max(pause, retry)
		}
		if !sleep(ctx, pause) {
			return nil
		}
		if next != nil { // one of before, with an error, where the folder cannot be read
			cell.PublishPart(next, time.Now(), err)
		}
	}
}

func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(max(d, 0))
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// next is the next picture that can be read; with one kept from earlier where the folder cannot be.
func (p *Provider) next(ctx context.Context) (*Photo, error) {
	var failed error
	for range maxFailures {
		if len(p.bag) == 0 || time.Since(p.walked) > walkEvery {
			if err := p.fill(ctx); err != nil {
				photo := p.c.Keep.any(p.random, p.c)
				return photo, err
			}
		}
		f := p.bag[0]
		p.bag = p.bag[1:]
		photo, err := p.load(ctx, f)
		if err == nil {
			return photo, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		failed = fmt.Errorf("%s: %w", f.name(), err)
		if f.item != nil && errors.Is(err, ErrUnreached) {
			break // the others are as far away
		}
	}
	if photo := p.c.Keep.any(p.random, p.c); photo != nil {
		return photo, failed
	}
	return nil, failed
}

// fill looks through the folder where that is due, and fills the bag.
func (p *Provider) fill(ctx context.Context) error {
	if time.Since(p.walked) > walkEvery || len(p.all) == 0 {
		all, err := p.look(ctx)
		if err != nil {
			return p.named(err)
		}
		if len(all) == 0 {
			return fmt.Errorf("%s %w", p.place(), ErrNone)
		}
		same := slices.Equal(all, p.all)
		p.all, p.walked = all, time.Now()
		if same && len(p.bag) > 0 {
			return nil
		}
	}
	p.bag = slices.Clone(p.all)
	switch p.c.Order {
	case ByName: // as they are in a folder
		if p.c.Album != nil {
			slices.SortStableFunc(p.bag, func(a, b file) int { return strings.Compare(a.item.Name, b.item.Name) })
		}
	case ByDate:
		p.byDate(ctx)
	case OnThisDay:
		if chosen := p.onThisDay(ctx, time.Now()); len(chosen) > 0 {
			p.bag = chosen
			return nil
		}
		p.shuffle()
	default:
		p.shuffle()
	}
	return nil
}

func (p *Provider) shuffle() {
	p.random.Shuffle(len(p.bag), func(i, j int) { p.bag[i], p.bag[j] = p.bag[j], p.bag[i] })
}

// byDate sorts the bag by when the pictures were taken.
func (p *Provider) byDate(ctx context.Context) {
	taken := make(map[string]time.Time, len(p.bag))
	for _, f := range p.bag {
		taken[f.path] = p.taken(ctx, f)
	}
	slices.SortStableFunc(p.bag, func(a, b file) int { return taken[a.path].Compare(taken[b.path]) })
}

// onThisDay are the pictures that were taken on this day of other years, the newest first.
func (p *Provider) onThisDay(ctx context.Context, now time.Time) (chosen []file) {
	now = now.In(p.zone())
	for _, f := range p.bag {
		if t := p.taken(ctx, f); t.Month() == now.Month() && t.Day() == now.Day() && t.Year() != now.Year() {
			chosen = append(chosen, f)
		}
	}
	slices.Reverse(chosen)
	return chosen
}

func (p *Provider) zone() *time.Location {
	if p.c.Zone == nil {
		return time.UTC
	}
	return p.c.Zone
}

// taken is when a picture was taken, as it says itself, or when its file was changed.
func (p *Provider) taken(ctx context.Context, f file) time.Time {
	if ctx.Err() != nil || f.item != nil || !isJPEG(f.path) {
		return f.changed.In(p.zone())
	}
	in, err := p.c.Files.Open(f.path)
	if err != nil {
		return f.changed.In(p.zone())
	}
	defer in.Close()
	head := make([]byte, min(headBytes, f.size))
	n := 0
	for n < len(head) {
		k, err := in.Read(head[n:])
		if n += k; err != nil {
			break
		}
	}
	if t := picture.Taken(head[:n], p.zone()); !t.IsZero() {
		return t
	}
	return f.changed.In(p.zone())
}

func isJPEG(name string) bool {
	ext := strings.ToLower(filepath.Ext(name))
	return ext == ".jpg" || ext == ".jpeg"
}

// endings are those of files that may be pictures.
var endings = []string{".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp"}

// walk lists the pictures of the folder and those in it, by name. What begins with a dot is left out.
func (p *Provider) walk(ctx context.Context) (all []file, err error) {
	type place struct {
		path  string
		depth int
	}
	seen := 0
	for open := []place{{p.c.Path, 0}}; len(open) > 0 && ctx.Err() == nil; {
		at := open[0]
		open = open[1:]
		list, err := folder.List(p.c.Files, at.path, MaxFiles-seen)
		if err != nil && at.depth == 0 {
			return nil, err
		}
		for _, e := range list {
			if seen++; seen > MaxFiles {
				return all, nil
			}
			name := path.Join(at.path, e.Name())
			switch {
			case strings.HasPrefix(e.Name(), "."):
			case e.IsDir() && at.depth < maxDepth:
				open = append(open, place{name, at.depth + 1})
			case slices.Contains(endings, strings.ToLower(path.Ext(name))):
				f := file{path: name}
				if info, err := e.Info(); err == nil {
					f.changed, f.size = info.ModTime(), info.Size()
				}
				all = append(all, f)
			}
		}
	}
	slices.SortFunc(all, func(a, b file) int { return strings.Compare(a.path, b.path) })
	return all, ctx.Err()
}

// load reads and decodes a picture, or takes it from what is kept.
func (p *Provider) load(ctx context.Context, f file) (*Photo, error) {
	photo := f.photo()
	if kept := p.c.Keep.load(f, p.c); kept != nil {
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
	if photo.Picture, err = p.decode(data); err != nil {
		return nil, err
	}
	p.c.Keep.save(f, p.c, photo)
	return photo, nil
}

// decode scales a picture for the box.
func (p *Provider) decode(data []byte) (*picture.Picture, error) {
	if !p.c.Blurred {
		return picture.Decode(data, p.c.Box, p.c.Fit, p.c.Smooth)
	}
	whole, err := picture.Decode(data, p.c.Box, picture.Contain, p.c.Smooth)
	if err != nil {
		return nil, err
	}
	if whole.Rect == (image.Rectangle{Max: p.c.Box}) && whole.Opaque {
		return whole, nil
	}
	return blurred(data, whole, p.c.Box)
}
