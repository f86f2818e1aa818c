package output

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"dashboard/render/ink"

	"github.com/cenkalti/backoff/v5"
)

const (
	// DefaultRenderInterval is the default time between two files.
	DefaultRenderInterval = 60 * time.Second
	// DefaultPattern is the default name of files.
	DefaultPattern = "grydgets_{timestamp}"
	// DefaultKeep is the default number of kept files.
	DefaultKeep = 100
	// rewriteAfter limits the pause after a failed file, because a full disk or a missing mount is often repaired before a long
	// render_interval ends.
	rewriteAfter = 10 * time.Second

	// writeLimit limits the writing of a file. The slowest card syncs one within seconds. A lost network folder never does.
	writeLimit = time.Minute

	timestampLayout = "20060102_150405"
	offsetLayout    = "-0700"
	filePermissions = 0o644
	dirPermissions  = 0o755
)

// FileOptions set the folder and the interval of files.
type FileOptions struct {
	Dir            string         // created if missing ("" means the working directory)
	RenderInterval time.Duration  // interval of files (0 means DefaultRenderInterval)
	Format         string         // png (or ""), jpg, jpeg, bmp
	Pattern        string         // name without ending; {timestamp} and {sequence} are replaced; "" means DefaultPattern
	Keep           int            // number of files to keep (0 keeps all). A configuration without it uses DefaultKeep
	Latest         bool           // maintain a symbolic link latest.<format> to the newest file
	Encoder        Encoder        // nil means the standard encoder of Format
	Palette        *ink.Palette   // nil means all colors. Otherwise Format is png or bmp
	Log            *slog.Logger   // nil is silent
	Location       *time.Location // time zone of {timestamp} (nil means local time)
}

// File writes frames into numbered picture files: the first frame, and then one frame in every interval, changed or not. Readers
// see only complete files, even after a power loss, because each file is written under another name, synced and renamed. The link
// to the latest file is replaced in the same way.
type File struct {
	*Pacer
	o        FileOptions
	format   format
	inks     *inks          // nil means all colors
	ours     *regexp.Regexp // file names that Pattern creates
	sequence int
	newest   string // name of the file written last
	buf      bytes.Buffer
	write    func(path string, data []byte) error // replaced in tests that fill the disk
}

var _ FrameDrawer = (*File)(nil)

// NewFile checks the options. Nothing is written before Run.
func NewFile(o FileOptions) (*File, error) {
	f, err := newFormat(o.Format, o.Encoder)
	if err != nil {
		return nil, err
	}
	inks, err := newInks(o.Palette, f)
	if err != nil {
		return nil, err
	}
	o.Dir = cmp.Or(o.Dir, ".")
	o.Pattern = cmp.Or(o.Pattern, DefaultPattern)
	o.RenderInterval = cmp.Or(o.RenderInterval, DefaultRenderInterval)
	o.Location = cmp.Or(o.Location, time.Local)
	switch {
	case strings.ContainsAny(o.Pattern, "/\\\x00"):
		return nil, fmt.Errorf("filename_pattern %q is not a plain file name", o.Pattern)
	case o.RenderInterval < 0:
		return nil, fmt.Errorf("render_interval %v is negative", o.RenderInterval)
	case o.Keep < 0:
		return nil, fmt.Errorf("keep_images %d is negative", o.Keep)
	}
	file := &File{o: o, format: f, inks: inks, ours: namesOf(o.Pattern, f), write: ReplaceFile}
	file.Pacer = NewPacer(Pacing{
		Name: "file " + o.Dir, Draw: file.encode, Send: file.save, After: file.tidy,
		Interval: o.RenderInterval, Repeat: true, Retry: backoff.NewConstantBackOff(min(o.RenderInterval, rewriteAfter)),
		Limit: writeLimit, Log: o.Log,
	})
	return file, nil
}

// Run writes files until ctx ends. It logs failures and tries again.
func (f *File) Run(ctx context.Context) {
	f.removeLeftovers()
	f.Pacer.Run(ctx)
}

// encode encodes a frame.
func (f *File) encode(img *image.RGBA, _ []image.Rectangle) error {
	return f.format.take(&f.buf, img, f.inks, f.Regions())
}

// save writes the encoded picture.
func (f *File) save(context.Context) error {
	if err := os.MkdirAll(f.o.Dir, dirPermissions); err != nil {
		return err
	}
	name := f.fileName(time.Now())
	if err := f.write(filepath.Join(f.o.Dir, name), f.buf.Bytes()); err != nil {
		return err
	}
	f.sequence++
	f.newest = name
	return nil
}

// tidy removes old files and updates the link. A failure does not affect the new picture.
func (f *File) tidy(context.Context) error { return errors.Join(f.link(), f.prune()) }

// link points latest.<format> to the newest file. The link is relative, so that the folder may be moved or mounted.
func (f *File) link() error {
	if !f.o.Latest {
		return nil
	}
	return pointTo(f.newest, filepath.Join(f.o.Dir, latestPrefix+f.format.name))
}

const latestPrefix = "latest."

func (f *File) fileName(now time.Time) string {
	return strings.NewReplacer(
		"{timestamp}", timestamp(now.In(f.o.Location)),
		"{sequence}", strconv.Itoa(f.sequence),
	).Replace(f.o.Pattern) + "." + f.format.name
}

// timestamp formats the local time t, with its UTC offset in the repeated hour at the end of summer time.
func timestamp(t time.Time) string {
	s := t.Format(timestampLayout)
	since, _ := t.ZoneBounds()
	if since.IsZero() {
		return s
	}
	_, offset := t.Zone()
	_, before := since.Add(-time.Second).Zone()
	if t.Sub(since) < time.Duration(before-offset)*time.Second {
		s += t.Format(offsetLayout)
	}
	return s
}

// namesOf returns a regular expression for the file names that fileName creates from a pattern.
func namesOf(pattern string, f format) *regexp.Regexp {
	s := strings.NewReplacer(
		regexp.QuoteMeta("{timestamp}"), `\d{8}_\d{6}(?:[+-]\d{4})?`,
		regexp.QuoteMeta("{sequence}"), `\d+`,
	).Replace(regexp.QuoteMeta(pattern))
	return regexp.MustCompile("^" + s + regexp.QuoteMeta("."+f.name) + "$")
}

// prune removes the oldest files whose names match until only Keep files are left. It also removes files of earlier runs.
func (f *File) prune() error {
	if f.o.Keep == 0 {
		return nil
	}
	files, err := f.images()
	if err != nil {
		return err
	}
	var errs []error
	for _, old := range files[:max(0, len(files)-f.o.Keep)] {
		if err := os.Remove(filepath.Join(f.o.Dir, old.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// images lists the files whose names match, the oldest first. A file that seems newer than the latest one comes from a clock that
// was ahead, and counts as the oldest.
func (f *File) images() ([]fs.FileInfo, error) {
	entries, err := os.ReadDir(f.o.Dir)
	if err != nil {
		return nil, err
	}
	var files []fs.FileInfo
	for _, e := range entries {
		if !f.ours.MatchString(e.Name()) || f.o.Latest && e.Name() == latestPrefix+f.format.name {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() { // an error means that the file was already removed
			files = append(files, info)
		}
	}
	slices.SortStableFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	if i := slices.IndexFunc(files, func(info fs.FileInfo) bool { return info.Name() == f.newest }); i >= 0 {
		return slices.Concat(files[i+1:], files[:i+1]), nil
	}
	return files, nil
}

// removeLeftovers removes files and link folders of an interrupted run. Their names are a dot, the name of the picture or the link,
// and digits.
func (f *File) removeLeftovers() {
	leftover := regexp.MustCompile(`^\.[^/]+\.` + f.format.name + `\d+$`)
	entries, err := os.ReadDir(f.o.Dir)
	if err != nil {
		return // the folder may not exist yet
	}
	for _, e := range entries {
		link := e.IsDir() && strings.HasPrefix(e.Name(), "."+latestPrefix)
		if leftover.MatchString(e.Name()) && (link || e.Type().IsRegular()) {
			_ = os.RemoveAll(filepath.Join(f.o.Dir, e.Name())) // if this fails, the next start removes it
		}
	}
}
