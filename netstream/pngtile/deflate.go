package pngtile

import (
	"encoding/binary"
	"math/bits"
)

const (
	hashBits  = 13 // 8,192 entries of four bytes, small enough for the level-one cache
	window    = 32768
	minMatch  = 4 // number of bytes that are hashed
	maxMatch  = 258
	maxTokens = 1 << 14 // approximate maximum number of tokens in a block. The description of a block's codes takes about 60 bytes

	maxLiterals = 256 // maximum number of literals that one step adds
)

// A token is a literal byte, or matchFlag | (length-3)<<16 | distance-1.
const matchFlag = 1 << 31

// deflater compresses one band at a time. It writes blocks, each with its own Huffman codes.
type deflater struct {
	table   [1 << hashBits]int32 // for each hash, the position of the most recent four bytes with this hash, plus base
	base    int32
	last    int32 // length of the present band
	tokens  []uint32
	literal huffman
	dist    huffman
	lengths huffman
	runs    []uint16 // code lengths after run-length coding: symbol | extra bits<<8
	w       bitWriter

	bytesOf, matchesOf [256]uint32 // working memory of body()
}

func newDeflater() *deflater {
	return &deflater{
		base:   1,
		tokens: make([]uint32, 0, maxTokens+maxLiterals),
		runs:   make([]uint16, 0, literalSymbols+distanceSymbols),
	}
}

// deflate compresses `raw` and appends the result to dst, with a full flush at the end. Each row of `raw` has `line` bytes. Bit i of the
// mask `same` is set if row i equals the row above it. Consecutive rows of this kind become one long match.
func (d *deflater) deflate(dst, raw []byte, line int, same uint32) []byte {
	d.w = bitWriter{buf: dst}
	d.forget(len(raw))
	if line > window {
		same = 0 // do not use `same`, because the row above is outside the window
	}
	for i, row := 0, 0; i < len(raw); {
		n := bits.TrailingZeros32(^(same >> row))
		if n > 0 {
			d.put(n*line, line)
		} else {
			n = min(bits.TrailingZeros32(same>>row), (len(raw)-i+line-1)/line)
			d.match(raw, i, min(i+n*line, len(raw)), line)
		}
		i, row = i+n*line, row+n
	}
	if len(d.tokens) > 0 {
		d.block()
	}
	d.w.flush()
	return d.w.buf
}

// forget prepares the hash table for a new band of n bytes. It increases the field `base`, so that all positions from earlier bands
// become negative and are not used.
func (d *deflater) forget(n int) {
	const enough = 1 << 30
	if d.base > enough {
		clear(d.table[:])
		d.base = 1
	}
	d.base += d.last
	d.last = int32(n)
}

func hash(v uint32) uint32 { return v * 2654435761 >> (32 - hashBits) }

// match converts raw[i:end], which consists of complete rows, to literals and matches. It first looks for a repeated pixel, because most
// of a dashboard consists of runs of one color. Then it compares with the row above, and then with the most recent position that had the
// same four bytes. If nothing matches, it adds literals. In unfiltered rows, it adds the literals of a whole pixel, so that matches begin
// at pixels. After many misses, it adds more literals at a time, to save time.
func (d *deflater) match(raw []byte, i, end, line int) {
	next, pixels, misses := i, false, 0
	reach := line
	if line > window {
		reach = len(raw)
	}
	for i+minMatch <= end {
		for i >= next {
			pixels = raw[next] == filterNone
			next += line
		}
		from := d.candidate(raw, i, reach)
		if from >= 0 {
			n := minMatch + extend(raw[:end], i+minMatch, from+minMatch)
			d.put(n, i-from)
			i += n
			misses = 0
			continue
		}
		misses++
		n := 1 + misses>>6
		if pixels {
			n = (next-i+pixelBytes-1)%pixelBytes + 1 + misses>>6*pixelBytes
		}
		i = d.literals(raw, i, min(n, end-i, maxLiterals))
	}
	d.literals(raw, i, end-i)
}

// candidate returns an earlier position with the same four bytes as position i, or -1. It tries the previous pixel, the position i-reach,
// and the hash table.
func (d *deflater) candidate(raw []byte, i, reach int) int {
	v := binary.LittleEndian.Uint32(raw[i:])
	if i >= pixelBytes && v == binary.LittleEndian.Uint32(raw[i-pixelBytes:]) {
		return i - pixelBytes
	}
	if i >= reach && v == binary.LittleEndian.Uint32(raw[i-reach:]) {
		return i - reach
	}
	slot := &d.table[hash(v)]
	from := int(*slot - d.base)
	*slot = int32(i) + d.base
	if from >= 0 && i-from <= window && v == binary.LittleEndian.Uint32(raw[from:]) {
		return from
	}
	return -1
}

// literals() adds n literals from position i on, and returns the position after them. n must not exceed maxLiterals.
func (d *deflater) literals(raw []byte, i, n int) int {
	t := d.tokens
	for _, b := range raw[i : i+n] {
		t = append(t, uint32(b))
		d.literal.freq[b]++
	}
	d.tokens = t
	if len(t) >= maxTokens {
		d.block()
	}
	return i + n
}

// extend returns how many bytes from position a on equal the bytes from position b on. b must be less than a.
func extend(raw []byte, a, b int) int {
	start := a
	for a+8 <= len(raw) {
		x := binary.LittleEndian.Uint64(raw[a:]) ^ binary.LittleEndian.Uint64(raw[b:])
		if x != 0 {
			return a - start + bits.TrailingZeros64(x)>>3
		}
		a, b = a+8, b+8
	}
	for a < len(raw) && raw[a] == raw[b] {
		a, b = a+1, b+1
	}
	return a - start
}

// put adds a match of any length. It splits the match into pieces of three to maxMatch bytes.
func (d *deflater) put(n, distance int) {
	code := distanceCode(distance)
	for n > 0 {
		piece := min(n, maxMatch)
		if rest := n - piece; rest > 0 && rest < 3 {
			piece -= 3
		}
		n -= piece
		d.tokens = append(d.tokens, matchFlag|uint32(piece-3)<<16|uint32(distance-1))
		d.literal.freq[lengthCode[piece-3]]++
		d.dist.freq[code]++
		if len(d.tokens) >= maxTokens {
			d.block()
		}
	}
}

// lengthCode contains the symbol for each match length (RFC 1951, 3.2.5). The index is length-3.
var lengthCode = func() (t [256]uint16) {
	for i := range t {
		symbol := 257 + i
		if i >= 8 {
			shift := bits.Len(uint(i)) - 3
			symbol = 257 + 4*shift + i>>shift
		}
		t[i] = uint16(symbol)
	}
	t[maxMatch-3] = 285
	return t
}()

// lengthExtra returns the number of extra bits of a length symbol. The extra bits are the lowest bits of length-3.
func lengthExtra(symbol uint16) uint {
	if symbol < 265 || symbol == 285 {
		return 0
	}
	return uint(symbol-261) >> 2
}

// distanceCode returns the symbol for a distance.
func distanceCode(distance int) int {
	v := uint(distance - 1)
	if v < 4 {
		return int(v)
	}
	shift := uint(bits.Len(v) - 2)
	return int(2*shift + v>>shift)
}

func distanceExtra(code int) uint {
	if code < 4 {
		return 0
	}
	return uint(code-2) >> 1
}
