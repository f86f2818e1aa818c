package picture

import "image"

// Fit is the way a picture fills its box.
type Fit int

const (
	// Contain shows all of the picture, as large as fits, aspect ratio kept, centred.
	Contain Fit = iota
	// Cover fills the box, aspect ratio kept, centered. The excess is cut off.
	Cover
	// Stretch fills the box and ignores the aspect ratio.
	Stretch
	// Legacy is the rule of Grydgets without configuration: Contain, unless one side already equals the box's side and
	// the other is smaller. Then it is Stretch.
	Legacy
	// CoverTopLeft is Cover with the top left corner of the picture kept: the rule of Grydgets' background pictures.
	CoverTopLeft
	// Preserve is Contain as Grydgets computes it for preserve_aspect_ratio: with floating point numbers whose
	// fractions are cut off, so that the picture is sometimes a pixel smaller than its box both ways.
	Preserve
)

// maxVirtual bounds the size a picture would have if nothing were cut off. Only Cover of a source a few pixels thin
// comes here. The factor of its long side is unseeable then.
const maxVirtual = 1 << 24

// placement is the visible part of a scaled picture, and its place.
type placement struct {
	virt image.Point     // size of the whole picture, scaled
	win  image.Rectangle // the part of it that is shown
	rect image.Rectangle // where that part lies in the box, as large as win
}

// place finds the placement of a picture of the given size. Fractions are truncated, no side is less than a pixel.
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

// proportional scales size until one side equals the box: the first side to reach it, or with cover the last.
func proportional(size, box image.Point, cover bool) image.Point {
	w, h := int64(size.X), int64(size.Y)
	bw, bh := int64(box.X), int64(box.Y)
	wide := w*bh > h*bw // the picture is wider in proportion than the box
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
