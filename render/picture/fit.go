package picture

import "image"

// Fit is the way in which a picture fills its box.
type Fit int

const (
	// Contain shows the whole picture, centered and as large as possible. It keeps the aspect ratio.
	Contain Fit = iota
	// Cover fills the box completely and keeps the aspect ratio. The picture is centered, and parts outside the box are cut off.
	Cover
	// Stretch fills the box and ignores the aspect ratio.
	Stretch
	// Legacy is the default in configuration files of the program Grydgets. It does the same as Stretch if one side of the picture equals
	// the box's side and the other side is smaller. Otherwise it does the same as Contain.
	Legacy
	// CoverTopLeft is Cover with the picture's top left corner in the top left corner of the box. Grydgets uses it for background
	// pictures.
	CoverTopLeft
	// Preserve is Contain with the arithmetic of Grydgets' preserve_aspect_ratio, which truncates floating point numbers. So the picture
	// is sometimes one pixel smaller in both directions.
	Preserve
)

// maxVirtual bounds each side of the scaled picture before parts are cut off. Only Cover and CoverTopLeft can reach this bound, with a
// source that is only a few pixels wide or high. At the bound, the scale of the long side is inexact, which is invisible.
const maxVirtual = 1 << 24

// placement is the size of a scaled picture, the part of it that is visible, and the position of that part in the box.
type placement struct {
	virt image.Point     // size of the whole scaled picture
	win  image.Rectangle // the visible part of the picture
	rect image.Rectangle // rectangle of the visible part in the box. It has the same size as `win`
}

// place computes the placement of a picture of the given size in a box. Fractions are truncated. Every side is at least one pixel long.
func place(size, box image.Point, fit Fit) placement {
	if fit == Legacy {
		fit = Contain
		if size.X == box.X && size.Y < box.Y || size.Y == box.Y && size.X < box.X {
			fit = Stretch
		}
	}
	var pl placement
	switch pl.virt = box; fit {
	case Contain:
		pl.virt = proportional(size, box, false)
	case Cover, CoverTopLeft:
		pl.virt = proportional(size, box, true)
	case Preserve:
		pl.virt = preserved(size, box)
	}
	shown := image.Pt(min(pl.virt.X, box.X), min(pl.virt.Y, box.Y))
	pl.win = image.Rectangle{Max: shown}
	if fit == Cover {
		pl.win = pl.win.Add(pl.virt.Sub(shown).Div(2))
	}
	pl.rect = image.Rectangle{Max: shown}.Add(box.Sub(shown).Div(2))
	return pl
}

// proportional() scales `size` and keeps the aspect ratio. If `cover` is true, the result just covers the box. Otherwise it just fits into
// the box.
func proportional(size, box image.Point, cover bool) image.Point {
	w, h := int64(size.X), int64(size.Y)
	bw, bh := int64(box.X), int64(box.Y)
	wide := w*bh > h*bw // the picture is wider than the box, relative to its height
	if wide != cover {
		return image.Pt(box.X, side(bw*h/w))
	}
	return image.Pt(side(bh*w/h), box.Y)
}

// preserved() scales `size` as the fit Preserve does.
func preserved(size, box image.Point) image.Point {
	ratio := min(float64(box.X)/float64(size.X), float64(box.Y)/float64(size.Y))
	return image.Pt(side(int64(float64(size.X)*ratio)), side(int64(float64(size.Y)*ratio)))
}

func side(n int64) int { return int(min(max(n, 1), maxVirtual)) }
