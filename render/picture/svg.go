package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"math"
	"strings"
)

// An SVG is drawn directly at its final size, so it is always sharp. There are four steps. First, the XML is read into a small tree
// (svgtree.go). Second, styles, transforms and references are resolved (svgstyle.go, svgwalk.go). Third, all shapes are written to one
// flat list of paths in a simple syntax (svgpath.go). Fourth, rasterx draws that list (svgdraw.go) with our scanner, which limits the work
// (svgscan.go).
//
// Text, embedded pictures, clip paths, masks, patterns, markers and filters are not drawn. The opacity of a group applies to each of its
// shapes separately. fill-rule evenodd is drawn like nonzero.
const (
	maxSVGBytes = 4 << 20 // maximum size of the file, in bytes. Tiles of weather maps have one or two megabytes
	// maxSVGElements bounds the elements of the tree. The same limit holds for the visits of elements, because an element that is
	// referenced several times is visited several times.
	maxSVGElements = 50_000
	maxSVGDepth    = 128      // maximum nesting of elements. Every level takes a recursive call
	maxSVGUses     = 16       // maximum nesting of <use> elements
	maxSVGText     = 8 << 20  // maximum size of the flat list, in bytes. References can repeat a long path
	smallSVGText   = 1 << 20  // maximum size of the flat list of a small drawing. decodeSVG first tries this limit
	maxSVGRead     = 64 << 20 // maximum number of bytes of attributes that are read: 16 times maxSVGBytes
	maxSVGSegments = 1 << 20  // maximum number of straight pieces of curves. They take 36 MB while the list of one path grows
	smallSegments  = 1 << 16  // maximum number of straight pieces of a small drawing
	maxSVGWork     = 1 << 29  // maximum work, in units. A painted pixel is one unit. The work takes one or two seconds on a small board
	gradientWork   = 64       // units for a pixel of a gradient, which takes 230 ns. A pixel of one color takes 2 ns
	// maxSVGNumber is the greatest coordinate after the multiplication by flatScale: half of rasterx's limit. This corresponds to a
	// million pixels.
	maxSVGNumber = 1 << 24
)

// errTooComplex is returned for a drawing that exceeds the limits. errNotSmall is returned if a drawing exceeds the limits of small
// drawings.
var (
	errTooComplex = fmt.Errorf("svg: %w: too complex", ErrTooLarge)
	errNotSmall   = errors.New("svg: not small")
)

// looksLikeSVG reports whether `data` has the root element of an SVG near its start, after declarations and comments.
func looksLikeSVG(data []byte) bool {
	const prologue = 4096 // some drawing programs write a long comment or list of entities first
	head := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
	return bytes.HasPrefix(head, []byte("<")) && bytes.Contains(head[:min(len(head), prologue)], []byte("<svg"))
}

// decodeSVG draws an SVG in its box.
func decodeSVG(data []byte, to target) (*Picture, error) {
	if len(data) > maxSVGBytes {
		return nil, fmt.Errorf("svg: %w: more than %d bytes", ErrTooLarge, maxSVGBytes)
	}
	p, err := within(to, "svg", to.box, svgBytes(data, to.box, smallSVG), func() (*Picture, error) { return drawSVG(data, to, smallSVG) })
	if !errors.Is(err, errNotSmall) {
		return p, err
	}
	return within(to, "svg", to.box, svgBytes(data, to.box, largeSVG), func() (*Picture, error) { return drawSVG(data, to, largeSVG) })
}

// An svgBound limits the flat list and the pieces of curves of a drawing. Without limits, a few bytes of a file could produce a very long
// list or very many pieces.
type svgBound struct {
	text, segments int
	err            error // error if a limit is exceeded
}

var (
	smallSVG = svgBound{smallSVGText, smallSegments, errNotSmall}
	largeSVG = svgBound{maxSVGText, maxSVGSegments, errTooComplex}
)

// drawSVG draws an SVG in its box, within the bounds of the argument `most`. The caller has already reserved the memory for these bounds.
func drawSVG(data []byte, to target, most svgBound) (*Picture, error) {
	root, err := parseSVG(data)
	if err != nil {
		return nil, err
	}
	vp, err := root.viewport()
	if err != nil {
		return nil, err
	}
	pl := place(vp.pixels(), to.box, to.fit)
	size := pl.rect.Size()
	flat, err := flatten(root, vp.onto(pl), most)
	if err != nil {
		return nil, err
	}
	img, err := drawFlat(flat, size, most)
	if err != nil {
		return nil, err
	}
	return &Picture{Frames: []Frame{{Img: img}}, Rect: pl.rect, Opaque: img.Opaque(), Drawing: true}, nil
}

// svgBytes returns the memory that drawing needs: the picture, its coverage, the elements with their maps of attributes, the flat list,
// path data and pieces of curves. While a list grows, the old and the new list exist, so svgBytes counts both.
func svgBytes(data []byte, size image.Point, most svgBound) int64 {
	const element, parsed, segment = 700, 4, 36
	n := int64(min(bytes.Count(data, []byte("<")), 2*maxSVGElements))
	lists := parsed*int64(most.text) + segment*int64(most.segments)
	return min(8*pixels(size)+element*n+4*int64(len(data))+lists, MaxMemory)
}

// drawFlat draws a flat list of paths on a picture of the given size. The transforms in the list convert coordinates to pixels.
func drawFlat(flat string, size image.Point, most svgBound) (img *image.RGBA, err error) {
	defer func() {
		if r := recover(); r == errTooComplex || r == errNotSmall {
			img, err = nil, r.(error)
		} else if r != nil {
			img, err = nil, fmt.Errorf("svg: cannot be drawn: %v", r)
		}
	}()
	img = image.NewRGBA(image.Rectangle{Max: size})
	if err := paintFlat(flat, size, &scanner{dst: img, most: most}); err != nil {
		return nil, fmt.Errorf("svg: %w", err)
	}
	return img, nil
}

// viewport is the size of an SVG in its own units, and the view box, which is scaled to this size.
type viewport struct {
	w, h      float64
	box       [4]float64 // x, y, width, height
	stretches bool       // true if preserveAspectRatio="none"
}

// viewport reads the size and the view box from the root element. A missing width or height is computed from the view box. If the view
// box is missing too, the size is 300x150, the default of browsers.
func (n *node) viewport() (viewport, error) {
	v := viewport{stretches: strings.HasPrefix(strings.TrimSpace(n.attrs["preserveAspectRatio"]), "none")}
	v.w, v.h = length(n.attrs["width"]), length(n.attrs["height"])
	box := numbers(n.attrs["viewBox"])
	if len(box) == 4 && box[2] > 0 && box[3] > 0 {
		copy(v.box[:], box)
	}
	switch hasBox := v.box[2] > 0; {
	case v.w > 0 && v.h > 0:
		if !hasBox {
			v.box[2], v.box[3] = v.w, v.h
		}
	case !hasBox:
		v.w, v.h = 300, 150
		v.box[2], v.box[3] = v.w, v.h
	case v.w > 0:
		v.h = v.w * v.box[3] / v.box[2]
	case v.h > 0:
		v.w = v.h * v.box[2] / v.box[3]
	default:
		v.w, v.h = v.box[2], v.box[3]
	}
	// widest is the limit for the size, the view box, and the ratios of their sides. Beyond this limit, rounding errors can be larger than
	// a pixel.
	const widest = 1e6
	for _, f := range []float64{v.w, v.h, v.box[2], v.box[3], v.w / v.h, v.h / v.w, v.box[2] / v.box[3], v.box[3] / v.box[2]} {
		if !(f > 1/widest && f < widest) {
			return v, fmt.Errorf("svg: size %gx%g cannot be shown", v.w, v.h)
		}
	}
	return v, nil
}

// pixels() returns a size in whole pixels with the same aspect ratio. If the SVG's own size is whole, it is returned unchanged.
func (v viewport) pixels() image.Point {
	k := 1.0
	if v.w != math.Trunc(v.w) || v.h != math.Trunc(v.h) {
		const fine = 4096
		k = fine / min(v.w, v.h)
	}
	return image.Pt(side(int64(math.Round(v.w*k))), side(int64(math.Round(v.h*k))))
}

// onto() returns the transform from the SVG's coordinates to the pixels of a placement.
func (v viewport) onto(pl placement) matrix {
	sx, sy := float64(pl.virt.X)/v.w, float64(pl.virt.Y)/v.h // scales from the viewport to the scaled picture
	kx, ky := v.w/v.box[2], v.h/v.box[3]                     // scales from the view box to the viewport, equal unless v.stretches is true
	if !v.stretches {
		kx = min(kx, ky)
		ky = kx
	}
	dx := (v.w-kx*v.box[2])/2 - kx*v.box[0]
	dy := (v.h-ky*v.box[3])/2 - ky*v.box[1]
	return matrix{sx * kx, 0, 0, sy * ky, sx*dx - float64(pl.win.Min.X), sy*dy - float64(pl.win.Min.Y)}
}
