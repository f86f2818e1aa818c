package golden

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Decoding golden pictures takes longer than drawing pictures. The file SUMS therefore has a line for each golden picture: its name, a
// checksum of its file and a checksum of its pixels. If both sums match, a drawn picture equals the golden picture. Otherwise the golden
// picture is decoded and compared. The flag -update writes the lines. A missing or outdated line only costs time.
const sumsFile = "SUMS"

// `sums` contains the lines of the package's SUMS file, by the name of the golden picture.
type sums struct {
	mu    sync.Mutex
	lines map[string]pair
}

type pair struct{ file, pixels uint64 }

var known = sync.OnceValue(read)

func read() *sums {
	s := &sums{lines: map[string]pair{}}
	b, err := os.ReadFile(filepath.Join(folder, sumsFile))
	if err != nil {
		return s
	}
	for line := range strings.Lines(string(b)) {
		var name string
		var p pair
		if _, err := fmt.Sscanf(line, "%s %x %x", &name, &p.file, &p.pixels); err == nil {
			s.lines[name] = p
		}
	}
	return s
}

// has() reports whether a drawn picture has the sums that are recorded for a golden picture.
func (s *sums) has(name string, m *image.RGBA) bool {
	s.mu.Lock()
	p, ok := s.lines[name]
	s.mu.Unlock()
	if !ok || p.pixels != pixelSum(m) {
		return false
	}
	b, err := os.ReadFile(pathOf(name))
	return err == nil && p.file == sum(0, 0, b)
}

// note() records the sums of a golden picture m that was decoded from its file. It drops the lines of pictures that do not exist any
// more, and writes SUMS.
func (s *sums) note(t *testing.T, name string, m *image.RGBA) {
	t.Helper()
	b, err := os.ReadFile(pathOf(name))
	if err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines[name] = pair{sum(0, 0, b), pixelSum(m)}
	maps.DeleteFunc(s.lines, func(name string, _ pair) bool {
		_, err := os.Stat(pathOf(name))
		return errors.Is(err, fs.ErrNotExist)
	})
	var out strings.Builder
	for _, name := range slices.SortedFunc(maps.Keys(s.lines), cmp.Compare[string]) {
		fmt.Fprintf(&out, "%s %016x %016x\n", name, s.lines[name].file, s.lines[name].pixels)
	}
	if err := os.WriteFile(filepath.Join(folder, sumsFile), []byte(out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// pixelSum returns a checksum of the bounds and pixels of a picture.
func pixelSum(m *image.RGBA) uint64 {
	var head []byte
	for _, v := range []int{m.Rect.Min.X, m.Rect.Min.Y, m.Rect.Max.X, m.Rect.Max.Y, m.Stride} {
		head = binary.BigEndian.AppendUint32(head, uint32(v))
	}
	h := sum(0, 0, head)
	return sum(uint32(h>>32), uint32(h), m.Pix)
}

// `castagnoli` is the polynomial of the second checksum. Processors have instructions for both polynomials.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum() continues two CRC-32 checksums with different polynomials. Together they overlook only one of 2^64 changes.
func sum(a, b uint32, data []byte) uint64 {
	return uint64(crc32.Update(a, crc32.IEEETable, data))<<32 | uint64(crc32.Update(b, castagnoli, data))
}
