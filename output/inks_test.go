package output

import (
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/render/ink"

	"golang.org/x/image/bmp"
)

// takes is a server that stores uploaded pictures, and counts the requests of AfterPost.
type takes struct {
	pictures []*image.Paletted
	after    int
	fails    int // number of uploads that will fail from now on
}

func (u *takes) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodGet {
		u.after++
	} else if u.fails--; u.fails >= 0 {
		return nil, errCable
	} else {
		m, err := png.Decode(r.Body)
		if err != nil {
			return nil, err
		}
		p, _ := m.(*image.Paletted)
		u.pictures = append(u.pictures, p)
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("")), Request: r}, nil
}

// shaded() returns a frame of one color with a gray photo in its right half, and the photo's region.
func shaded(c color.RGBA) (*image.RGBA, *ink.Regions) {
	m := image.NewRGBA(image.Rect(0, 0, 64, 32))
	draw.Draw(m, m.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	photo := image.Rect(32, 0, 64, 32)
	draw.Draw(m, photo, image.NewUniform(color.RGBA{120, 120, 120, 255}), image.Point{}, draw.Src)
	r := &ink.Regions{}
	r.Add(ink.Region{Rect: photo, Photo: true})
	return m, r
}

func bwOf(t *testing.T) *ink.Palette {
	t.Helper()
	p, ok := ink.Named("bw")
	if !ok {
		t.Fatal("no palette")
	}
	return p
}

// TestPostInInks: an upload contains only inks of the palette, and photos are dithered. If the inks of a picture have not changed, it is
// not uploaded again. If the upload has failed, it is repeated.
func TestPostInInks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := &takes{fails: 1}
		p := newPost(t, PostOptions{Palette: bwOf(t), MinInterval: time.Second, Transport: u, AfterPost: &AfterPost{URL: "http://h/"}})
		stop := start(t, p.Run)
		// The first three frames become black: a gray, the same gray, and another gray. The last two frames become white.
		for _, v := range []uint8{30, 30, 40, 220, 221} {
			frame, regions := shaded(color.RGBA{v, v, v, 255})
			p.Mark(regions)
			_ = p.DrawFrame(frame, rects(frame.Rect))
			time.Sleep(time.Minute)
		}
		stop()
		if len(u.pictures) != 2 || u.after != 2 {
			t.Fatalf("%d uploads and %d requests after them, want 2 of each", len(u.pictures), u.after)
		}
		for i, m := range u.pictures {
			if m == nil || len(m.Palette) != 2 || m.ColorIndexAt(3, 3) != uint8(i) {
				t.Fatalf("upload %d: got %v", i, m)
			}
			dots := 0
			for y := range 32 {
				for x := 32; x < 64; x++ {
					dots += int(m.ColorIndexAt(x, y))
				}
			}
			if dots < 50 || dots > 600 {
				t.Errorf("upload %d: %d of 1024 pixels of the photo are white", i, dots)
			}
		}
	})
}

// TestFileInInks: PNG and BMP files contain inks of the palette. JPEG does not support palettes.
func TestFileInInks(t *testing.T) {
	for format, decode := range map[string]func(io.Reader) (image.Image, error){"png": png.Decode, "bmp": bmp.Decode} {
		dir := t.TempDir()
		synctest.Test(t, func(t *testing.T) { writeInInks(t, dir, format) })
		file, err := os.Open(filepath.Join(dir, "x."+format))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		m, err := decode(file)
		p, ok := m.(*image.Paletted)
		if err != nil || !ok || p.At(1, 1) != p.Palette[1] {
			t.Errorf("%s: got %T, %v", format, m, err)
		}
	}
	if _, err := NewFile(FileOptions{Format: "jpg", Palette: bwOf(t)}); err == nil || !strings.Contains(err.Error(), "cannot keep the inks") {
		t.Errorf("got %v", err)
	}
}

// writeInInks writes a file "x" with one light frame into a folder.
func writeInInks(t *testing.T, dir, format string) {
	f, err := NewFile(FileOptions{Dir: dir, Format: format, Palette: bwOf(t), RenderInterval: time.Hour, Pattern: "x"})
	if err != nil {
		t.Fatal(err)
	}
	frame, regions := shaded(color.RGBA{250, 250, 250, 255})
	f.Mark(regions)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); f.Run(ctx) }()
	_ = f.DrawFrame(frame, rects(frame.Rect))
	synctest.Wait()
	cancel()
	<-done
}

// TestPureInks: pictures have the nominal colors of each palette, because the program that reads the pictures translates these colors. A
// change of the frame's size makes no difference.
func TestPureInks(t *testing.T) {
	f, err := newFormat("png", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range ink.Names() {
		p, _ := ink.Named(name)
		i, err := newInks(p, f)
		if err != nil {
			t.Fatal(err)
		}
		for _, side := range []int{8, 16} {
			frame := image.NewRGBA(image.Rect(0, 0, side, side))
			if got := i.draw(frame, nil).Palette; !slices.Equal(got, p.Pure()) {
				t.Errorf("%s, %d px: got %v, want %v", name, side, got, p.Pure())
			}
			if i.same() {
				t.Errorf("%s, %d px: the first picture of a size counts as sent", name, side)
			}
			i.sent()
		}
	}
}
