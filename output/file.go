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

	"dashboard/internal/stable"
	"dashboard/render/ink"

	"github.com/cenkalti/backoff/v5"
)

const (
	// DefaultRenderInterval is the default of FileOptions.RenderInterval.
	DefaultRenderInterval = 60 * time.Second
	// DefaultPattern is the default of FileOptions.Pattern.
	DefaultPattern = "grydgets_{timestamp}"
	// DefaultKeep is the number of files to keep if the configuration does not set it.
	DefaultKeep = 100
	// rewriteAfter bounds the pause after a failed write. A full disk or a missing mount is often repaired long before the next
	// RenderInterval ends.
	rewriteAfter = 10 * time.Second

	// writeLimit is the duration after which writing a file counts as hanging. Even the slowest
	// card writes a file within seconds. An unreachable network folder can block forever.
	writeLimit = time.Minute

	timestampLayout = "20060102_150405"
	offsetLayout    = "-0700"
	filePermissions = 0o644
	dirPermissions  = 0o755
)

// FileOptions set where and how often files are written.
type FileOptions struct {
	Dir            string         // created if it does not exist. "" means the working directory
	RenderInterval time.Duration  // time between two files. 0 means DefaultRenderInterval
	Format         string         // png, jpg, jpeg or bmp. "" means png
	Pattern        string         // file name without extension, with {timestamp} and {sequence}. "" means DefaultPattern
	Keep           int            // number of files to keep. 0 means all
	Latest         bool           // keep a symbolic link latest.<format> to the newest file
	Encoder        Encoder        // encodes the files, unless Palette is set. nil means the standard encoder of Format
	Palette        *ink.Palette   // inks of the pictures. nil means all colors. Otherwise Format must be png or bmp
	Log            *slog.Logger   // nil logs nothing
	Location       *time.Location // time zone of {timestamp}. nil means local time
}

// File writes frames to picture files whose names contain a time or a number. It writes the first frame, and then one frame in every
// interval, even if nothing has changed. Each file is written under another name, synced to disk and then renamed. So readers see only
// complete files, even after a power failure. The link to the newest file is replaced in the same way.
type File struct {
	*Pacer
	o        FileOptions
	format   format
	inks     *inks          // nil for all colors
	ours     *regexp.Regexp // matches file names that Pattern can create
	sequence int
	newest   string // name of the newest file
	buf      bytes.Buffer
	write    func(path string, data []byte) error // writes a file. Tests replace this function to simulate a full disk
}

var _ FrameDrawer = (*File)(nil)

// NewFile returns an output with the given options, or an error if they are invalid. It writes nothing before Run.
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

// Run writes files until ctx ends. After a failure it logs the error and tries again.
func (f *File) Run(ctx context.Context) {
	f.removeLeftovers()
	f.Pacer.Run(ctx)
}

// encode encodes a frame for save().
func (f *File) encode(img *image.RGBA, _ []image.Rectangle) error {
	return f.format.take(&f.buf, img, f.inks, f.Regions())
}

// save writes the encoded picture to a new file.
func (f *File) save(context.Context) error {
	if err := os.MkdirAll(f.o.Dir, dirPermissions); err != nil {
		return err
	}
	name := f.fileName(time.Now())
	if err := f.write(filepath.Join(f.o.Dir, name), f.buf.Bytes()); err != nil {
		return nameless("write a picture", err)
	}
	f.sequence++
	f.newest = name
	return nil
}

// tidy() updates the link and removes old files. A failure of tidy() does not affect the new picture.
func (f *File) tidy(context.Context) error { return errors.Join(f.link(), f.prune()) }

// link makes latest.<format> point to the newest file. The link is relative, so that it stays valid if the folder is moved or mounted
// elsewhere.
func (f *File) link() error {
	if !f.o.Latest {
		return nil
	}
	link := latestPrefix + f.format.name
	return nameless("replace "+link, pointTo(f.newest, filepath.Join(f.o.Dir, link)))
}

// nameless describes the error of a step. It leaves out the names of files, because they are different each time. The log recognizes a
// repeated reason by its text.
func nameless(step string, err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &path):
		err = path.Err
	case errors.As(err, &link):
		err = link.Err
	}
	return fmt.Errorf("%s: %w", step, err)
}

const latestPrefix = "latest."

func (f *File) fileName(now time.Time) string {
	return strings.NewReplacer(
		"{timestamp}", timestamp(now.In(f.o.Location)),
		"{sequence}", strconv.Itoa(f.sequence),
	).Replace(f.o.Pattern) + "." + f.format.name
}

// timestamp() formats the local time t. At the end of summer time, an hour occurs twice. In its second occurrence, timestamp() adds the
// UTC offset, so that each name is unique.
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

// namesOf returns a regular expression for the file names that fileName makes from a pattern.
func namesOf(pattern string, f format) *regexp.Regexp {
	s := strings.NewReplacer(
		regexp.QuoteMeta("{timestamp}"), `\d{8}_\d{6}(?:[+-]\d{4})?`,
		regexp.QuoteMeta("{sequence}"), `\d+`,
	).Replace(regexp.QuoteMeta(pattern))
	return regexp.MustCompile("^" + s + regexp.QuoteMeta("."+f.name) + "$")
}

// prune removes the oldest files whose names match Pattern, until only Keep files are left. It also removes files of earlier runs.
func (f *File) prune() error {
	if f.o.Keep == 0 {
		return nil
	}
	files, err := f.images()
	if err != nil {
		return err
	}
	var failed error // only the first error, because every later picture could add one
	for _, old := range files[:max(0, len(files)-f.o.Keep)] {
		if err := os.Remove(filepath.Join(f.o.Dir, old.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) && failed == nil {
			failed = nameless("remove an old picture", err)
		}
	}
	return failed
}

// images() lists the files whose names match Pattern, oldest first. If the clock was wrong, a file may have a later time than the newest
// file. Such a file counts as older than all other files.
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
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() { // after an error, the file has already been removed
			files = append(files, info)
		}
	}
	stable.Sort(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	if i := slices.IndexFunc(files, func(info fs.FileInfo) bool { return info.Name() == f.newest }); i >= 0 {
		return slices.Concat(files[i+1:], files[:i+1]), nil
	}
	return files, nil
}

// removeLeftovers removes temporary files, and temporary folders of links, that an interrupted run has left. Their names consist of a
// dot, the name of the picture or link, and digits.
func (f *File) removeLeftovers() {
	leftover := regexp.MustCompile(`^\.[^/]+\.` + f.format.name + `\d+$`)
	entries, err := os.ReadDir(f.o.Dir)
	if err != nil {
		return // perhaps the folder does not exist yet
	}
	for _, e := range entries {
		link := e.IsDir() && strings.HasPrefix(e.Name(), "."+latestPrefix)
		if leftover.MatchString(e.Name()) && (link || e.Type().IsRegular()) {
			_ = os.RemoveAll(filepath.Join(f.o.Dir, e.Name())) // after a failure, the next start tries again
		}
	}
}
