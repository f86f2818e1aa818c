// Package geometry divides a rectangle between the parts of a wall: tracks along one axis, and named areas.
//
// All lengths are whole pixels. If a division has a remainder, the remaining pixels are spread over the parts. The last part therefore
// ends exactly at the end of the rectangle, and the outer margins are equal.
package geometry

// Track is a column, a row, or a child of a row or column. At most one field is set. The zero value has no length.
type Track struct {
	Share   float64 // share of the remaining length, relative to the other shares
	Length  int     // length in px
	Percent float64 // percentage of the whole length, including gaps
	Fit     bool    // true if the track is as long as its content
}

// Span is a range of pixels along one axis.
type Span struct{ At, Size int }

// End returns the first pixel after the span.
func (s Span) End() int { return s.At + s.Size }

// Divide places tracks one after another and returns their positions. `length` is the whole length in px, and `gap` is the gap between
// two tracks in px. The function `content` returns the length of the content of track i. Divide calls it only for tracks with Fit. If no
// track has Fit, `content` may be nil. If the fixed tracks are too long, they shrink in proportion, and tracks with a share get no
// length. No size is negative.
func Divide(length, gap int, tracks []Track, content func(i int) int) []Span {
	return DivideInto(make([]Span, len(tracks)), length, gap, tracks, content)
}

// DivideInto is like Divide, but writes the result into the slice `spans` and returns this slice. The slice must have one element for
// each track. DivideInto allocates no memory.
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

// fixed() returns the length of a track without a share, before it is shrunk.
func (t Track) fixed(length, i int, content func(int) int) int {
	switch {
	case t.Fit && content != nil:
		return max(0, content(i))
	case t.Percent > 0:
		return int(float64(float64(length)*t.Percent)/100 + 0.5)
	}
	return max(0, t.Length)
}

// shrink reduces all sizes in proportion, so that their sum is `room`. The parameter `sum` is the current sum of the sizes.
func shrink(spans []Span, sum, room int) {
	before, at := 0, 0
	for i := range spans {
		before += spans[i].Size
		end := int(int64(before) * int64(room) / int64(sum))
		spans[i].Size, at = end-at, end
	}
}

// share() divides the length `room` between the tracks with a share. It rounds the ends of the tracks instead of their sizes, so that the
// sizes add up to `room`.
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

// Justify is the position of parts that do not fill their axis.
type Justify uint8

// Positions of parts along their axis.
const (
	Start Justify = iota
	Center
	End
	Between // the free room is divided between the parts
)

// Move moves spans within a length to the position j. If the spans already fill the length, they are not moved.
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
