package netstream

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"dashboard/netstream/jpegtile"
)

// A client that requests deltas and misses random frames shows the same pictures as a client that requests files.
func TestDeltasEqualFiles(t *testing.T) {
	for _, o := range formats[:3] {
		for _, z := range []image.Point{{}, {200, 120}, {470, 301}, {33, 17}} {
			t.Run(fmt.Sprintf("%s-%v", o.testName(), z), func(t *testing.T) {
				p := newPainter(11, 323, 187)
				s := newStream(o)
				mustDraw(t, s, p.frame)
				resp, data := mustGet(t, s, Request{W: z.X, H: z.Y, Delta: true, IfNoneMatch: `"0000000000000000"`})
				if resp.Status != 200 {
					t.Fatalf("unknown base: got %d, want 200", resp.Status)
				}
				shown, tag, partial := decode(t, o.Format, data), resp.ETag, 0
				for range rounds(25) {
					for range 1 + p.IntN(2) {
						mustDraw(t, s, p.frame, p.change()...)
					}
					if p.IntN(3) == 0 { // another client requests a file, and this client misses the frame
						mustGet(t, s, Request{W: z.X, H: z.Y})
						continue
					}
					resp, data := mustGet(t, s, Request{W: z.X, H: z.Y, Delta: true, IfNoneMatch: tag})
					_, file := mustGet(t, s, Request{W: z.X, H: z.Y})
					want := decode(t, o.Format, file)
					switch resp.Status {
					case 226:
						if resp.DeltaBase != tag || resp.ContentType != DeltaContentType || len(data) > len(file)/2 {
							t.Fatalf("got %+v with %d of %d bytes", resp, len(data), len(file))
						}
						applyChecked(t, shown, data)
						partial++
					case 200:
						shown = decode(t, o.Format, data)
					default:
						t.Fatalf("got status %d", resp.Status)
					}
					tag = resp.ETag
					if difference(t, shown, want) {
						t.FailNow()
					}
				}
				if z.X > 100 && partial == 0 {
					t.Error("got no delta, want some")
				}
			})
		}
	}
}

// applyChecked applies a delta and checks that the returned damage contains every changed pixel.
func applyChecked(t *testing.T, dst *image.RGBA, data []byte) {
	t.Helper()
	before := *dst
	before.Pix = bytes.Clone(dst.Pix)
	damage, err := ApplyDelta(dst, data)
	if err != nil {
		t.Fatal(err)
	}
	copyRects(&before, dst, damage)
	if !bytes.Equal(before.Pix, dst.Pix) {
		t.Fatal("ApplyDelta changed pixels outside its damage")
	}
}

func TestDeltaIsOnlyForWhoAsks(t *testing.T) {
	p := newPainter(2, 320, 200)
	tick := func(s *Stream) (old string) {
		mustDraw(t, s, p.frame)
		resp, _ := mustGet(t, s, Request{})
		p.paint(image.Rect(8, 8, 20, 16))
		mustDraw(t, s, p.frame, image.Rect(8, 8, 20, 16))
		return resp.ETag
	}
	for _, c := range []struct {
		name    string
		options Options
		request func(old string) Request
		want    int
	}{
		{"asked", Options{}, func(old string) Request { return Request{Delta: true, IfNoneMatch: old} }, 226},
		{"asked among others", Options{}, func(old string) Request { return Request{Delta: true, IfNoneMatch: `"x", ` + old} }, 226},
		{"not asked", Options{}, func(old string) Request { return Request{IfNoneMatch: old} }, 200},
		{"no base", Options{}, func(string) Request { return Request{Delta: true} }, 200},
		{"weak base", Options{}, func(old string) Request { return Request{Delta: true, IfNoneMatch: "W/" + old} }, 200},
		{"base of no size for a size", Options{}, func(old string) Request { return Request{W: 320, H: 200, Delta: true, IfNoneMatch: old} }, 200},
		{"the same with its size", Options{}, func(old string) Request {
			return Request{W: 320, H: 200, Delta: true, IfNoneMatch: strings.TrimSuffix(old, `"`) + `-320x200"`}
		}, 226},
		{"bmp", Options{Format: "bmp"}, func(old string) Request { return Request{Delta: true, IfNoneMatch: old} }, 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStream(c.options)
			if resp, _ := mustGet(t, s, c.request(tick(s))); resp.Status != c.want {
				t.Errorf("got %d, want %d", resp.Status, c.want)
			}
		})
	}
}

// A client that is historyLength or more frames behind gets the whole frame.
func TestDeltaForgets(t *testing.T) {
	p := newPainter(2, 320, 200)
	s := newStream(Options{})
	mustDraw(t, s, p.frame)
	first, _ := mustGet(t, s, Request{})
	for i := range historyLength + 1 {
		p.frame.SetRGBA(0, 0, color.RGBA{uint8(i), 255, 0, 255})
		mustDraw(t, s, p.frame, image.Rect(0, 0, 1, 1))
		resp, _ := mustGet(t, s, Request{Delta: true, IfNoneMatch: first.ETag})
		if want := map[bool]int{true: 226, false: 200}[i < historyLength-1]; resp.Status != want {
			t.Fatalf("%d frames behind: got %d, want %d", i+1, resp.Status, want)
		}
	}
}

// If a change is not visible after scaling, the delta has no tiles. A change back to the pixels of an older frame also produces a delta,
// and the tag of the older frame.
func TestDeltaEdges(t *testing.T) {
	frame := flat(640, 480, color.RGBA{40, 40, 40, 255})
	s := newStream(Options{Format: "png"})
	mustDraw(t, s, frame)
	a, file := mustGet(t, s, Request{W: 64, H: 48})
	shown := decode(t, "png", file)
	frame.SetRGBA(5, 5, color.RGBA{41, 40, 40, 255})
	mustDraw(t, s, frame)
	b, delta := mustGet(t, s, Request{W: 64, H: 48, Delta: true, IfNoneMatch: a.ETag})
	if b.Status != 226 || len(delta) != deltaHeadBytes {
		t.Fatalf("nothing visible: got %d with %d bytes, want 226 with %d", b.Status, len(delta), deltaHeadBytes)
	}
	if damage, err := ApplyDelta(shown, delta); err != nil || len(damage) != 0 {
		t.Errorf("got %v, %v; want no damage", damage, err)
	}
	frame.SetRGBA(5, 5, color.RGBA{40, 40, 40, 255})
	mustDraw(t, s, frame)
	c, _ := mustGet(t, s, Request{W: 64, H: 48, Delta: true, IfNoneMatch: b.ETag})
	if c.Status != 226 || c.ETag != a.ETag {
		t.Errorf("back again: got %d %s, want 226 %s", c.Status, c.ETag, a.ETag)
	}
}

// After the render size has changed, an old tag without a size belongs to a picture of the old size. So a request with this tag gets no
// delta.
func TestDeltaAfterResize(t *testing.T) {
	s := newStream(Options{})
	mustDraw(t, s, newPainter(1, 320, 200).frame)
	old, _ := mustGet(t, s, Request{})
	mustGet(t, s, Request{W: 160, H: 100}) // this size has encoded the frame with the tag old.ETag, scaled to 160x100
	small := newPainter(1, 160, 100)
	mustDraw(t, s, small.frame)
	if resp, data := mustGet(t, s, Request{Delta: true, IfNoneMatch: old.ETag}); resp.Status != 200 {
		t.Errorf("got %d, want 200", resp.Status)
	} else if size := decode(t, "", data).Rect.Size(); size != image.Pt(160, 100) {
		t.Errorf("got a picture of %v, want the new render size", size)
	}
	_, before := mustGet(t, s, Request{W: 160, H: 100})
	shown := decode(t, "", before)
	now, _ := mustGet(t, s, Request{})
	small.paint(image.Rect(0, 0, 4, 4))
	mustDraw(t, s, small.frame)
	resp, delta := mustGet(t, s, Request{Delta: true, IfNoneMatch: now.ETag})
	if resp.Status != 226 {
		t.Fatalf("got %d, want 226", resp.Status)
	}
	applyChecked(t, shown, delta)
	_, file := mustGet(t, s, Request{})
	difference(t, shown, decode(t, "", file))
}

// All clients that have missed the same frames get the same bytes, which are made only once.
func TestDeltaIsShared(t *testing.T) {
	p := newPainter(2, 320, 200)
	s := newStream(Options{})
	mustDraw(t, s, p.frame)
	old, _ := mustGet(t, s, Request{})
	p.paint(image.Rect(0, 0, 9, 9))
	mustDraw(t, s, p.frame)
	r := Request{Delta: true, IfNoneMatch: old.ETag}
	a, err := s.Get(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	b, err := s.Get(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Body.Close()
	if a.Status != 226 || a.Body.(*lease).file != b.Body.(*lease).file {
		t.Errorf("got %d and two files, want 226 and one", a.Status)
	}
}

// The delta begins with the bytes of the example in docs/protocol.md.
func TestDocumentedDelta(t *testing.T) {
	frame := flat(320, 200, color.RGBA{30, 30, 30, 255})
	s := newStream(Options{Chroma: 444})
	mustDraw(t, s, frame)
	old, _ := mustGet(t, s, Request{})
	copyRects(frame, flat(320, 200, color.RGBA{200, 200, 0, 255}), []image.Rectangle{image.Rect(56, 112, 64, 120)})
	mustDraw(t, s, frame)
	resp, got := mustGet(t, s, Request{Delta: true, IfNoneMatch: old.ETag})
	want := []byte{
		'D', 'T', 'L', '1', 0x01, 0x40, 0x00, 0xC8, 0x00, 0x01, 0x00, 0x00,
		0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x70, 0x00, 0xA0, 0x00, 0x08,
		0xFF, 0xD8, 0xFF,
	}
	if resp.Status != 226 || !bytes.HasPrefix(got, want) {
		t.Errorf("got %d and % x, want 226 and % x", resp.Status, got[:min(len(got), len(want))], want)
	}
	if size := decode(t, "jpeg", got[24:]).Rect.Size(); size != image.Pt(160, 8) {
		t.Errorf("got a picture of %v, want 160x8", size)
	}
}

// ApplyDelta accepts the largest possible delta, which consists of all tiles of a frame. This holds for frames of any shape.
func TestLargestDeltaIsTaken(t *testing.T) {
	for _, frame := range []image.Point{{1, 1}, {1, 7680}, {7680, 1}, {17, 17}, {191, 9}, {241, 33}, {1366, 768}, {7680, 7680}} {
		for _, chroma := range []jpegtile.Chroma{jpegtile.Chroma420, jpegtile.Chroma444} {
			l, err := jpegtile.NewLayout(frame.X, frame.Y, chroma)
			if err != nil {
				t.Fatal(err)
			}
			w, h := l.DeltaSize(l.Tiles())
			if most := (frame.X+16)*(frame.Y+16) + deltaSlack; w*h > most {
				t.Errorf("frame %v, %v: all tiles have %d pixels, taken are %d", frame, chroma, w*h, most)
			}
		}
	}
}

// deltaOf returns a small valid delta. It copies the right half of a picture of 16x8 pixels to (4, 2) in a frame of 20x10.
func deltaOf(t testing.TB, asPNG bool) []byte {
	t.Helper()
	var b bytes.Buffer
	img := flat(16, 8, color.RGBA{200, 30, 30, 255})
	err := jpeg.Encode(&b, img, nil)
	if asPNG {
		b.Reset()
		err = png.Encode(&b, img)
	}
	if err != nil {
		t.Fatal(err)
	}
	head := appendDeltaHead(nil, 20, 10, []piece{{image.Pt(8, 0), image.Rect(4, 2, 12, 10)}})
	return append(head, b.Bytes()...)
}

func TestApplyDelta(t *testing.T) {
	for _, asPNG := range []bool{false, true} {
		dst := flat(20, 10, color.RGBA{0, 0, 0, 255})
		dst.Rect = dst.Rect.Add(image.Pt(-7, 3)) // positions in a delta are still relative to the top left pixel
		damage, err := ApplyDelta(dst, deltaOf(t, asPNG))
		if err != nil {
			t.Fatal(err)
		}
		if len(damage) != 1 || damage[0] != image.Rect(4, 2, 12, 10) {
			t.Errorf("got damage %v", damage)
		}
		for y := range 10 {
			for x := range 20 {
				red := dst.RGBAAt(x-7, y+3).R > 100
				if want := image.Pt(x, y).In(damage[0]); red != want {
					t.Fatalf("pixel (%d, %d): got red %v, want %v", x, y, red, want)
				}
			}
		}
	}
}

func TestApplyDeltaRefuses(t *testing.T) {
	good := deltaOf(t, false)
	edit := func(at int, v byte) []byte {
		b := bytes.Clone(good)
		b[at] = v
		return b
	}
	var huge bytes.Buffer
	if err := png.Encode(&huge, image.NewGray(image.Rect(0, 0, 3000, 3000))); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		body []byte
		want string
	}{
		{"nothing", nil, "no head"},
		{"other magic", edit(0, 'X'), "no head"},
		{"half a head", good[:7], "no head"},
		{"other width", edit(5, 21), "for a frame of (21,10), not (20,10)"},
		{"more pieces than bytes", edit(8, 200), "cut off in its 51201 pieces"},
		{"piece right of the frame", edit(17, 13), "is not in the frame"},
		{"piece below the frame", edit(19, 3), "is not in the frame"},
		{"empty piece", edit(21, 0), "is not in the frame"},
		{"piece outside the picture", edit(13, 9), "is not in the picture"},
		{"no picture", good[:24], "picture"},
		{"cut picture", good[:len(good)-40], "picture"},
		{"huge picture", append(bytes.Clone(good[:24]), huge.Bytes()...), "more than a frame"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dst := flat(20, 10, color.RGBA{9, 9, 9, 255})
			before := bytes.Clone(dst.Pix)
			damage, err := ApplyDelta(dst, c.body)
			if err == nil || !strings.Contains(err.Error(), c.want) || damage != nil {
				t.Errorf("got %v, %v; want an error with %q", damage, err, c.want)
			}
			if !bytes.Equal(dst.Pix, before) {
				t.Error("the frame was changed")
			}
		})
	}
}

func FuzzApplyDelta(f *testing.F) {
	f.Add(deltaOf(f, false))
	f.Add(deltaOf(f, true))
	f.Add(appendDeltaHead(nil, 20, 10, nil))
	f.Add([]byte(deltaMagic))
	frame := flat(20, 10, color.RGBA{9, 9, 9, 255})
	f.Fuzz(func(t *testing.T, body []byte) {
		dst := image.NewRGBA(frame.Rect)
		copy(dst.Pix, frame.Pix)
		damage, err := ApplyDelta(dst, body)
		if err != nil && !bytes.Equal(dst.Pix, frame.Pix) {
			t.Fatalf("failed with %v and changed the frame", err)
		}
		for _, r := range damage {
			if !r.In(frame.Rect) || r.Empty() {
				t.Fatalf("damage %v is not in the frame", r)
			}
		}
	})
}
