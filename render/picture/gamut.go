package picture

import (
	"encoding/binary"
	"image"
	"math"
	"sync"
)

const (
	// `full` is linear light at its maximum.
	full = 1<<16 - 1
	// unit represents 1 in a matrix.
	unit = 1 << 14
)

// A gamut converts colors of a profile to sRGB. There are three steps: from levels to linear light, by a matrix to linear sRGB, and back
// to levels (ICC.1:2022, annex F.3).
type gamut struct {
	linear [3][256]int32 // linear light, 0 to full, for each level of red, green and blue
	matrix [3][3]int64   // conversion to linear sRGB. unit represents 1
}

// convert converts a still picture to sRGB if its file contains a profile for other colors.
func (p *Picture) convert(data []byte) {
	if len(p.Frames) != 1 {
		return
	}
	if g := readGamut(profileOf(data)); g != nil {
		g.apply(p.Frames[0].Img)
	}
}

// apply converts every pixel of `img`. Its colors are premultiplied.
func (g *gamut) apply(img *image.RGBA) {
	back := levels()
	for i := 0; i+3 < len(img.Pix); i += 4 {
		p := img.Pix[i : i+4 : i+4]
		alpha := uint32(p[3])
		if alpha == 0 {
			continue
		}
		var from [3]int64
		for c := range 3 {
			level := min(uint32(p[c])*255/alpha, 255)
			from[c] = int64(g.linear[c][level])
		}
		for c := range 3 {
			m := &g.matrix[c]
			sum := (m[0]*from[0] + m[1]*from[1] + m[2]*from[2] + unit/2) / unit
			p[c] = uint8((uint32(back[min(max(sum, 0), full)])*alpha + 127) / 255)
		}
	}
}

// levels returns a table with the sRGB level for every value of linear light.
var levels = sync.OnceValue(func() *[full + 1]uint8 {
	table := new([full + 1]uint8)
	level := 0
	for v := range table {
		for level < 255 && float64(v) >= full*toLinear((float64(level)+0.5)/255) {
			level++
		}
		table[v] = uint8(level)
	}
	return table
})

// toLinear converts an sRGB value to linear light, both from 0 to 1 (IEC 61966-2-1).
func toLinear(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// Offsets, lengths and bounds for a profile, in bytes (ICC.1:2022, section 7).
const (
	spaceAt, connectionAt, tagsAt = 16, 20, 128
	tagSize                       = 12
	maxTags                       = 100 // usual profiles have 9 to 20 tags
)

// readGamut reads a profile that consists of a matrix and three curves. It returns nil for every other kind of profile, and for sRGB,
// which needs no conversion.
func readGamut(profile []byte) *gamut {
	if len(profile) < tagsAt+4 || string(profile[spaceAt:][:4]) != "RGB " || string(profile[connectionAt:][:4]) != "XYZ " {
		return nil
	}
	g := &gamut{}
	sameCurves, ok := g.readCurves(profile)
	if !ok {
		return nil
	}
	sameColors, ok := g.readMatrix(profile)
	if !ok || sameCurves && sameColors {
		return nil
	}
	return g
}

var channels = [3]string{"r", "g", "b"}

// readCurves reads the curves of red, green and blue. `same` is true if all three differ from the curve of sRGB by less than one level of
// 255.
func (g *gamut) readCurves(profile []byte) (same, ok bool) {
	same = true
	for c, name := range channels {
		curve := readCurve(tagOf(profile, name+"TRC"))
		if curve == nil {
			return false, false
		}
		for level := range 256 {
			v := curve(float64(level) / 255)
			if math.IsNaN(v) {
				return false, false
			}
			v = min(max(v, 0), 1)
			g.linear[c][level] = int32(math.Round(v * full))
			same = same && v > toLinear(float64(level-1)/255) && v < toLinear(float64(level+1)/255)
		}
	}
	return same, true
}

// readMatrix reads the primary colors of the profile. `same` is true if they equal the primaries of sRGB.
func (g *gamut) readMatrix(profile []byte) (same, ok bool) {
	var own primaries
	for c, name := range channels {
		xyz, ok := readXYZ(tagOf(profile, name+"XYZ"))
		if !ok {
			return false, false
		}
		for row := range 3 {
			own[row][c] = xyz[row]
		}
	}
	same = true
	for row, values := range srgb.inverse().times(own) {
		for c, v := range values {
			if math.Abs(v) > most {
				return false, false
			}
			g.matrix[row][c] = int64(math.Round(v * unit))
			same = same && math.Abs(v-srgbShare(row, c)) < nearly
		}
	}
	return same, true
}

// srgbShare returns an entry of the identity matrix: 1 if row equals c, otherwise 0.
func srgbShare(row, c int) float64 {
	if row == c {
		return 1
	}
	return 0
}

const (
	nearly = 0.005 // a smaller difference from sRGB changes a bright color by less than one level of 255
	most   = 100   // greatest allowed matrix entry. Wide color spaces have entries up to 3
)

// tagOf returns the data of the profile's tag with the given name, or nil if there is no such tag.
func tagOf(profile []byte, name string) []byte {
	n := min(binary.BigEndian.Uint32(profile[tagsAt:]), maxTags)
	for tags := profile[tagsAt+4:]; n > 0 && len(tags) >= tagSize; n, tags = n-1, tags[tagSize:] {
		at, size := uint64(binary.BigEndian.Uint32(tags[4:])), uint64(binary.BigEndian.Uint32(tags[8:]))
		if string(tags[:4]) == name && at+size <= uint64(len(profile)) {
			return profile[at : at+size]
		}
	}
	return nil
}

// fixed16 converts a fixed-point number with 16 fraction bits to a float64.
func fixed16(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) / (1 << 16) }

// readXYZ reads a color in XYZ (section 10.31).
func readXYZ(tag []byte) (xyz [3]float64, ok bool) {
	if len(tag) < 20 || string(tag[:4]) != "XYZ " {
		return xyz, false
	}
	for i := range xyz {
		xyz[i] = fixed16(tag[8+4*i:])
	}
	return xyz, true
}

// readCurve reads a curve that maps 0..1 to 0..1 (sections 10.6 and 10.18). It returns nil if the curve is unreadable.
func readCurve(tag []byte) func(float64) float64 {
	switch {
	case len(tag) < 12:
		return nil
	case string(tag[:4]) == "para":
		return formula(binary.BigEndian.Uint16(tag[8:]), tag[12:])
	case string(tag[:4]) != "curv":
		return nil
	}
	n, values := int(min(binary.BigEndian.Uint32(tag[8:]), maxProfile)), tag[12:]
	switch {
	case n == 0:
		return func(v float64) float64 { return v }
	case len(values) < 2*n:
		return nil
	case n == 1:
		power := float64(binary.BigEndian.Uint16(values)) / 256
		return func(v float64) float64 { return math.Pow(v, power) }
	}
	return func(v float64) float64 {
		at := v * float64(n-1)
		i := min(int(at), n-2)
		low, high := float64(binary.BigEndian.Uint16(values[2*i:])), float64(binary.BigEndian.Uint16(values[2*i+2:]))
		return (low + float64((high-low)*(at-float64(i)))) / full
	}
}

// formula returns the curve of a parametric tag. `kind` is the function type, and `values` holds its parameters g a b c d e f, in this
// order (table 68).
func formula(kind uint16, values []byte) func(float64) float64 {
	counts := [...]int{1, 3, 4, 5, 7}
	if int(kind) >= len(counts) || len(values) < 4*counts[kind] {
		return nil
	}
	var p [7]float64
	for i := range counts[kind] {
		p[i] = fixed16(values[4*i:])
	}
	g, a, b, c, d, e, f := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	switch kind {
	case 0:
		a, d = 1, 0
	case 1:
		c, d = 0, -b/a
	case 2:
		d, e, f, c = -b/a, c, c, 0
	}
	return func(v float64) float64 {
		if v < d {
			return float64(c*v) + f
		}
		return math.Pow(float64(a*v)+b, g) + e
	}
}

// primaries is a matrix. Its columns are red, green and blue, and its rows are X, Y and Z.
type primaries [3][3]float64

// srgb contains the primaries of sRGB in the profile connection space, as in the profile of IEC 61966-2-1.
var srgb = primaries{{0.43607, 0.38515, 0.14307}, {0.22249, 0.71687, 0.06061}, {0.01392, 0.09708, 0.71410}}

func (m primaries) times(n primaries) (p primaries) {
	for i := range 3 {
		for j := range 3 {
			p[i][j] = float64(m[i][0]*n[0][j]) + float64(m[i][1]*n[1][j]) + float64(m[i][2]*n[2][j])
		}
	}
	return p
}

// inverse() returns the inverse matrix, computed from the cofactors. m must be invertible.
func (m primaries) inverse() (inv primaries) {
	minor := func(i, j int) float64 {
		a, b, c, d := (i+1)%3, (i+2)%3, (j+1)%3, (j+2)%3
		return float64(m[a][c]*m[b][d]) - float64(m[a][d]*m[b][c])
	}
	whole := float64(m[0][0]*minor(0, 0)) + float64(m[0][1]*minor(0, 1)) + float64(m[0][2]*minor(0, 2))
	for i := range 3 {
		for j := range 3 {
			inv[j][i] = minor(i, j) / whole
		}
	}
	return inv
}
