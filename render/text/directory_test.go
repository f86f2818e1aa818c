package text

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/image/font/gofont/goregular"
)

// lying returns the font Go Regular with a wrong table directory, which states the given length for one table.
func lying(table string, length uint32) []byte {
	b := bytes.Clone(goregular.TTF)
	binary.BigEndian.PutUint32(b[bytes.Index(b, []byte(table))+12:], length)
	return b
}

// A font of a few hundred kilobytes whose directory claims tables of gigabytes is refused before
// memory is allocated. This holds for a font file from the configuration and for a system font.
func TestDirectoryIsNotBelieved(t *testing.T) {
	woff := make([]byte, 44+20+100) // one table with a claimed unpacked size of 4 GB
	copy(woff, "wOFF\x00\x01\x00\x00")
	woff[13] = 1
	copy(woff[44:], "cmap\x00\x00\x00\x40\x00\x00\x00\x20\xff\xff\xff\xf0")
	collection := binary.BigEndian.AppendUint32([]byte("ttcf\x00\x01\x00\x00"), 1000) // 1000 entries for one font with 4000 tables
	for range 1000 {
		collection = binary.BigEndian.AppendUint32(collection, 12+4*1000)
	}
	collection = append(collection, "\x00\x01\x00\x00\x0f\xa0\x00\x00\x00\x00\x00\x00"...)
	for i := range uint32(4000) {
		collection = binary.BigEndian.AppendUint32(collection, i)
		collection = append(collection, make([]byte, 12)...)
	}
	twice := bytes.Clone(goregular.TTF) // each table is the whole file, so the parser would read 16 tables of 32 MiB
	for i := range int(binary.BigEndian.Uint16(twice[4:])) {
		copy(twice[12+16*i+8:], "\x00\x00\x00\x00\x01\xff\x00\x00")
	}
	twice = append(twice, make([]byte, 0x1ff0000-len(twice))...)
	for name, file := range map[string][]byte{
		"2 GB of widths": lying("hmtx", 1<<31), "4 GB of letters": lying("glyf", 1<<32-1), "4 GB of characters": lying("cmap", 1<<32-1), "a byte too much": lying("glyf", uint32(len(goregular.TTF))),
		"WOFF": woff, "a collection": collection, "the whole file again and again": twice, "a resource fork": append([]byte{0, 0, 1, 0}, make([]byte, 400)...),
	} {
		path := filepath.Join(t.TempDir(), "font.ttf")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := parse(file, 0)
		_, listed := newCandidate(path).readCmap(maxCmaps)
		runtime.ReadMemStats(&after)
		if made := after.TotalAlloc - before.TotalAlloc; err == nil || listed || made > 2<<20 {
			t.Errorf("%s: got error %v, listed %v, %d MiB made; want it refused with next to nothing", name, err, listed, made>>20)
		}
	}
}
