package jpegtile

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"io"
	"testing"

	"dashboard/internal/testing/race"
	"dashboard/internal/testing/testpic"
)

func encoder(t testing.TB, pic *image.RGBA, o Options) *Encoder {
	t.Helper()
	e, err := New(pic.Rect.Dx(), pic.Rect.Dy(), o)
	if err != nil {
		t.Fatal(err)
	}
	e.Update(pic, pic.Rect)
	return e
}

func encode(t testing.TB, pic *image.RGBA, o Options) []byte {
	t.Helper()
	return encoder(t, pic, o).AppendTo(nil)
}

func decode(t testing.TB, file []byte) image.Image {
	t.Helper()
	img, err := jpeg.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatalf("image/jpeg does not read the file: %v", err)
	}
	return img
}

// stdlib encodes with image/jpeg, for comparison.
func stdlib(t testing.TB, pic image.Image, quality int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, pic, &jpeg.Options{Quality: quality}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// inFull is true in `make long`.
var inFull = flag.Bool("long", false, "six qualities instead of three")

// TestNoWorseThanStandardLibrary compares this encoder with image/jpeg: the size of files, and the error of pixels. The file of a
// photograph may be up to 1.5 % larger, or 6 % at quality 100. The reasons are that the Huffman tables are for dashboards, and that every
// tile needs a restart marker. Streams rarely use quality 100.
func TestNoWorseThanStandardLibrary(t *testing.T) {
	qualities := []int{30, 75, 100}
	switch {
	case *inFull:
		qualities = []int{30, 50, 75, 85, 95, 100}
	case testing.Short():
		qualities = []int{75} // use one quality, because all qualities would take minutes on an emulated processor
	}
	const visible = 0.05 // in dB. A smaller difference changes only the third digit of the squared error
	for _, pic := range []struct {
		name string
		pic  *image.RGBA
	}{
		{"dashboard", testpic.Dashboard(1366, 768)},
		{"photo", testpic.Photo(640, 480)},
	} {
		for _, quality := range qualities {
			t.Run(fmt.Sprintf("%s/%d", pic.name, quality), func(t *testing.T) {
				ref := stdlib(t, pic.pic, quality)
				want := testpic.PSNR(pic.pic, decode(t, ref))
				file := encode(t, pic.pic, Options{quality, Chroma420})
				got := testpic.PSNR(pic.pic, decode(t, file))
				full := encode(t, pic.pic, Options{quality, Chroma444})
				best := testpic.PSNR(pic.pic, decode(t, full))
				t.Logf("image/jpeg %d B %.2f dB; 4:2:0 %d B %.2f dB; 4:4:4 %d B %.2f dB",
					len(ref), want, len(file), got, len(full), best)
				limit := 1.0
				if pic.name == "photo" {
					limit = map[bool]float64{false: 1.015, true: 1.06}[quality == 100]
				}
				if got < want-visible {
					t.Errorf("got %.2f dB, want %.2f", got, want)
				}
				if ratio := float64(len(file)) / float64(len(ref)); ratio > limit {
					t.Errorf("got %.3f of image/jpeg's bytes, want at most %.3f", ratio, limit)
				}
				if best < got-visible {
					t.Errorf("4:4:4 got %.2f dB, want at least 4:2:0's %.2f", best, got)
				}
			})
		}
	}
}

// sizes lists edge cases: smaller than an MCU, one pixel larger than an MCU, and rows that do not consist of whole tiles.
var sizes = [][2]int{
	{1, 1}, {1, 33}, {7, 9}, {8, 8}, {15, 16}, {16, 16}, {17, 17}, {33, 17}, {129, 40},
	{13 * 16, 50}, {13*16 + 3, 33}, {43 * 16, 16}, {31 * 8, 24}, {31*8 + 1, 25}, {854, 31},
}

func eachSize(t *testing.T, f func(t *testing.T, pic *image.RGBA, o Options)) {
	for _, size := range sizes {
		for _, chroma := range []Chroma{Chroma420, Chroma444} {
			t.Run(fmt.Sprintf("%dx%d/%v", size[0], size[1], chroma), func(t *testing.T) {
				f(t, testpic.Photo(size[0], size[1]), Options{90, chroma})
			})
		}
	}
}

func TestSizes(t *testing.T) {
	eachSize(t, func(t *testing.T, pic *image.RGBA, o Options) {
		e := encoder(t, pic, o)
		file := e.AppendTo(nil)
		if e.Size() != len(file) {
			t.Errorf("Size is %d, want %d", e.Size(), len(file))
		}
		img := decode(t, file)
		if got, want := img.Bounds().Size(), pic.Rect.Size(); got != want {
			t.Fatalf("got size %v, want %v", got, want)
		}
		if got := testpic.PSNR(pic, img); got < 28 {
			t.Errorf("got %.2f dB, want at least 28", got)
		}
	})
}

func TestQualities(t *testing.T) {
	pic := testpic.Photo(70, 50)
	last := 0.0
	for quality := 1; quality <= 100; quality++ {
		for _, chroma := range []Chroma{Chroma420, Chroma444} {
			got := testpic.PSNR(pic, decode(t, encode(t, pic, Options{quality, chroma})))
			if quality == 100 && chroma == Chroma444 && got < 45 {
				t.Errorf("quality 100: got %.2f dB, want at least 45", got)
			}
			if chroma == Chroma444 && got < last-1.5 {
				t.Errorf("quality %d: got %.2f dB after %.2f, want growth", quality, got, last)
			}
			last = got
		}
	}
}

// TestQuantisationTables compares the tables in the files of this encoder and of image/jpeg. A quality must mean the same in both encoders.
func TestQuantisationTables(t *testing.T) {
	pic := testpic.Photo(16, 16)
	for quality := 1; quality <= 100; quality++ {
		got := segmentOf(encode(t, pic, Options{quality, Chroma420}), markerDQT)
		want := segmentOf(stdlib(t, pic, quality), markerDQT)
		if !bytes.Equal(got, want) {
			t.Fatalf("quality %d: got tables %v, want %v", quality, got, want)
		}
	}
}

// segmentOf returns the payload of the first segment with the given marker.
func segmentOf(file []byte, marker byte) []byte {
	for at := 2; at+4 < len(file); at += 2 + int(file[at+2])<<8 + int(file[at+3]) {
		if file[at+1] == marker {
			return file[at+4:][:int(file[at+2])<<8+int(file[at+3])-2]
		}
	}
	return nil
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		name string
		w, h int
		o    Options
		want string
	}{
		{"quality low", 8, 8, Options{Quality: -1}, "jpegtile: quality -1 is not within 1..100"},
		{"quality high", 8, 8, Options{Quality: 101}, "jpegtile: quality 101 is not within 1..100"},
		{"chroma", 8, 8, Options{Chroma: 9}, "jpegtile: unknown chroma sampling Chroma(9)"},
		{"empty", 0, 8, Options{}, "jpegtile: size 0x8 is not within 1..65535"},
		{"large", 8, 65536, Options{}, "jpegtile: size 8x65536 is not within 1..65535"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := New(c.w, c.h, c.o); err == nil || err.Error() != c.want {
				t.Errorf("New: got %v, want %s", err, c.want)
			}
			if _, err := NewStrips(nil, c.w, c.h, c.o); err == nil || err.Error() != c.want {
				t.Errorf("NewStrips: got %v, want %s", err, c.want)
			}
		})
	}
}

// TestUpdateEqualsFullEncode changes parts of a picture again and again. The file must always equal the file of a new encoder.
func TestUpdateEqualsFullEncode(t *testing.T) {
	eachSize(t, func(t *testing.T, pic *image.RGBA, o Options) {
		e := encoder(t, pic, o)
		for step := range uint32(12) {
			at := step * 2654435761
			w, h := pic.Rect.Dx(), pic.Rect.Dy()
			r := image.Rect(int(at>>8)%w, int(at>>16)%h, int(at>>4)%w+1, int(at>>12)%h+1)
			part := pic.SubImage(r).(*image.RGBA)
			draw.Draw(part, r, testpic.Noise(w, h, step), r.Min, draw.Src)
			e.Update(pic, r)
			if got, want := e.AppendTo(nil), encode(t, pic, o); !bytes.Equal(got, want) {
				t.Fatalf("step %d: the file differs from a full encode", step)
			}
		}
	})
}

func TestUpdateReportsChangedTilesOnly(t *testing.T) {
	pic := testpic.Dashboard(640, 360)
	e := encoder(t, pic, Options{85, Chroma420})
	if got := e.Update(pic, pic.Rect); len(got) != 0 {
		t.Errorf("same picture: got %d changed tiles, want 0", len(got))
	}
	pic.SetRGBA(639, 359, color.RGBA{255, 0, 255, 255})
	if got := e.Update(pic, pic.Rect); len(got) != 1 || got[0] != e.Tiles()-1 {
		t.Errorf("last pixel changed: got tiles %v, want [%d]", got, e.Tiles()-1)
	}
}

// TestSourceOffset encodes a part of a larger picture. The rectangle of this part does not begin at the origin.
func TestSourceOffset(t *testing.T) {
	big := testpic.Photo(300, 200)
	part := big.SubImage(image.Rect(37, 21, 37+211, 21+97)).(*image.RGBA)
	own := image.NewRGBA(image.Rect(0, 0, 211, 97))
	draw.Draw(own, own.Rect, part, part.Rect.Min, draw.Src)
	got, err := New(211, 97, Options{})
	if err != nil {
		t.Fatal(err)
	}
	got.Update(part, got.Bounds())
	if !bytes.Equal(got.AppendTo(nil), encode(t, own, Options{})) {
		t.Error("a part of a picture codes differently from its copy")
	}
}

func TestFlatColorIsExact(t *testing.T) {
	for _, c := range []color.RGBA{{0, 0, 0, 255}, {255, 255, 255, 255}, {128, 128, 128, 255}, {18, 22, 30, 255}} {
		pic := image.NewRGBA(image.Rect(0, 0, 40, 24))
		draw.Draw(pic, pic.Rect, image.NewUniform(c), image.Point{}, draw.Src)
		got := color.RGBAModel.Convert(decode(t, encode(t, pic, Options{95, Chroma444})).At(20, 12)).(color.RGBA)
		for i, d := range []int{int(got.R) - int(c.R), int(got.G) - int(c.G), int(got.B) - int(c.B)} {
			if abs(d) > 2 {
				t.Errorf("color %v: got %v, channel %d off by %d, want at most 2", c, got, i, d)
			}
		}
	}
}

func TestNewEncoderIsGrey(t *testing.T) {
	e, err := New(50, 30, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := color.GrayModel.Convert(decode(t, e.AppendTo(nil)).At(25, 15)); got != (color.Gray{128}) {
		t.Errorf("got %v, want mid-grey", got)
	}
}

// TestRestartMarkers: the restart markers in a file are numbered from 0 to 7 in turn. There is one marker less than there are tiles.
func TestRestartMarkers(t *testing.T) {
	pic := testpic.Noise(700, 100, 3)
	e := encoder(t, pic, Options{95, Chroma420})
	if got, want := countRestarts(t, e.AppendTo(nil)), e.Tiles()-1; got != want {
		t.Errorf("got %d markers, want %d", got, want)
	}
	delta, err := e.AppendDelta(nil, []int{3, 5, 6, 17, 2, 9, 11, 12, 13, 20, 4})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := countRestarts(t, delta), 10; got != want {
		t.Errorf("delta: got %d markers, want %d", got, want)
	}
}

func countRestarts(t *testing.T, file []byte) int {
	t.Helper()
	n := 0
	scan := bytes.Index(file, []byte{0xFF, markerSOS})
	for i := scan + 14; i+1 < len(file); i++ {
		if file[i] != 0xFF || file[i+1] == 0 {
			continue
		}
		if file[i+1] == markerEOI {
			break
		}
		if want := markerRST0 + byte(n%8); file[i+1] != want {
			t.Fatalf("marker %d: got %#x, want %#x", n, file[i+1], want)
		}
		n++
	}
	return n
}

func TestWriteTo(t *testing.T) {
	e := encoder(t, testpic.Photo(500, 400), Options{})
	testpic.CheckWriteTo(t, e)
}

func TestSteadyFramesDoNotAllocate(t *testing.T) {
	if race.Enabled {
		t.Skip("the race detector allocates")
	}
	a, b := testpic.Dashboard(640, 367), testpic.Dashboard(640, 367)
	testpic.Tick(b, 7)
	for _, chroma := range []Chroma{Chroma420, Chroma444} {
		e := encoder(t, a, Options{85, chroma})
		e.Update(b, b.Rect)
		file := make([]byte, 0, 2*e.Size())
		delta := make([]byte, 0, 2*e.Size())
		damage := []image.Rectangle{testpic.Clock(640, 367), image.Rect(600, 360, 640, 367)}
		got := testing.AllocsPerRun(20, func() {
			e.Update(a, damage...)
			changed := e.Update(b, damage...)
			file = e.AppendTo(file[:0])
			delta, _ = e.AppendDelta(delta[:0], changed)
			if _, err := e.WriteTo(io.Discard); err != nil {
				t.Error(err)
			}
		})
		if got != 0 {
			t.Errorf("%v: got %v allocations a frame, want 0", chroma, got)
		}
	}
}

func TestMemoryIsBoundedByTheLargestFile(t *testing.T) {
	quiet, loud := testpic.Dashboard(640, 360), testpic.Noise(640, 360, 1)
	e := encoder(t, loud, Options{})
	before := e.Memory()
	for range 20 {
		e.Update(quiet, quiet.Rect)
		e.Update(loud, loud.Rect)
	}
	if after := e.Memory(); after != before {
		t.Errorf("got %d bytes after 20 changes, want %d as before", after, before)
	}
}
