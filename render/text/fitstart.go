package text

import (
	"sort"
	"unicode/utf8"

	"github.com/go-text/typesetting/segmenter"
)

// maxFit bounds the bytes of a text that FitStart reads. No screen shows a longer text on one line.
const maxFit = 4096

// FitStart returns how many bytes from the start of s fit into `width` pixels together with `tail`. The font is f, and its size in pixels
// is `sizePx`. FitStart cuts only between grapheme clusters (UAX #29). It returns 0 if not even one cluster fits. It reads only the first
// 4,096 bytes of s, and shapes at most a dozen texts.
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

// clusterEnds returns the offset after each grapheme cluster of s, in ascending order.
func clusterEnds(s string) []int {
	var ends []int
	var seg segmenter.Segmenter
	if seg.InitWithString(s) != nil { // s is not valid UTF-8
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
