package kit

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

// Mark is a square icon: a glyph of Material Design Icons, or a picture.
type Mark struct {
	b    *Builder
	Box  image.Rectangle
	Name string
	mask *render.Mask
	Film Film
}

// Mark returns an empty icon in a box.
func (b *Builder) Mark(box image.Rectangle) *Mark { return &Mark{b: b, Box: box} }

// Set sets the icon by name and reports whether it changed. For an unknown name, nothing is shown.
func (m *Mark) Set(name string) bool {
	if name == m.Name {
		return false
	}
	m.Name = name
	m.Load()
	return true
}

// Show shows the first picture that fits into the icon's square. If no such picture is loaded yet, it shows a placeholder icon.
func (m *Mark) Show(pics notify.Icons) {
	m.Set("mdi:image-outline")
	for _, p := range pics {
		if p != nil && p.Rect.Max.X <= m.Box.Dx() && p.Rect.Max.Y <= m.Box.Dy() {
			m.mask, m.Film.Pic = nil, p
			return
		}
	}
}

// Place moves the icon to another square.
func (m *Mark) Place(box image.Rectangle) {
	if box == m.Box {
		return
	}
	resized := box.Size() != m.Box.Size()
	m.Box = box
	if resized {
		m.Load()
	}
}

// Load loads the glyph or the picture of the icon.
func (m *Mark) Load() {
	m.mask, m.Film.Pic = nil, nil
	side := min(m.Box.Dx(), m.Box.Dy())
	if m.Name == "" || side <= 0 {
		return
	}
	if glyph, ok := strings.CutPrefix(m.Name, icon.Prefix); ok {
		if r, ok := icon.Lookup(glyph); ok {
			m.mask = m.b.Text.Icon(r, side)
		}
		return
	}
	m.Film.Pic = m.b.drawing(m.Name, m.Box.Size())
}

// Paint draws the icon. A glyph has the premultiplied color col.
func (m *Mark) Paint(c render.Canvas, col color.RGBA) {
	if m.mask != nil {
		c.Mask(m.mask, m.Box.Min, col)
		return
	}
	if m.Film.Pic != nil {
		m.Film.Paint(c.In(m.Box))
	}
}

// empty() reports whether there is no icon to draw.
func (m *Mark) empty() bool { return m.mask == nil && m.Film.Pic == nil }

// drawing() returns the picture of an icon file. The file is loaded while the tree is built, and the picture is cached.
func (b *Builder) drawing(path string, size image.Point) *picture.Picture {
	key := drawingKey{path, size}
	if p, ok := b.drawings[key]; ok {
		return p
	}
	if b.Running {
		return nil // no files may be read while the wall is painted
	}
	p, err := b.Load(path, size, picture.Contain)
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

// CheckIcon reports an icon that does not exist, with the most similar names. It also reports an icon file that cannot be read.
func (b *Builder) CheckIcon(s *Spec, key string, i value.Icon) {
	if i.Name != "" {
		if _, ok := icon.Lookup(i.Name); !ok {
			s.Errorf(key, "there is no icon '%s%s'%s", icon.Prefix, i.Name, alternatives(icon.Near(i.Name, 3)))
		}
		return
	}
	if ext := strings.ToLower(filepath.Ext(i.File)); ext != ".svg" && ext != ".png" {
		s.Errorf(key, "an icon is mdi:NAME or an SVG or PNG file, not '%s'", i.File)
		return
	}
	b.checkDrawing(s, key, i)
}

// alternatives() returns a text with the names that the user may have meant.
func alternatives(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "; near: " + strings.Join(names, ", ")
}
