package kit

import (
	"dashboard/provider"
	"dashboard/provider/photos"
	"dashboard/provider/query"
	"dashboard/render/picture"
)

// A pictureUse is one use of a picture's cell by a widget. Sources scale pictures for the size of the widget. If a container builds the
// widget again in another size, the use of the earlier size ends.
type pictureUse struct {
	spec   *Spec
	cell   *provider.Cell
	number int // number of this use in the tree, in the order in which the uses began
}

// PictureFor returns the cell of a picture for the widget s. If a container builds the widget again in another size, only the picture of
// the latest size stays requested.
func (b *Builder) PictureFor(s *Spec, q query.Picture) (provider.Typed[*picture.Picture], bool) {
	v, ok := b.Sources.Picture(s.Asker(), q)
	if ok {
		b.usePicture(s, v.Cell)
	}
	return v, ok
}

// PhotosFor is like PictureFor, for photos. If c.Path is set, the cell receives the photos of this folder. Otherwise, it receives the
// photos of the provider with the given name. If there is no such provider, the cell stays empty.
func (b *Builder) PhotosFor(s *Spec, name string, c photos.Config) *provider.Cell {
	if b.Sources == nil {
		return provider.NewCell(nil)
	}
	cell, ok := (*provider.Cell)(nil), true
	if c.Path != "" {
		cell = b.Sources.Photos(s.Asker(), c)
	} else if cell, ok = b.Sources.Album(s.Asker(), name, c); !ok {
		return provider.NewCell(nil)
	}
	b.usePicture(s, cell)
	return cell
}

func (b *Builder) usePicture(s *Spec, c *provider.Cell) {
	b.pictured++
	b.pictures = append(b.pictures, pictureUse{s, c, b.pictured})
}

// dropPictures ends the uses of s and of its descendants, up to the use with the number `last`.
func (b *Builder) dropPictures(s *Spec, last int) {
	kept := b.pictures[:0]
	for _, use := range b.pictures {
		if use.number <= last && use.spec.within(s) {
			b.Sources.Drop(use.cell)
			continue
		}
		kept = append(kept, use)
	}
	clear(b.pictures[len(kept):])
	b.pictures = kept
}

// within() reports whether s is the given widget or one of its descendants.
func (s *Spec) within(of *Spec) bool {
	for ; s != nil; s = s.Parent {
		if s == of {
			return true
		}
	}
	return false
}
