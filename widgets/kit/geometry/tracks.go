// Package geometry divides a rectangle among the parts of a wall: tracks along one axis, and areas named by words.
//
// Lengths are whole pixels. The remainder of a division goes to the parts one pixel at a time, so that the last part
// ends at the end of the whole and outer margins are equal.
package geometry

// Track is one column or row, or one child along its row or column. The zero value takes nothing; at most one field is
// set.
type Track struct {
	Share   float64 // of what the others leave, in proportion to the other shares
	Length  int     // px
	Percent float64 // of the whole length, gaps included; 30 is 30 %
	Fit     bool    // as long as the content
}

// Span is a stretch of pixels along one axis.
type Span struct{ At, Size int }

// End is the first pixel behind the span.
func (s Span) End() int { return s.At + s.Size }

// Divide places tracks one after the other in length px, gap px apart. content returns the length of a Fit track's
// content, and may be nil without Fit tracks. If fixed tracks need more than there is, all of them shrink in proportion
// and shares get nothing. No size is negative.
func Divide(length, gap int, tracks []Track, content func(i int) int) []Span {
	return DivideInto(make([]Span, len(tracks)), length, gap, tracks, content)
}

// DivideInto is Divide with the result in spans, one for each track, which it returns. It allocates nothing.
func DivideInto(spans []Span, length, gap int, tracks []Track, content func(i int) int) []Span {
	if len(tracks) == 0 {
		return spans
	}
	clear(spans)
	gap = max(gap, 0)
	room := max(0, length-gap*(len(tracks)-1))
	fixed, shares := 0, 0.0
	for i, t := range tracks {
		spans[i].Size = t.fixed(length, i, content)
		fixed += spans[i].Size
		shares += max(t.Share, 0)
	}
	if fixed > room {
		shrink(spans, fixed, room)
		fixed = room
	}
	if shares > 0 {
		share(spans, tracks, shares, room-fixed)
	}
	at := 0
	for i := range spans {
		spans[i].At = at
		at += spans[i].Size + gap
	}
	return spans
}

// fixed is the length of a track that does not share, before anything shrinks.
func (t Track) fixed(length, i int, content func(int) int) int {
	switch {
	case t.Fit && content != nil:
		return max(0, content(i))
	case t.Percent > 0:
		return int(float64(float64(length)*t.Percent)/100 + 0.5)
	}
	return max(0, t.Length)
}

// shrink brings sizes that add up to sum down to room, in proportion.
func shrink(spans []Span, sum, room int) {
	before, at := 0, 0
	for i := range spans {
		before += spans[i].Size
		end := int(int64(before) * int64(room) / int64(sum))
		spans[i].Size, at = end-at, end
	}
}

// share gives room to the tracks that have a share. Ends are rounded, not sizes, so that the sizes add up to room.
func share(spans []Span, tracks []Track, sum float64, room int) {
	before, at := 0.0, 0
	for i, t := range tracks {
		if t.Share <= 0 {
			continue
		}
		before += t.Share
		end := min(room, int(float64(float64(room)*before)/sum+0.5))
		spans[i].Size, at = end-at, end
	}
}

// Justify is the place of parts along their axis if they do not fill it.
type Justify uint8

// The places of parts that leave room.
const (
	Start Justify = iota
	Center
	End
	Between // the room goes between the parts
)

// Move shifts spans that end before length to where j has them.
func Move(spans []Span, length int, j Justify) {
	if len(spans) == 0 {
		return
	}
	free := length - spans[len(spans)-1].End()
	if free <= 0 {
		return
	}
	for i := range spans {
		switch j {
		case Center:
			spans[i].At += free / 2
		case End:
			spans[i].At += free
		case Between:
			if n := len(spans) - 1; n > 0 {
				spans[i].At += free * i / n
			}
		}
	}
}
