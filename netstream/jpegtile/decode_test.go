package jpegtile

import (
	"bytes"
	"image"
	"image/jpeg"
	"math/rand/v2"
	"testing"

	"dashboard/internal/testing/race"
	"dashboard/internal/testing/testpic"
	"dashboard/internal/testing/thorough"
)

// deltas() calls the function `what` for deltas of all kinds of pictures, with each chroma sampling and several qualities.
func deltas(tb testing.TB, what func(name string, delta []byte)) {
	tb.Helper()
	pics := map[string]*image.RGBA{
		"dashboard": testpic.Dashboard(430, 250), "photo": testpic.Photo(430, 250), "noise": testpic.Noise(130, 70, 1), "small": testpic.Photo(3, 5),
	}
	for name, pic := range pics {
		for _, chroma := range []Chroma{Chroma420, Chroma444} {
			for _, quality := range []int{1, 30, 85, 100} {
				e, err := New(pic.Rect.Dx(), pic.Rect.Dy(), Options{quality, chroma})
				if err != nil {
					tb.Fatal(err)
				}
				e.Update(pic, pic.Rect)
				delta, err := e.AppendDelta(nil, e.AppendTiles(nil, pic.Rect))
				if err != nil {
					tb.Fatal(err)
				}
				what(name+" "+chroma.String(), delta)
			}
		}
	}
}

// TestDecodeDelta compares DecodeDelta with image/jpeg, pixel for pixel.
func TestDecodeDelta(t *testing.T) {
	deltas(t, func(name string, delta []byte) {
		got, ok := DecodeDelta(delta)
		if !ok {
			t.Fatalf("%s: not read", name)
		}
		sameAsUsual(t, name, got, delta)
	})
}

// sameAsUsual fails unless the planes equal the result of image/jpeg.
func sameAsUsual(t *testing.T, name string, got *image.YCbCr, delta []byte) {
	t.Helper()
	img, err := jpeg.Decode(bytes.NewReader(delta))
	if err != nil {
		t.Fatalf("%s: image/jpeg: %v", name, err)
	}
	want := img.(*image.YCbCr)
	if got.Rect != want.Rect || got.SubsampleRatio != want.SubsampleRatio {
		t.Fatalf("%s: got %v %v, want %v %v", name, got.Rect, got.SubsampleRatio, want.Rect, want.SubsampleRatio)
	}
	for y := got.Rect.Min.Y; y < got.Rect.Max.Y; y++ {
		for x := got.Rect.Min.X; x < got.Rect.Max.X; x++ {
			if a, b := got.YCbCrAt(x, y), want.YCbCrAt(x, y); a != b {
				t.Fatalf("%s: pixel (%d,%d): got %v, want %v", name, x, y, a, b)
			}
		}
	}
}

// TestDecodeDeltaRefuses: DecodeDelta does not accept whole pictures, files of other encoders or damaged deltas. The caller can then use
// image/jpeg.
func TestDecodeDeltaRefuses(t *testing.T) {
	pic := testpic.Dashboard(430, 250)
	e := encoder(t, pic, Options{85, Chroma444})
	var other bytes.Buffer
	if err := jpeg.Encode(&other, pic, nil); err != nil {
		t.Fatal(err)
	}
	delta, err := e.AppendDelta(nil, []int{0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{
		"nothing": nil, "a whole picture": e.AppendTo(nil), "another encoder's": other.Bytes(), "cut": delta[:len(delta)-3],
		"more behind it": append(bytes.Clone(delta), 0), "a marker missing": bytes.Replace(delta, []byte{0xFF, markerRST0}, []byte{0xFF, 0}, 1),
		"a marker out of turn": bytes.Replace(delta, []byte{0xFF, markerRST0}, []byte{0xFF, markerRST0 + 1}, 1),
	} {
		if _, ok := DecodeDelta(file); ok {
			t.Errorf("%s: was read", name)
		}
	}
}

// TestDecodeDeltaOfBrokenOnes changes bytes of deltas at random. If DecodeDelta accepts a changed delta, image/jpeg must decode it to the
// same pixels.
func TestDecodeDeltaOfBrokenOnes(t *testing.T) {
	thorough.Only(t)
	r := rand.New(rand.NewPCG(1, 2))
	read := 0
	deltas(t, func(name string, delta []byte) {
		sizeAt := decoding().sizeAt
		for i := range 20 {
			if race.Left(i, 5) {
				continue
			}
			broken := bytes.Clone(delta)
			for range 1 + r.IntN(3) {
				if at := r.IntN(len(broken)); at < sizeAt || at > sizeAt+4 { // do not change the size, because decoding a larger picture takes too long
					broken[at] ^= byte(1 << r.IntN(8))
				}
			}
			if got, ok := DecodeDelta(broken); ok {
				read++
				sameAsUsual(t, name, got, broken)
			}
		}
	})
	if read == 0 {
		t.Error("every broken one was refused: nothing was compared")
	}
}

// FuzzDecodeDelta compares DecodeDelta with image/jpeg, for any bytes that DecodeDelta accepts.
func FuzzDecodeDelta(f *testing.F) {
	deltas(f, func(_ string, delta []byte) {
		if len(delta) < 4<<10 {
			f.Add(delta)
		}
	})
	f.Fuzz(func(t *testing.T, file []byte) {
		const most = 1 << 20 // maximum number of pixels
		c, err := jpeg.DecodeConfig(bytes.NewReader(file))
		if err == nil && c.Width*c.Height > most {
			return
		}
		if got, ok := DecodeDelta(file); ok {
			sameAsUsual(t, "fuzzed", got, file)
		}
	})
}

func BenchmarkDecodeDelta(b *testing.B) {
	for _, chroma := range []Chroma{Chroma420, Chroma444} {
		pic := testpic.Dashboard(1366, 768)
		testpic.Tick(pic, 10)
		e, err := New(1366, 768, Options{85, chroma})
		if err != nil {
			b.Fatal(err)
		}
		e.Update(pic, pic.Rect)
		testpic.Tick(pic, 11)
		delta, err := e.AppendDelta(nil, e.Update(pic, testpic.Clock(1366, 768)))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(chroma.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				DecodeDelta(delta)
			}
		})
		b.Run(chroma.String()+" image-jpeg", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				jpeg.Decode(bytes.NewReader(delta))
			}
		})
	}
}
