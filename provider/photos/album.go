package photos

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"
	"time"

	"dashboard/internal/folder"
	"dashboard/render/picture"
)

// An Album is a list of pictures outside of this machine, for example on a server. Any goroutine may call its methods.
type Album interface {
	// List returns the pictures. It waits until the first list is known.
	List(ctx context.Context) ([]Item, error)
	// Read returns the bytes of a picture. A picture of more than `most` bytes is an error. The caller must call `release` when it no longer
	// needs `data`. If the server does not answer, the error wraps ErrUnreached.
	Read(ctx context.Context, id string, most int64) (data []byte, release func(), err error)
}

// An Item is a picture in an album.
type Item struct {
	ID, Name, Place string
	Taken           time.Time // zero if unknown
	Original        bool      // whether Read returns the original file; Name then has the file's extension
}

// ErrUnreached is wrapped in the error of an album whose server does not answer.
var ErrUnreached = errors.New("the album does not answer")

// look lists the pictures of the album or folder.
func (p *Provider) look(ctx context.Context) ([]file, error) {
	if p.c.Album == nil {
		return p.walk(ctx)
	}
	items, err := p.c.Album.List(ctx)
	if err != nil {
		return nil, err
	}
	all := make([]file, 0, min(len(items), MaxFiles))
	p.left = leftOut{}
	for i := range items[:min(len(items), MaxFiles)] {
		if items[i].Original && !p.left.reads(items[i].Name) {
			continue
		}
		all = append(all, file{path: items[i].ID, changed: items[i].Taken, item: &items[i]})
	}
	return all, nil
}

// read returns the bytes of a picture.
func (p *Provider) read(ctx context.Context, f file) (data []byte, release func(), err error) {
	if f.item != nil {
		return p.c.Album.Read(ctx, f.item.ID, picture.MaxBytes)
	}
	if data, err = folder.Read(p.c.Files, f.path, picture.MaxBytes); err != nil {
		return nil, nil, folder.Reason(err)
	}
	return data, func() {}, nil
}

// photo returns a Photo with the data that is known before the picture is read.
func (f file) photo() *Photo {
	if f.item != nil {
		return &Photo{Name: strings.TrimSuffix(f.item.Name, path.Ext(f.item.Name)), Folder: f.item.Place}
	}
	return &Photo{Name: strings.TrimSuffix(path.Base(f.path), path.Ext(f.path)), Folder: path.Base(path.Dir(f.path))}
}

// name returns the name of the picture for errors.
func (f file) name() string {
	if f.item != nil && f.item.Name != "" {
		return f.item.Name
	}
	return f.path
}

// place returns the name of the album or folder for errors.
func (p *Provider) place() string {
	if p.c.Album != nil {
		return "the album"
	}
	return p.c.Path
}

// named() adds the name of the folder to an error. It does not change errors of an album, because they already contain a name.
func (p *Provider) named(err error) error {
	if p.c.Album != nil {
		return err
	}
	return fmt.Errorf("%s: %w", p.c.Path, folder.Reason(err))
}
