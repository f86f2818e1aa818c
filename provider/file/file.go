// Package file is a provider that reads a file. It reads the file again whenever the file changes.
package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"dashboard/internal/folder"
	"dashboard/provider"
	"dashboard/provider/document"
)

const (
	// maxBytes is the maximum size of a file. It equals fetch.MaxJSON, the limit for documents from the network.
	maxBytes = 8 << 20
	// lookEvery is the time between two checks of the file. A check needs one system call. A check also works on network shares, which do
	// not report changes, and on a file that was replaced.
	lookEvery = 2 * time.Second
	// coarse is longer than the resolution of file times, which is up to 2 s (FAT). Two changes
	// within this time can have the same file time.
	coarse = 3 * time.Second
)

// Params are the keys of a file provider.
type Params struct {
	// Path of the file.
	Path string `yaml:"path" required:"true" minlen:"1"`
	// Format of the file. auto uses the ending of the name. For an unknown ending the format is JSON if possible, else text.
	Parse string `yaml:"parse" default:"auto" enum:"auto,json,yaml,csv,xml,html,prometheus,text"`
	// For HTML: CSS selector of the elements to read.
	Select string `yaml:"select"`
}

// A Provider publishes the value of a file whenever the value changes.
type Provider struct {
	path   string
	files  fs.FS
	reader document.Reader
	now    func() time.Time

	seen stamp // stamp of the version that was read last
}

// A stamp distinguishes the versions of a file.
type stamp struct {
	changed time.Time
	size    int64
	fresh   bool // whether the version was read so soon after its change that a second change could have the same stamp
}

var _ provider.Provider = (*Provider)(nil)

// New returns a provider for a file of fsys. If `fsys` is nil, the root is the working directory. An error begins with the name of the
// configuration key that causes it.
func New(p Params, fsys fs.FS) (*Provider, error) {
	if fsys == nil {
		fsys = folder.Dir("")
	}
	f := &Provider{path: p.Path, files: fsys, reader: document.Reader{Format: p.Parse}, now: time.Now}
	if p.Parse == "" || p.Parse == document.Auto {
		f.reader.Format = document.ByName(p.Path)
	}
	if p.Select == "" {
		return f, nil
	}
	if f.reader.Format != document.HTML {
		return nil, errors.New("select: is for HTML")
	}
	var err error
	if f.reader.Selector, err = document.NewSelector(p.Select); err != nil {
		return nil, fmt.Errorf("select: %w", err)
	}
	return f, nil
}

// Kind is "file".
func (p *Provider) Kind() string { return "file" }

// Run checks the file repeatedly. The value never becomes stale, because it stays correct while the file does not change.
func (p *Provider) Run(ctx context.Context, cell *provider.Cell) error {
	p.seen = stamp{}
	poll := provider.Poll{Interval: lookEvery, RetryFirst: lookEvery, RetryMost: lookEvery}
	var again time.Time
	return poll.Run(ctx, cell, func(ctx context.Context, due bool) provider.Result {
		switch now := time.Now(); {
		case !cell.Refused():
			again = now.Add(provider.RefusedAgain)
		case !now.Before(again): // the cell does not have this version
			p.seen, again = stamp{}, now.Add(provider.RefusedAgain)
		}
		return p.look(ctx, due)
	})
}

// look reads the file if the file may have changed. After an error it reads the file again at the next check, because the file may have
// been half-written.
func (p *Provider) look(ctx context.Context, _ bool) provider.Result {
	info, err := fs.Stat(p.files, p.path)
	if err != nil {
		return p.fail(err)
	}
	now := stamp{changed: info.ModTime(), size: info.Size()}
	if !p.seen.fresh && now.changed.Equal(p.seen.changed) && now.size == p.seen.size && !p.seen.changed.IsZero() {
		return provider.Result{Outcome: provider.Nothing}
	}
	now.fresh = p.now().Sub(now.changed).Abs() < coarse
	body, err := folder.Read(p.files, p.path, maxBytes)
	if err != nil {
		return p.fail(err)
	}
	v, err := p.reader.Read(ctx, body)
	if err != nil {
		return p.fail(err)
	}
	p.seen = now
	return provider.Result{Value: v}
}

func (p *Provider) fail(err error) provider.Result {
	p.seen = stamp{}
	return provider.Fail(fmt.Errorf("%s: %w", p.path, folder.Reason(err)), false)
}
