package picture

import "image"

// Fit is the method by which a picture fills its box.
type Fit int

const (
	// Contain shows the whole picture as large as possible, with its aspect ratio, centered.
	Contain Fit = iota
	// Cover fills the box, with the picture's aspect ratio, centered. The excess is cut off.
	Cover
	// Stretch fills the box and ignores the aspect ratio.
	Stretch
	// Legacy is the rule of Grydgets without configuration. It is Stretch if one side already equals the box's side and the other
	// is smaller. Otherwise it is Contain.
	Legacy
	// CoverTopLeft is Cover, but keeps the top left corner of the picture. Grydgets uses this rule for background pictures.
	CoverTopLeft
	// Preserve is Contain as Grydgets computes it for preserve_aspect_ratio: with truncated floating point numbers. So the picture
	// is sometimes a pixel too small in both directions.
	Preserve
)

// maxVirtual is the maximum size of the scaled picture before parts are cut off. It is only reached by Cover for a source that is
// a few pixels thin, where an inexact factor for the long side is invisible.
const maxVirtual = 1 << 24

// placement is the visible part of a scaled picture, and its position.
type placement struct {
	virt image.Point     // size of the whole scaled picture
	win  image.Rectangle // the visible part of the picture
	rect image.Rectangle // position of the visible part in the box, with the size of win
}

// place computes the placement of a picture of the given size. Fractions are truncated. No side is less than one pixel.
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

// proportional scales size until one side equals the box: with cover the last side to reach it, otherwise the first.
func proportional(size, box image.Point, cover bool) image.Point {
	w, h := int64(size.X), int64(size.Y)
	bw, bh := int64(box.X), int64(box.Y)
	wide := w*bh > h*bw // the picture's aspect ratio is wider than the box's
	if wide != cover {
		return image.Pt(box.X, side(bw*h/w))
	}
	return image.Pt(side(bh*w/h), box.Y)
}

// preserved scales size by the smaller ratio to the box.
func preserved(size, box image.Point) image.Point {
	ratio := min(float64(box.X)/float64(size.X), float64(box.Y)/float64(size.Y))
	return image.Pt(side(int64(float64(size.X)*ratio)), side(int64(float64(size.Y)*ratio)))
}

func side(n int64) int { return int(min(max(n, 1), maxVirtual)) }
