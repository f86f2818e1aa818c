package wall

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	endian "encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// hostileJQ are jq programs. Each of them needs gigabytes of memory.
var hostileJQ = []string{
	`"#" * .n`,
	`reduce range(40) as $i ("a"; . + .)`,
	`[range(1e9) | {a: .}]`,
	`reduce range(40) as $i (1; [., .]) | tojson`,
	`("x" * 1000000) as $s | [range(100000) | $s | ascii_upcase]`,
	`.[500000000] = 1 | length`,
	`def f: [f]; f`,
}

// hostileJSON lists pieces of JSON. Each hostile document repeats one piece up to 8 MiB. Only the
// document of the last piece stays below the memory limit of a document.
var hostileJSON = []string{`{"":0},`, `{},`, `[],`, `[1],`, `"",`, `1,`, `[12.123456,47.123456],`}

// attackedWall is a wall with a clock and with every widget that can need much memory.
func attackedWall(port int, hostile, font string) files {
	var sources, cells strings.Builder
	sources.WriteString("providers:\n")
	add := func(name, path, more string) {
		fmt.Fprintf(&sources, "  %s: {type: rest, url: \"%s%s\", update_interval: 5%s}\n", name, hostile, path, more)
		fmt.Fprintf(&cells, "              - {widget: provider, providers: [%s], fallback_text: '-'}\n", name)
	}
	add("large", "/json", "")
	add("larger", "/json", ", jq_expression: '[.[]] | length'")
	for i, program := range hostileJQ {
		add(fmt.Sprint("jq", i), "/n", fmt.Sprintf(", jq_expression: '%s'", strings.ReplaceAll(program, "'", "''")))
	}
	return files{
		"conf.yaml": fmt.Sprintf("graphics:\n  resolution: [1920, 1080]\nserver:\n  port: %d\n  host: 127.0.0.1\n  notify: {allow: [127.0.0.1]}\noutputs:\n"+
			"  - {type: window, driver: virtual, device: screen.raw, vsync: false}\n  - {type: stream, image_format: jpeg}\n", port),
		"providers.yaml": sources.String(),
		"widgets.yaml": fmt.Sprintf(`widgets:
  - widget: grid
    columns: 4
    rows: 3
    children:
      - {widget: dateclock, time_format: '%%H:%%M:%%S'}
      - {widget: text, text: A, font_path: %q}
      - {widget: notifiabletext, name: t, wrap: true, children: [{widget: text, text: A}]}
      - {widget: notifiableimage, name: i, children: [{widget: empty}]}
      - {widget: restimage, url: "%s/picture", update_frequency: 5}
      - {widget: restimage, url: "%[2]s/picture?", update_frequency: 6}
      - {widget: text, text: %[3]q, wrap: true}
      - widget: grid
        columns: 3
        rows: 3
        children:
%[4]s`, font, hostile, fontLetters, strings.ReplaceAll(cells.String(), "              -", "          -")),
	}
}

// A hostileServer sends the answers that are the most expensive to read.
type hostileServer struct {
	pictures  [][]byte
	documents [][]byte
	asked     atomic.Int64
}

func newHostile(t *testing.T) *hostileServer {
	t.Helper()
	h := &hostileServer{pictures: hostilePictures(t)}
	for _, piece := range hostileJSON {
		const size = 8 << 20
		h.documents = append(h.documents, []byte("["+strings.Repeat(piece, size/len(piece)-1)+strings.TrimSuffix(piece, ",")+"]"))
	}
	return h
}

// ServeHTTP answers /picture/N with a picture. It answers /picture and /json with one hostile answer after another.
func (h *hostileServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n := int(h.asked.Add(1))
	kind, number, numbered := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if numbered {
		n, _ = strconv.Atoi(number) // after an error the number is 0
	}
	switch kind {
	case "json":
		_, _ = w.Write(h.documents[n%len(h.documents)])
	case "picture":
		_, _ = w.Write(h.pictures[n%len(h.pictures)])
	default:
		fmt.Fprint(w, `{"n": 1e9}`)
	}
}

// hostilePictures are small files of every format that need as much memory as possible, and large files that the wall must show.
func hostilePictures(t *testing.T) (all [][]byte) {
	t.Helper()
	packed, err := filepath.Glob(filepath.Join(sourceDir, "../../render/picture/testdata/large/*.jpg.gz"))
	if err != nil || len(packed) < 5 {
		t.Fatalf("got %d pictures, %v", len(packed), err)
	}
	for _, name := range packed {
		all = append(all, unpacked(t, name))
	}
	all = append(all,
		zeroPNG(t, 6320, 6320, 16, 6, 1), zeroPNG(t, 40_000_000, 1, 8, 6, 0), zeroPNG(t, 5000, 4000, 8, 2, 0), hugePNG(),
		pointGIF(t, image.Pt(6320, 6320), 30), pointGIF(t, image.Pt(400, 300), 1000),
		plainWebP(16383, 16383), plainWebP(6300, 6300), plainWebP(4000, 3000),
		zeroBMP(2000, 2000, 2000), zeroBMP(30000, 1000, 0), noise(1500),
	)
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">`
	for _, body := range []string{
		`<use id="a" href="#a"/>`,
		strings.Repeat("<g>", 100_000),
		strings.Repeat(`<rect width="10" height="10"/>`, 90_000),
		`<path stroke="red" stroke-dasharray=".01 .01" d="M0 0` + strings.Repeat("L9999 9999L0 0", 2000) + `"/>`,
		`<g id="a" transform="` + strings.Repeat(" ", 1<<20) + `"/>` + strings.Repeat(`<use href="#a"/>`, 50_000),
	} {
		all = append(all, []byte(svg+body+"</svg>"))
	}
	return all
}

// unpacked() returns the content of a compressed file.
func unpacked(t *testing.T, name string) []byte {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// zeroPNG returns a PNG in which all bytes of the pixels are zero. `depth` is the number of bits of a channel. `kind` is the color type,
// and `interlace` is the interlace method (PNG specification, 11.2.1).
func zeroPNG(t *testing.T, w, h int, depth, kind, interlace byte) []byte {
	t.Helper()
	out := bytes.NewBufferString("\x89PNG\r\n\x1a\n")
	chunk := func(name string, data []byte) {
		body := append([]byte(name), data...)
		out.Write(endian.BigEndian.AppendUint32(nil, uint32(len(data))))
		out.Write(endian.BigEndian.AppendUint32(body, crc32.ChecksumIEEE(body)))
	}
	size := endian.BigEndian.AppendUint32(endian.BigEndian.AppendUint32(nil, uint32(w)), uint32(h))
	chunk("IHDR", append(size, depth, kind, 0, 0, interlace))
	channels := int64(4)
	if kind == 2 {
		channels = 3
	}
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	if _, err := io.CopyN(z, allZero{}, int64(w)*int64(h)*channels*int64(depth)/8+int64(2*h)); err != nil {
		t.Fatal(err)
	}
	z.Close()
	chunk("IDAT", packed.Bytes())
	chunk("IEND", nil)
	return out.Bytes()
}

type allZero struct{}

func (allZero) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// pointGIF returns an animation of n frames. Each frame changes one pixel.
func pointGIF(t *testing.T, size image.Point, n int) []byte {
	t.Helper()
	g := &gif.GIF{Config: image.Config{Width: size.X, Height: size.Y, ColorModel: color.Palette{black, white}}}
	for i := range n {
		g.Image = append(g.Image, image.NewPaletted(image.Rect(i%size.X, 0, i%size.X+1, 1), color.Palette{black, white}))
		g.Delay = append(g.Delay, 0)
	}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// plainWebP returns a lossless WebP of one color. Its pixels need no bits: RFC 9649, sections 3.4 to 3.7.
func plainWebP(w, h int) []byte {
	// The data begins with the width and the height, each minus 1 and in 14 bits. The next bits mean: no alpha, version 0, no transform,
	// no color cache, and one group of five codes. Each code has one symbol, 0, with the bits 1, 0, 0, 0.
	bits := uint64(w-1) | uint64(h-1)<<14 | 0b0001_0001_0001_0001_0001_000<<32
	data := endian.LittleEndian.AppendUint64([]byte{0x2f}, bits)
	data = append(data, 0)
	out := append([]byte("RIFF"), endian.LittleEndian.AppendUint32(nil, uint32(12+len(data)))...)
	out = append(out, "WEBPVP8L"...)
	return append(endian.LittleEndian.AppendUint32(out, uint32(len(data))), data...)
}

// zeroBMP returns a black picture with 32 bits per pixel and a BITMAPINFOHEADER. The file contains only the given number of rows.
func zeroBMP(w, h, rows int) []byte {
	le := endian.LittleEndian
	out := le.AppendUint32([]byte("BM"), uint32(54+4*w*h))
	for _, v := range []uint32{0, 54, 40, uint32(w), uint32(h), 1 | 32<<16, 0, uint32(4 * w * h), 0, 0, 0, 0} {
		out = le.AppendUint32(out, v)
	}
	return append(out, make([]byte, 4*w*rows)...)
}
