package jpegtile

// chunkBytes is the size of the chunks that store the encoded bytes of tiles. A tile of a dashboard has 20 to 300 bytes. With smaller
// chunks, more links would be needed. With larger chunks, more space would be unused (on average half a chunk for each tile).
const chunkBytes = 128

// store keeps one byte string for each tile. The strings consist of chunks of equal size in one growing array. A new string reuses the
// chunks of the tile's previous string. So the memory depends only on the largest total so far, and a steady stream allocates nothing.
//
//	chunk c is data[c*chunkBytes:(c+1)*chunkBytes]. next[c] is the chunk after it in its string or in the free list
type store struct {
	data  []byte
	next  []int32
	free  int32 // first unused chunk, or -1
	first []int32
	size  []int32
	total int // bytes of all strings
}

func newStore(strings int) store {
	s := store{free: -1, first: make([]int32, strings), size: make([]int32, strings)}
	for i := range s.first {
		s.first[i] = -1
	}
	return s
}

// put stores b as string i. It reports whether the string has changed.
func (s *store) put(i int, b []byte) bool {
	if s.equal(i, b) {
		return false
	}
	s.total += len(b) - int(s.size[i])
	s.size[i] = int32(len(b))
	link := &s.first[i]
	for len(b) > 0 {
		if *link < 0 {
			c := s.take() // take() may reallocate s.next, and `link` may point into s.next
			if link != &s.first[i] {
				link = s.lastLink(i)
			}
			*link = c
		}
		c := *link
		b = b[copy(s.chunk(c), b):]
		link = &s.next[c]
	}
	s.release(*link)
	*link = -1
	return true
}

// lastLink returns the link after the last chunk of string i.
func (s *store) lastLink(i int) *int32 {
	link := &s.first[i]
	for *link >= 0 {
		link = &s.next[*link]
	}
	return link
}

func (s *store) chunk(c int32) []byte { return s.data[int(c)*chunkBytes:][:chunkBytes:chunkBytes] }

// take returns an unused chunk, which has no chunk after it yet.
func (s *store) take() int32 {
	c := s.free
	if c < 0 {
		c = int32(len(s.next))
		s.next = append(s.next, -1)
		s.data = append(s.data, make([]byte, chunkBytes)...)
		return c
	}
	s.free = s.next[c]
	s.next[c] = -1
	return c
}

// release adds chunk c and all chunks after it to the free list.
func (s *store) release(c int32) {
	for c >= 0 {
		after := s.next[c]
		s.next[c] = s.free
		s.free = c
		c = after
	}
}

func (s *store) equal(i int, b []byte) bool {
	if int(s.size[i]) != len(b) || s.first[i] < 0 {
		return false
	}
	for c := s.first[i]; c >= 0; c = s.next[c] {
		n := min(len(b), chunkBytes)
		if string(s.chunk(c)[:n]) != string(b[:n]) {
			return false
		}
		b = b[n:]
	}
	return true
}

// appendTo appends string i to dst.
func (s *store) appendTo(dst []byte, i int) []byte {
	n := int(s.size[i])
	for c := s.first[i]; n > 0; c = s.next[c] {
		m := min(n, chunkBytes)
		dst = append(dst, s.chunk(c)[:m]...)
		n -= m
	}
	return dst
}

// memory returns the memory of the store in bytes.
func (s *store) memory() int {
	return cap(s.data) + 4*(cap(s.next)+cap(s.first)+cap(s.size))
}
