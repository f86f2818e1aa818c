package trmnl

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"dashboard/render/ink"

	"golang.org/x/image/bmp"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// noise() returns a frame of random colors, which cannot be compressed. The whole frame is marked as a photo.
func noise(size image.Point, seed uint64) Shot {
	r := rand.New(rand.NewPCG(seed, 1))
	m := image.NewRGBA(image.Rectangle{Max: size})
	for i := range m.Pix {
		if m.Pix[i] = 255; i%4 != 3 {
			m.Pix[i] = uint8(r.Uint32())
		}
	}
	s := Shot{Frame: m}
	s.Regions.Add(ink.Region{Rect: m.Rect, Photo: true})
	return s
}

func copied(s Shot) Shot {
	f := *s.Frame
	f.Pix = bytes.Clone(f.Pix)
	s.Frame = &f
	return s
}

// shows() returns Readers with devices of the given names. All devices show the same frame.
func shows(s *Shot, names ...string) *Readers {
	r := New(Parts{
		Paint: func(context.Context, string) (Shot, time.Time, error) { return copied(*s), time.Time{}, nil },
		Log:   slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	set := Settings{On: true}
	for _, n := range names {
		set.Devices = append(set.Devices, Device{Name: n, Token: "token of " + n, Refresh: 15 * time.Minute})
	}
	r.Configure(set)
	return r
}

func ask(t testing.TB, r *Readers, said Said, now time.Time) Turn {
	t.Helper()
	turn, err := r.Show(t.Context(), said, now)
	if err != nil {
		t.Fatal(err)
	}
	return turn
}

// TestPictures: the file for each model contains exactly the pixels of the quantized frame, and stays within the size limit.
func TestPictures(t *testing.T) {
	for _, m := range Models() {
		if m.Size.X > 800 || m.Bits == 8 { // a large or slow model: draw a smaller picture, so that the test is fast
			m.Size, m.Most = m.Size.Div(4), m.Most/16
		}
		shot := noise(m.Size, 7)
		same := copied(shot)
		pic, file, err := draws(&shot, m)
		if err != nil {
			t.Fatal(err)
		}
		if len(file) > m.Most {
			t.Errorf("%s: %d bytes, of %d", m.Name, len(file), m.Most)
		}
		var got image.Image
		if m.BMP {
			got, err = bmp.Decode(bytes.NewReader(file))
		} else {
			got, err = png.Decode(bytes.NewReader(file))
		}
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		bits := (&ink.Palette{Inks: make([]ink.Ink, len(pic.Palette))}).Bits()
		want := quantize(&same, bits)
		for y := range m.Size.Y {
			for x := range m.Size.X {
				at := image.Pt(x, y)
				if m.Turn {
					at = image.Pt(m.Size.Y-1-y, x)
				}
				if g, w := color.RGBAModel.Convert(got.At(at.X, at.Y)), color.RGBAModel.Convert(want.At(x, y)); g != w {
					t.Fatalf("%s: %v at %v, want %v", m.Name, g, at, w)
				}
			}
		}
	}
}

// TestBMP: the file has the form that the firmware requires, byte by byte.
func TestBMP(t *testing.T) {
	shot := noise(image.Pt(800, 480), 3)
	m, _ := Named("og_bmp")
	_, b, err := draws(&shot, m)
	if err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	if string(b[:2]) != "BM" || len(b) != 62+48000 || le.Uint32(b[2:]) != 48062 || le.Uint32(b[10:]) != 62 || le.Uint32(b[14:]) != 40 ||
		le.Uint32(b[18:]) != 800 || le.Uint32(b[22:]) != 480 || le.Uint16(b[26:]) != 1 || le.Uint16(b[28:]) != 1 || le.Uint32(b[30:]) != 0 ||
		le.Uint32(b[34:]) != 48000 || !bytes.Equal(b[54:62], []byte{0, 0, 0, 0, 255, 255, 255, 0}) {
		t.Errorf("header % x", b[:62])
	}
}

// TestNames: the name changes if and only if a pixel changes. Devices accept the form of the name.
func TestNames(t *testing.T) {
	shot := noise(image.Pt(800, 480), 1)
	r := shows(&shot, "a", "b")
	said := Said{Token: "token of a"}
	first := ask(t, r, said, noon)
	if len(first.Picture.Name) > 31 || !strings.HasSuffix(first.Picture.Name, fmt.Sprintf("-%010d", noon.Unix())) {
		t.Errorf("got the name %s", first.Picture.Name)
	}
	if again := ask(t, r, said, noon.Add(time.Hour)); again.Picture.Name != first.Picture.Name || again.Picture.Secret != first.Picture.Secret {
		t.Errorf("got %s after %s, of the same pixels", again.Picture.Name, first.Picture.Name)
	}
	if other := ask(t, r, Said{Token: "token of b"}, noon); other.Picture.Name == first.Picture.Name || other.Picture.Secret == first.Picture.Secret {
		t.Error("two devices have a picture of the same name")
	}
	seen := map[string]bool{first.Picture.Name: true}
	for n := range 5 { // all these pictures have the same time
		copy(shot.Frame.Pix, []byte{uint8(n % 2 * 255), uint8(n % 2 * 255), uint8(n % 2 * 255)})
		next := ask(t, r, said, noon)
		if seen[next.Picture.Name] {
			t.Errorf("the name %s is of two pictures", next.Picture.Name)
		}
		seen[next.Picture.Name] = true
	}
}

// TestRefresh: a device sleeps until the end of its quiet time, until a known change, or for the configured time.
func TestRefresh(t *testing.T) {
	d := Device{Refresh: 15 * time.Minute}
	for want, next := range map[int]time.Time{900: {}, 62: noon.Add(time.Minute), 30: noon.Add(time.Second)} {
		if got := refresh(d, noon, next); got != want {
			t.Errorf("with a change at %v: got %d, want %d", next, got, want)
		}
	}
	d.Asleep = func(time.Time) time.Time { return noon.Add(6 * time.Hour) }
	if got := refresh(d, noon, noon.Add(time.Minute)); got != 6*3600+1 {
		t.Errorf("asleep: got %d", got)
	}
}

// TestPicturesAreBounded: the two newest pictures of each device are kept. All pictures together stay within maxKept bytes.
func TestPicturesAreBounded(t *testing.T) {
	var names []string
	for n := range MaxDevices {
		names = append(names, fmt.Sprint("d", n))
	}
	shot := noise(image.Pt(200, 120), 1)
	r := shows(&shot, names...)
	file := make([]byte, largeFile)
	for n := range 20 * MaxDevices {
		m := image.NewPaletted(image.Rect(0, 0, 8, 1), color.Palette{color.Black, color.White})
		for bit := range m.Pix {
			m.Pix[bit] = uint8(n >> bit & 1)
		}
		r.name(names[n%len(names)], m, file, false, noon)
		total := 0
		for _, p := range r.pictures {
			total += len(p.File)
		}
		if total > maxKept || len(r.pictures) > keptEach*len(names) {
			t.Fatalf("%d pictures of %d bytes are kept", len(r.pictures), total)
		}
	}
	for n := range 2 * MaxDevices { // other devices, which have newer pictures
		r.remember(fmt.Sprint("e", n), Shown{Time: noon.Unix() + 1000 + int64(n)})
	}
	if _, ok := r.kept.Shown[fmt.Sprint("e", MaxDevices)]; len(r.kept.Shown) > MaxDevices || !ok {
		t.Errorf("%d names are kept, one of the newest: %v", len(r.kept.Shown), ok)
	}
	one := shows(&shot, "a")
	var last, before Turn
	for n := range 4 {
		shot = noise(image.Pt(200, 120), uint64(n))
		before, last = last, ask(t, one, Said{Token: "token of a"}, noon)
	}
	for _, p := range []Picture{last.Picture, before.Picture} {
		if _, ok := one.Fetch(p.Secret, p.Name); !ok {
			t.Error("one of the newest two pictures is gone")
		}
	}
	if len(one.pictures) != keptEach {
		t.Errorf("%d pictures are kept", len(one.pictures))
	}
}

// TestMemory: drawing a picture allocates at most the memory of four frames.
func TestMemory(t *testing.T) {
	size := image.Pt(800, 480)
	shot := noise(size, 1)
	r := shows(&shot, "a")
	said := Said{Token: "token of a"}
	ask(t, r, said, noon)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const rounds = 5
	for range rounds {
		ask(t, r, said, noon)
	}
	runtime.ReadMemStats(&after)
	frame := uint64(4 * size.X * size.Y)
	if each := (after.TotalAlloc - before.TotalAlloc) / rounds; each > 4*frame {
		t.Errorf("a picture takes %d bytes, more than four frames of %d", each, frame)
	}
}
