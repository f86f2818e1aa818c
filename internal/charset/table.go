package charset

import (
	"bufio"
	"bytes"
	"compress/flate"
	"embed"
	"encoding/binary"
	"sync"
)

// The tables in compressed form, written by the function pack() of the tests. A table stores the difference between each rune and the
// previous rune. A difference of zero or more is increased by one, because 0 means a missing rune.
//
// The linker puts an embed.FS among the constants and a slice among the variables, and fills each of these sections up to a multiple of
// 64 kB. One table is a slice, because the section of the variables has room for it. Otherwise the program for arm64 would be 64 kB
// larger.
var (
	//go:embed tables/chinese tables/jis0212 tables/korean tables/ranges tables/taiwan
	packed embed.FS
	//go:embed tables/jis0208
	packedJIS []byte
)

// The tables are unpacked at their first use and stay in memory. Together they take 0.4 MB.
var (
	jis0208 = table(func() []byte { return packedJIS }, 120*94)
	jis0212 = table(file("jis0212"), 94*94)
	korean  = table(file("korean"), 126*191)
	chinese = table(file("chinese"), 126*191)
	taiwan  = table(file("taiwan"), 126*191)
	ranges  = table(file("ranges"), 2*maxRanges)
)

// maxRanges is the greatest number of ranges in the table of GB18030's four-byte form.
const maxRanges = 256

// file() returns a function that reads the compressed table with the given name.
func file(name string) func() []byte {
	return func() []byte {
		data, _ := packed.ReadFile("tables/" + name)
		return data
	}
}

// table() returns a function that unpacks a table of n runes at its first call. A rune of 0 is missing in the encoding.
func table(data func() []byte, n int) func() []rune {
	return sync.OnceValue(func() []rune {
		all := make([]rune, n)
		in := bufio.NewReader(flate.NewReader(bytes.NewReader(data())))
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

// at() returns the rune at an index of the table, or U+FFFD.
func at(runes []rune, i int) rune {
	if i < 0 || i >= len(runes) || runes[i] == 0 {
		return bad
	}
	return runes[i]
}
