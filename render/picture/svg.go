package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"math"
	"strings"
)

// An SVG is drawn at its final size, and never enlarged from a bitmap. There are four steps. First, a small tree is read from the
// XML (svgtree.go). Second, styles, transforms and references are resolved (svgstyle.go, svgwalk.go). Third, one flat list of paths
// in a plain form is written (svgpath.go). Fourth, rasterx draws that list (svgdraw.go) with our scanner, which counts the work
// (svgscan.go).
//
// Not drawn: text, embedded pictures, clip paths, masks, patterns, markers and filters. The opacity of a group applies
// to each of its shapes separately, and fill-rule evenodd is drawn as nonzero.
const (
	maxSVGBytes    = 4 << 20  // bytes of the file. Tiles of weather maps reach one or two megabytes
	maxSVGElements = 50_000   // elements of the tree, and elements visited through references
	maxSVGDepth    = 128      // nested elements. Every level is a call
	maxSVGUses     = 16       // nested <use> elements
	maxSVGText     = 8 << 20  // bytes of the flat list. References may repeat a long path
	smallSVGText   = 1 << 20  // share of that limit for a drawing that starts without waiting
	maxSVGRead     = 64 << 20 // bytes of attributes that are read: sixteen times the largest file
	maxSVGSegments = 1 << 20  // segments of flattened curves: 36 MB while the list of one path grows
	smallSegments  = 1 << 16  // share of that limit for a drawing that starts without waiting
	maxSVGWork     = 1 << 29  // touched pixels, one unit each: a second or two on a small board
	gradientWork   = 64       // units for a pixel with a computed color, which takes 230 ns instead of 2
	maxSVGNumber   = 1 << 24  // greatest flattened coordinate, half of what rasterx can hold: a million pixels away, see flatScale
)

// errTooComplex is the error of a hostile drawing. errNotSmall means that a drawing needs more memory.
var (
	errTooComplex = fmt.Errorf("svg: %w: too complex", ErrTooLarge)
	errNotSmall   = errors.New("svg: not small")
)

// looksLikeSVG searches for the root element after declarations and comments.
func looksLikeSVG(data []byte) bool {
	const prologue = 4096 // drawing programs write a comment or a list of entities there
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

// An svgBound bounds the references, dashes and curves of a drawing, because a few bytes can multiply them.
type svgBound struct {
	text, segments int
	err            error // beyond it
}

var (
	smallSVG = svgBound{smallSVGText, smallSegments, errNotSmall}
	largeSVG = svgBound{maxSVGText, maxSVGSegments, errTooComplex}
)

// drawSVG is decodeSVG after the budget has granted the memory.
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

// svgBytes returns the memory of the picture, its coverage, the elements with their maps of attributes, and the lists of flat text,
// path data and segments. A list that grows exists twice for a moment.
func svgBytes(data []byte, size image.Point, most svgBound) int64 {
	const element, parsed, segment = 700, 4, 36
	n := int64(min(bytes.Count(data, []byte("<")), 2*maxSVGElements))
	lists := parsed*int64(most.text) + segment*int64(most.segments)
	return min(8*pixels(size)+element*n+4*int64(len(data))+lists, MaxMemory)
}

// drawFlat draws a flat list of paths. Their transforms lead to pixels.
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

// viewport is the size of a picture in its own units, and the part of its coordinates that fills that size.
type viewport struct {
	w, h      float64
	box       [4]float64 // x, y, width, height
	stretches bool       // preserveAspectRatio="none"
}

// viewport reads the attributes of the root. If they are missing, the size is the default size of replaced elements on the web.
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
	const widest = 1e6 // also bounds the ratio of the sides. Beyond it, floats are not exact to a pixel
	for _, f := range []float64{v.w, v.h, v.box[2], v.box[3], v.w / v.h, v.h / v.w, v.box[2] / v.box[3], v.box[3] / v.box[2]} {
		if !(f > 1/widest && f < widest) {
			return v, fmt.Errorf("svg: size %gx%g cannot be shown", v.w, v.h)
		}
	}
	return v, nil
}

// pixels returns a size in whole pixels with the same proportions. If the picture's own size is whole, pixels returns that.
func (v viewport) pixels() image.Point {
	k := 1.0
	if v.w != math.Trunc(v.w) || v.h != math.Trunc(v.h) {
		const fine = 4096
		k = fine / min(v.w, v.h)
	}
	return image.Pt(side(int64(math.Round(v.w*k))), side(int64(math.Round(v.h*k))))
}

// onto returns the transform from the picture's coordinates to the pixels of a placement.
func (v viewport) onto(pl placement) matrix {
	sx, sy := float64(pl.virt.X)/v.w, float64(pl.virt.Y)/v.h // the box stretches the whole viewport …
	kx, ky := v.w/v.box[2], v.h/v.box[3]                     // … in which the view box keeps its ratio, centered
	if !v.stretches {
		kx = min(kx, ky)
		ky = kx
	}
	dx := (v.w-kx*v.box[2])/2 - kx*v.box[0]
	dy := (v.h-ky*v.box[3])/2 - ky*v.box[1]
	return matrix{sx * kx, 0, 0, sy * ky, sx*dx - float64(pl.win.Min.X), sy*dy - float64(pl.win.Min.Y)}
}
