package picture

import (
	"errors"
	"image"
)

// groupBytes is the maximum memory of one group of Huffman codes in golang.org/x/image. Each of the group's 3,136 symbols (with a color
// cache of 11 bits) needs two nodes of 8 bytes. Each of its five tables needs 536 bytes.
const groupBytes = 3136*2*8 + 5*536

// errVP8L is returned for damaged lossless data.
var errVP8L = errors.New("webp: the lossless part is damaged")

// webpTables returns how much memory the Huffman groups need during decoding (RFC 9649, section 3.7.2.2). A small picture can have many
// groups, because a group takes only a few bytes of the file.
func webpTables(chunks []byte, size image.Point) (int64, error) {
	var total int64
	for id, payload, rest := riffChunk(chunks); id != ""; id, payload, rest = riffChunk(rest) {
		var n int
		var err error
		switch {
		case id == "VP8L" && len(payload) > 5:
			n, err = groupsOf(payload[5:], size)
		case id == "ALPH" && len(payload) > 1 && payload[0]&3 == 1: // alpha channel with lossless compression
			n, err = groupsOf(payload[1:], size)
		}
		if err != nil {
			return 0, err
		}
		total += int64(n) * groupBytes
	}
	return total, nil
}

// groupsOf counts the Huffman groups of a lossless stream, given without its header. It reads the transforms and the image with the group
// numbers, but not the groups themselves.
func groupsOf(data []byte, size image.Point) (int, error) {
	r := &vp8l{data: data}
	w, h := size.X, size.Y
	for n := 0; r.read(1) == 1; n++ {
		if n == 4 || r.over {
			return 0, errVP8L
		}
		switch r.read(2) {
		case 0, 1: // predictor or cross color
			bits := r.read(3) + 2
			r.image(tiles(w, bits), tiles(h, bits))
		case 3: // color indexing
			colors := r.read(8) + 1
			r.image(colors, 1)
			w = tiles(w, packing(colors))
		}
	}
	if r.read(1) == 1 { // a color cache
		r.read(4)
	}
	if r.read(1) == 0 {
		return 1, r.err()
	}
	bits := r.read(3) + 2
	return countGroups(r.image(tiles(w, bits), tiles(h, bits))), r.err()
}

// countGroups returns the number of groups for which a decoder allocates memory: the largest group number plus one. If the largest group
// number is at least 1000, or at least the number of pixels, the decoder allocates only the used groups.
func countGroups(pix []uint32) int {
	seen, most := map[uint32]bool{}, uint32(0)
	for _, p := range pix {
		i := p >> 8 & 0xffff
		seen[i], most = true, max(most, i)
	}
	if most >= 1000 || int(most) >= len(pix) {
		return len(seen)
	}
	return int(most) + 1
}

// tiles() returns how many tiles of 1<<bits pixels cover the given length.
func tiles(length, bits int) int { return (length + 1<<bits - 1) >> bits }

// packing returns the binary logarithm of the number of pixels that share a byte. Several pixels share a byte if there are only a few
// colors.
func packing(colors int) int {
	switch {
	case colors <= 2:
		return 3
	case colors <= 4:
		return 2
	case colors <= 16:
		return 1
	}
	return 0
}

// vp8l reads bits from data, the lowest bit of each byte first. After the end of the data, it
// returns zeros and sets the field `over` to true.
type vp8l struct {
	data []byte
	pos  int // position in bits
	bad  bool
	over bool // true if the reader went past the end of the data
}

func (r *vp8l) err() error {
	if r.bad || r.over {
		return errVP8L
	}
	return nil
}

func (r *vp8l) read(n int) (v int) {
	for i := range n {
		if r.pos>>3 >= len(r.data) {
			r.over = true
			return v
		}
		v |= int(r.data[r.pos>>3]>>(r.pos&7)&1) << i
		r.pos++
	}
	return v
}

// image decodes an image that uses one group of codes (section 3.7.3). It returns nil if the data is damaged or too short.
func (r *vp8l) image(w, h int) []uint32 {
	cacheBits := 0
	if r.read(1) == 1 {
		cacheBits = r.read(4)
	}
	if cacheBits > 11 {
		r.bad = true
		return nil
	}
	var codes [5]code
	for i, n := range [5]int{256 + 24, 256, 256, 256, 40} {
		if i == 0 && cacheBits > 0 {
			n += 1 << cacheBits
		}
		codes[i] = r.code(n)
	}
	if r.err() != nil {
		return nil
	}
	return r.pixels(&codes, w, make([]uint32, 0, w*h), cacheBits)
}

// pixels() decodes pixels until `pix` has reached its capacity.
func (r *vp8l) pixels(codes *[5]code, w int, pix []uint32, cacheBits int) []uint32 {
	cache, cached := make([]uint32, 1<<cacheBits), 0
	for len(pix) < cap(pix) && r.err() == nil {
		switch s := r.symbol(&codes[0]); {
		case s < 256:
			red, blue, alpha := r.symbol(&codes[1]), r.symbol(&codes[2]), r.symbol(&codes[3])
			pix = append(pix, uint32(alpha)<<24|uint32(red)<<16|uint32(s)<<8|uint32(blue))
		case s < 256+24:
			n := r.parameter(s - 256)
			from := len(pix) - distance(w, r.parameter(r.symbol(&codes[4])))
			if from < 0 || n > cap(pix)-len(pix) {
				r.bad = true
				return nil
			}
			for ; n > 0; n, from = n-1, from+1 {
				pix = append(pix, pix[from])
			}
		default:
			for ; cached < len(pix); cached++ {
				const multiplier = 0x1e35a7bd
				cache[pix[cached]*multiplier>>(32-cacheBits)] = pix[cached]
			}
			pix = append(pix, cache[s-256-24])
		}
	}
	return pix
}

// parameter reads the rest of a length or distance whose symbol was read before (section 3.6.2.2.1).
func (r *vp8l) parameter(symbol int) int {
	if symbol < 4 {
		return symbol + 1
	}
	extra := (symbol - 2) >> 1
	return (2+symbol&1)<<extra + r.read(extra) + 1
}
