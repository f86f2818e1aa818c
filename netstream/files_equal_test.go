package netstream

import (
	"bytes"
	"fmt"
	"image"
	"testing"
)

var formats = []Options{
	{Format: "jpeg"}, {Format: "jpg", Quality: 70, Chroma: 420}, {Format: "png"}, {Format: "bmp"},
}

func (o Options) testName() string { return fmt.Sprintf("%s-%d", o.Format, o.Chroma) }

// sizesAsked contains the zero size, the render size, smaller sizes, larger sizes, sizes with one larger and one smaller side, and tiny
// sizes.
var sizesAsked = []image.Point{{}, {323, 187}, {200, 120}, {160, 187}, {400, 90}, {500, 300}, {7, 5}, {1, 1}}

// A stream that has received many frames serves the same file for a size as a new stream that has received only the last frame. The
// damage and missed frames make no difference.
func TestFileEqualsFullEncode(t *testing.T) {
	for _, o := range formats {
		t.Run(o.testName(), func(t *testing.T) {
			p := newPainter(7, 323, 187)
			s := newStream(o)
			mustDraw(t, s, p.frame)
			for round := range rounds(12) {
				for range p.IntN(3) {
					mustDraw(t, s, p.frame, p.change()...)
				}
				fresh := newStream(o)
				mustDraw(t, fresh, p.frame)
				for i, z := range sizesAsked {
					if round > 0 && p.IntN(3) == 0 {
						continue
					}
					got, gotBytes := mustGet(t, s, Request{W: z.X, H: z.Y})
					want, wantBytes := mustGet(t, fresh, Request{W: z.X, H: z.Y})
					if got.ETag != want.ETag || !bytes.Equal(gotBytes, wantBytes) {
						t.Fatalf("round %d, size %v: got %s, %d bytes; want %s, %d bytes (or the same number of others)",
							round, z, got.ETag, len(gotBytes), want.ETag, len(wantBytes))
					}
					if i > 0 {
						if size := decode(t, o.Format, gotBytes).Rect.Size(); size != z {
							t.Fatalf("size %v: decoded %v", z, size)
						}
					}
				}
			}
		})
	}
}

// A lossless file of the render size has exactly the pixels of the frame, even if the frame's bounds do not start at (0, 0).
func TestPixelsArrive(t *testing.T) {
	for _, format := range []string{"png", "bmp"} {
		t.Run(format, func(t *testing.T) {
			p := newPainter(3, 150, 70)
			p.frame.Rect = p.frame.Rect.Add(image.Pt(40, -10))
			s := newStream(Options{Format: format})
			mustDraw(t, s, p.frame)
			_, data := mustGet(t, s, Request{})
			want := *p.frame
			want.Rect = image.Rectangle{Max: p.frame.Rect.Size()}
			difference(t, decode(t, format, data), &want)
		})
	}
}

// A response in strips contains the same picture as a response of a kept size.
func TestStripsEqualKept(t *testing.T) {
	for _, o := range formats {
		t.Run(o.testName(), func(t *testing.T) {
			p := newPainter(5, 323, 187)
			kept := newStream(o)
			o.CacheBytes = 1
			strips := newStream(o)
			mustDraw(t, kept, p.frame)
			mustDraw(t, strips, p.frame)
			for _, z := range sizesAsked {
				got, gotBytes := mustGet(t, strips, Request{W: z.X, H: z.Y})
				want, wantBytes := mustGet(t, kept, Request{W: z.X, H: z.Y})
				if got.Length != -1 || got.ETag != want.ETag || got.ContentType != want.ContentType || !bytes.Equal(gotBytes, wantBytes) {
					t.Errorf("size %v: got %+v and %d bytes, want %+v and %d bytes", z, got, len(gotBytes), want, len(wantBytes))
				}
			}
			if st := strips.Stats(); len(st.Sizes) != 0 || st.CacheBytes != 0 {
				t.Errorf("strips kept %+v", st)
			}
		})
	}
}

func TestContentTypes(t *testing.T) {
	for format, want := range map[string]string{
		"": "image/jpeg", "jpeg": "image/jpeg", "jpg": "image/jpeg", "png": "image/png", "bmp": "image/bmp",
	} {
		s := newStream(Options{Format: format})
		mustDraw(t, s, newPainter(1, 20, 20).frame)
		if resp, _ := mustGet(t, s, Request{}); resp.ContentType != want {
			t.Errorf("format %q: got %q, want %q", format, resp.ContentType, want)
		}
	}
}
