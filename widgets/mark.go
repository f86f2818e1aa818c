package widgets

import (
	"image"
	"image/color"
	"path/filepath"
	"strings"

	"dashboard/config/value"
	"dashboard/control/notify"
	"dashboard/render"
	"dashboard/render/icon"
	"dashboard/render/picture"
)

// iconText is an icon as programs and samples name it.
func iconText(i value.Icon) string {
	if i.Name != "" {
		return icon.Prefix + i.Name
	}
	return i.File
}

// mark is an icon in a square: a glyph of Material Design Icons, or a picture of one color.
type mark struct {
	b    *Builder
	box  image.Rectangle
	name string
	mask *render.Mask
	film film
}

func (b *Builder) mark(box image.Rectangle) *mark { return &mark{b: b, box: box} }

// set shows the icon of a name and reports whether it is another one. A name that is not there shows nothing.
func (m *mark) set(name string) bool {
	if name == m.name {
		return false
	}
	m.name = name
	m.load()
	return true
}

// show shows a picture of the icon's size, or the sign for one that is still to come.
func (m *mark) show(pics notify.Icons) {
	m.set("mdi:image-outline")
	for _, p := range pics {
		if p != nil && p.Rect.Max.X <= m.box.Dx() && p.Rect.Max.Y <= m.box.Dy() {
			m.mask, m.film.pic = nil, p
			return
		}
	}
}

// place moves the icon to another square.
func (m *mark) place(box image.Rectangle) {
	if box == m.box {
		return
	}
	resized := box.Size() != m.box.Size()
	m.box = box
	if resized {
		m.load()
	}
}

func (m *mark) load() {
	m.mask, m.film.pic = nil, nil
	side := min(m.box.Dx(), m.box.Dy())
	if m.name == "" || side <= 0 {
		return
	}
	if glyph, ok := strings.CutPrefix(m.name, icon.Prefix); ok {
		if r, ok := icon.Lookup(glyph); ok {
			m.mask = m.b.Text.Icon(r, side)
		}
		return
	}
	m.film.pic = m.b.drawing(m.name, m.box.Size())
}

// paint draws the icon; a color, premultiplied, is that of glyphs.
func (m *mark) paint(c render.Canvas, col color.RGBA) {
	if m.mask != nil {
		c.Mask(m.mask, m.box.Min, col)
		return
	}
	if m.film.pic != nil {
		m.film.paint(c.In(m.box))
	}
}

// empty reports whether there is nothing to draw.
func (m *mark) empty() bool { return m.mask == nil && m.film.pic == nil }

// drawing is a picture of an icon; it is loaded when the tree is built and found again later.
func (b *Builder) drawing(path string, size image.Point) *picture.Picture {
	key := drawingKey{path, size}
	if p, ok := b.drawings[key]; ok {
		return p
	}
	if b.running {
		return nil // files are not read while the wall is painted
	}
	p, err := picture.Load(b.Files, path, size, picture.Contain, b.SmoothScaling)
	if err != nil {
		p = nil
	}
	b.drawings[key] = p
	return p
}

type drawingKey struct {
	path string
	size image.Point
}

// checkIcon reports an icon that there is not, with the names nearest to it.
func (b *Builder) checkIcon(s *Spec, key string, i value.Icon) {
	if i.Name != "" {
		if _, ok := icon.Lookup(i.Name); !ok {
			s.Errorf(key, "there is no icon '%s%s'%s", icon.Prefix, i.Name, alternatives(icon.Near(i.Name, 3)))
		}
		return
	}
	if ext := strings.ToLower(filepath.Ext(i.File)); ext != ".svg" && ext != ".png" {
		s.Errorf(key, "an icon is mdi:NAME or an SVG or PNG file, not '%s'", i.File)
	}
}

// alternatives lists names that may be meant.
func alternatives(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "; near: " + strings.Join(names, ", ")
}
