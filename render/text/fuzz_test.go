package text

import (
	"bytes"
	"encoding/binary"
	"image"
	"testing"

	"golang.org/x/image/font/gofont/goregular"
)

// FuzzFont uses any bytes as a font file. The font may be refused. If it is accepted, a text painted with it stays inside its box.
func FuzzFont(f *testing.F) {
	f.Add(goregular.TTF)
	f.Add(goregular.TTF[:len(goregular.TTF)/2])
	for _, n := range []int{0, 4, 12, 60, 1000} {
		f.Add(goregular.TTF[:n])
	}
	for _, table := range []string{"head", "hhea", "maxp", "loca", "cmap"} { // one table has a wrong offset and a length of 2 GiB
		broken := bytes.Clone(goregular.TTF)
		entry := broken[bytes.Index(broken, []byte(table)):]
		binary.BigEndian.PutUint32(entry[8:], uint32(len(broken)-7))
		binary.BigEndian.PutUint32(entry[12:], 1<<31)
		f.Add(broken)
	}
	f.Add([]byte("OTTO\x00\x01"))
	f.Add([]byte("ttcf\x00\x01\x00\x00\xff\xff\xff\xff"))
	f.Add([]byte("wOFF"))
	c := newCache()
	f.Fuzz(func(t *testing.T, file []byte) {
		fc, err := parse(file, 0)
		if err != nil {
			return
		}
		b := NewBlock(c, Options{Font: newFont(fc), Size: 20, Box: image.Pt(80, 40)})
		b.Set("Ag 12:34 é")
		checkInk(t, b)
	})
}
