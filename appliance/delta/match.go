package delta

import "encoding/binary"

// A run is a part of a piece that resembles a part of the window. Most of its bytes are equal.
type run struct{ at, from, n int } // offset in the piece, offset in the window, number of bytes

const (
	// shortest is the minimum length of a run, in bytes. The description of a shorter run would be longer than the bytes that it saves.
	shortest = 32
	// hashed is the number of equal bytes with which a search begins.
	hashed = 8
	// hashBits is the binary logarithm of the number of lists of places in the window.
	hashBits = 22
	// maxTries is the maximum number of places that a search compares. Zeros, for example, are at many places.
	maxTries = 32
	// searchStep is the distance between two searches, in bytes. A run that begins between them is extended backward.
	searchStep = 4
	// enough is the number of equal bytes after which no better place is searched.
	enough = 64
	// better is the number of bytes by which a new place must be better than the place of the previous run, as in bsdiff.
	better = 8
)

// A matcher finds the runs of a piece with the algorithm of bsdiff (Percival, "Naive Differences of Executable Code"). This algorithm also
// finds runs in which addresses differ. Instead of a sorted list of all places, a matcher has lists of places with the same hash.
type matcher struct {
	piece, window []byte
	first         []int32 // last place with each hash, plus 1
	earlier       []int32 // previous place with the same hash, plus 1, for each place
}

func newMatcher(piece, window []byte) *matcher {
	m := &matcher{piece: piece, window: window, first: make([]int32, 1<<hashBits), earlier: make([]int32, len(window))}
	for i := 0; i+hashed <= len(window); i++ {
		h := hash(window[i:])
		m.first[h], m.earlier[i] = int32(i+1), m.first[h]
	}
	return m
}

// hash returns a hash of the first bytes of b. The factor is a large odd number without a pattern.
func hash(b []byte) uint64 {
	return binary.LittleEndian.Uint64(b) * 0x9e3779b185ebca87 >> (64 - hashBits)
}

// common() returns the number of equal bytes at the beginnings of a and b.
func common(a, b []byte) (n int) {
	for n+8 <= min(len(a), len(b)) && binary.LittleEndian.Uint64(a[n:]) == binary.LittleEndian.Uint64(b[n:]) {
		n += 8
	}
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// search returns the place in the window with the most bytes that are equal to the bytes at an offset of the piece, and the number of these
// bytes. It prefers the place with the given distance from the offset.
func (m *matcher) search(at, shift int) (from, n int) {
	if near := at + shift; near >= 0 && near < len(m.window) {
		from, n = near, common(m.piece[at:], m.window[near:])
	}
	if n >= enough || at%searchStep != 0 || len(m.piece)-at < hashed {
		return from, n
	}
	place := int(m.first[hash(m.piece[at:])])
	for try := 0; place > 0 && try < maxTries; try++ {
		if k := common(m.piece[at:], m.window[place-1:]); k > n {
			from, n = place-1, k
		}
		place = int(m.earlier[place-1])
	}
	return from, n
}

// same() reports whether a byte of the piece is equal to the byte of the window at the given distance.
func (m *matcher) same(at, shift int) bool {
	from := at + shift
	return from >= 0 && from < len(m.window) && m.piece[at] == m.window[from]
}

// next returns the next equal bytes that are clearly not part of the run with the given shift, beginning at an offset. At the end of the
// piece, it returns no bytes.
func (m *matcher) next(at, shift int) (found run) {
	for at < len(m.piece) {
		score, from, n := 0, 0, 0 // score is the number of equal bytes with the given shift
		for seen := at; at < len(m.piece); at++ {
			from, n = m.search(at, shift)
			for ; seen < at+n; seen++ {
				if m.same(seen, shift) {
					score++
				}
			}
			if near := from-at == shift; near && n > 0 && (n == score || n >= enough) || !near && n > score+better {
				break
			}
			if m.same(at, shift) {
				score--
			}
		}
		if at < len(m.piece) && from-at != shift {
			return run{at, from, n}
		}
		at += n
	}
	return run{at: len(m.piece)}
}

// runs() returns the runs of the piece, in order. Every run begins at a multiple of four bytes of the piece.
func (m *matcher) runs() (all []run) {
	var last run
	for at := 0; last.at < len(m.piece); {
		found := m.next(at, last.from-last.at)
		at = found.at + found.n
		after, before := m.forward(last, found.at), m.backward(found, last.at)
		if over := last.at + after - (found.at - before); over > 0 {
			keep := m.split(last, found, last.at+after-over, over)
			after, before = after-over+keep, before-keep
		}
		if skip := -last.at & 3; after-skip >= shortest {
			all = append(all, run{last.at + skip, last.from + skip, after - skip})
		}
		last = run{at: found.at - before, from: found.from - before}
	}
	return all
}

// forward returns the length for which a run has the most equal bytes compared with its different bytes. It ends before `end`.
func (m *matcher) forward(r run, end int) (n int) {
	best, score := 0, 0
	for i := 0; r.at+i < end && r.from+i < len(m.window); i++ {
		if score--; m.piece[r.at+i] == m.window[r.from+i] {
			score += 2
		}
		if score > best {
			best, n = score, i+1
		}
	}
	return n
}

// backward returns the number of bytes by which a run should begin earlier. It does not begin before `start`.
func (m *matcher) backward(r run, start int) (n int) {
	best, score := 0, 0
	for i := 1; r.n > 0 && r.at-i >= start && r.from >= i; i++ {
		if score--; m.piece[r.at-i] == m.window[r.from-i] {
			score += 2
		}
		if score > best {
			best, n = score, i
		}
	}
	return n
}

// split() returns how many of the `over` bytes at an offset belong to the run `a`, if they can belong to a or b.
func (m *matcher) split(a, b run, at, over int) (keep int) {
	best, score := 0, 0
	for i := at; i < at+over; i++ {
		if m.same(i, a.from-a.at) {
			score++
		}
		if m.same(i, b.from-b.at) {
			score--
		}
		if score > best {
			best, keep = score, i+1-at
		}
	}
	return keep
}
