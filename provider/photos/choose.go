package photos

import (
	"context"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"dashboard/internal/folder"
	"dashboard/internal/stable"
	"dashboard/render/picture"
)

// fill fills p.bag with the pictures that are shown next. If a search is due, it first searches the folder or album. If the search finds the
// same pictures, the pictures in p.bag stay, unless OnThisDay needs the pictures of another day.
func (p *Provider) fill(ctx context.Context) error {
	if time.Since(p.walked) > walkEvery || len(p.all) == 0 {
		all, err := p.look(ctx)
		if err != nil {
			return p.named(err)
		}
		if missing := p.left.err(); len(all) == 0 && missing != nil {
			return fmt.Errorf("%s %w: %w", p.place(), ErrNone, missing)
		}
		if len(all) == 0 {
			return fmt.Errorf("%s %w", p.place(), ErrNone)
		}
		if !slices.EqualFunc(all, p.all, file.equal) {
			p.bag, p.day = nil, ""
		}
		p.all, p.walked = all, time.Now()
	}
	today := time.Now().In(p.zone()).Format(time.DateOnly)
	if len(p.bag) > 0 && (p.c.Order != OnThisDay || p.day == today) {
		return nil
	}
	p.bag = slices.Clone(p.all)
	switch p.c.Order {
	case ByName: // the list of a folder is already sorted by name
		if p.c.Album != nil {
			stable.Sort(p.bag, func(a, b file) int { return natural(a.item.Name, b.item.Name) })
		}
	case ByDate:
		p.byDate(ctx)
	case OnThisDay:
		return p.today(ctx, today)
	default:
		p.shuffle()
	}
	return nil
}

// today() fills p.bag with the pictures that were taken on this day in other years. If there are none, p.bag has all pictures in random
// order.
func (p *Provider) today(ctx context.Context, date string) error {
	if p.day != date {
		p.chosen = p.onThisDay(ctx, time.Now())
		if ctx.Err() != nil {
			return ctx.Err()
		}
		p.day = date
	}
	if len(p.chosen) > 0 {
		p.bag = p.chosen
		return nil
	}
	p.shuffle()
	return nil
}

func (p *Provider) shuffle() {
	p.random.Shuffle(len(p.bag), func(i, j int) { p.bag[i], p.bag[j] = p.bag[j], p.bag[i] })
}

// byDate sorts p.bag by the times at which the pictures were taken.
func (p *Provider) byDate(ctx context.Context) {
	taken := make(map[string]time.Time, len(p.bag))
	for _, f := range p.bag {
		taken[f.path] = p.taken(ctx, f)
	}
	stable.Sort(p.bag, func(a, b file) int { return taken[a.path].Compare(taken[b.path]) })
}

// onThisDay returns the pictures that were taken on this day in other years. The result is in the reverse order of p.bag.
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

// taken() returns the time at which a picture was taken. For an item of an album, it returns Item.Taken. For a JPEG file whose metadata
// contain the time, it returns that time. For any other file, it returns the time of the last change.
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

// endings are the extensions of files that may be pictures.
var endings = []string{".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp"}

// foreign maps the extensions of unsupported pictures to the names of their formats.
var foreign = map[string]string{
	".heic": "HEIC", ".heif": "HEIC", ".hif": "HEIC", ".avif": "AVIF", ".tif": "TIFF", ".tiff": "TIFF", ".jxl": "JPEG XL", ".dng": "DNG", ".cr2": "CR2", ".nef": "NEF", ".arw": "ARW",
}

// The type leftOut counts the unsupported pictures of a folder by format.
type leftOut map[string]int

// reads() reports whether a file may be a supported picture. It counts the files with unsupported pictures.
func (l leftOut) reads(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	if format := foreign[ext]; format != "" {
		l[format]++
	}
	return slices.Contains(endings, ext)
}

// err returns an error that lists the unsupported formats, or nil.
func (l leftOut) err() error {
	count := 0
	for _, n := range l {
		count += n
	}
	if count == 0 {
		return nil
	}
	return fmt.Errorf("files that cannot be read: %d (%s); convert them to JPEG", count, strings.Join(slices.Sorted(maps.Keys(l)), ", "))
}

// walk lists the pictures in the folder and its subfolders, sorted by name. It ignores names that begin with a dot.
func (p *Provider) walk(ctx context.Context) (all []file, err error) {
	type place struct {
		path  string
		depth int
	}
	seen := 0
	p.left = leftOut{}
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
			case p.left.reads(name):
				f := file{path: name}
				if info, err := e.Info(); err == nil {
					f.changed, f.size = info.ModTime(), info.Size()
				}
				all = append(all, f)
			}
		}
	}
	stable.Sort(all, func(a, b file) int { return natural(a.path, b.path) })
	return all, ctx.Err()
}
