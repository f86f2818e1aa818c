package text

import (
	"sort"
	"unicode/utf8"

	"github.com/go-text/typesetting/segmenter"
)

// maxFit bounds the start of a text that FitStart looks at, in bytes: more has no
// room on a line of any screen.
const maxFit = 4096

// FitStart returns how many bytes at the start of s, up to a border of grapheme clusters (UAX #29), fit with tail after
// them into width pixels in f at a size in pixels. It returns 0 if not one cluster fits. It looks at the first 4,096
// bytes and shapes a dozen texts at most.
func (c *Cache) FitStart(f *Font, sizePx int, s, tail string, width int) int {
	if len(s) > maxFit {
		end := maxFit
		for end > 0 && !utf8.RuneStart(s[end]) {
			end--
		}
		s = s[:end]
	}
	var l Line
	ends := clusterEnds(s)
	n := sort.Search(len(ends), func(i int) bool {
		c.Shape(&l, f, sizePx, s[:ends[i]]+tail)
		return l.Width() > width
	})
	if n == 0 {
		return 0
	}
	return ends[n-1]
}

// clusterEnds are the offsets behind the grapheme clusters of s, ascending.
func clusterEnds(s string) []int {
	var ends []int
	var seg segmenter.Segmenter
	if seg.InitWithString(s) != nil { // not UTF-8
		for i := range s {
			ends = append(ends, i)
		}
		return ends
	}
	for it := seg.GraphemeIterator(); it.Next(); {
		g := it.Grapheme()
		ends = append(ends, g.OffsetInBytes+g.LengthInBytes)
	}
	return ends
}
