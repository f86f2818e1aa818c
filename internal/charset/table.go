package charset

import (
	"bufio"
	"bytes"
	"compress/flate"
	"embed"
	"encoding/binary"
	"sync"
)

// packed contains the compressed tables, which the function pack of the tests has written. A table stores the difference between each rune
// and the previous one. A difference of zero or more is increased by one, because 0 means a missing rune.
//
//go:embed tables
var packed embed.FS

// The tables are unpacked at their first use and stay in memory. All of them together have 0.4 MB.
var (
	jis0208 = table("jis0208", 120*94)
	jis0212 = table("jis0212", 94*94)
	korean  = table("korean", 126*191)
	chinese = table("chinese", 126*191)
	taiwan  = table("taiwan", 126*191)
	ranges  = table("ranges", 2*maxRanges)
)

// maxRanges is the greatest number of ranges in the table of GB18030's four-byte form.
const maxRanges = 256

// table returns a function that unpacks a table of n runes at its first call. A rune of 0 is missing in the encoding.
func table(name string, n int) func() []rune {
	return sync.OnceValue(func() []rune {
		all := make([]rune, n)
		data, _ := packed.ReadFile("tables/" + name)
		in := bufio.NewReader(flate.NewReader(bytes.NewReader(data)))
		last := rune(0)
		for i := range all {
			step, err := binary.ReadVarint(in)
			if err != nil {
				break
			}
			if step == 0 {
				continue
			}
			if step > 0 {
				step--
			}
			last += rune(step)
			all[i] = last
		}
		return all
	})
}

// at returns the rune at an index of the table, or U+FFFD.
func at(runes []rune, i int) rune {
	if i < 0 || i >= len(runes) || runes[i] == 0 {
		return bad
	}
	return runes[i]
}
