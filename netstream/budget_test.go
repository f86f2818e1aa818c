package netstream

import (
	"context"
	"image"
	"slices"
	"testing"
	"time"
)

// The stream serves twelve sizes, but keeps only the first eight. A kept size is protected after its last request, until recentTime has
// passed and recentFrames newer frames were published. Only then may a new size replace it.
func TestTwelveSizes(t *testing.T) {
	clock := start
	s := New(func() time.Time { return clock })
	p := newPainter(1, 100, 80)
	mustDraw(t, s, p.frame)
	ask := func(w int) {
		resp, data := mustGet(t, s, Request{W: w, H: 30})
		if size := decode(t, "", data).Rect.Size(); size != image.Pt(w, 30) || resp.Length != int64(len(data)) {
			t.Errorf("got %v and %+v, want a file of width %d", size, resp, w)
		}
	}
	kept := func(want ...int) {
		t.Helper()
		var got []int
		for _, z := range s.Stats().Sizes {
			got = append(got, z.W)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Fatalf("got widths %v, want %v", got, want)
		}
	}
	for range 2 {
		for i := range 12 {
			ask(20 + i)
		}
		kept(20, 21, 22, 23, 24, 25, 26, 27)
	}
	clock = clock.Add(2 * recentTime)
	ask(31)
	kept(20, 21, 22, 23, 24, 25, 26, 27) // nothing is replaced, because no new frame came since the last requests (a slow wall)
	for range recentFrames + 1 {
		p.paint(p.rect())
		mustDraw(t, s, p.frame)
		mustGet(t, s, Request{W: 20, H: 30, IfNoneMatch: "*"}) // status 304 also counts as a request for width 20
	}
	ask(31)
	kept(20, 22, 23, 24, 25, 26, 27, 31)
	clock = clock.Add(recentTime)
	for range recentFrames + 1 { // many frames come in a short time (a fast wall)
		p.paint(p.rect())
		mustDraw(t, s, p.frame)
	}
	ask(32)
	kept(20, 23, 24, 25, 26, 27, 31, 32)
}

// Nine screens have nine sizes. After the first frame, eight screens get only deltas, and the ninth screen gets only whole frames.
func TestNinthSize(t *testing.T) {
	s := newStream(Options{})
	k := newTick(320, 240, image.Rect(40, 40, 90, 60))
	k.draw(s)
	tags := map[int]string{}
	for frame := range 5 {
		for i := range MaxSizes + 1 {
			resp, _ := mustGet(t, s, Request{W: 200 + 8*i, H: 150, IfNoneMatch: tags[i], Delta: true})
			tags[i] = resp.ETag
			want := statusIMUsed
			if frame == 0 || i == MaxSizes {
				want = statusOK
			}
			if resp.Status != want {
				t.Errorf("frame %d, size %d: got %d, want %d", frame, i, resp.Status, want)
			}
		}
		k.draw(s)
	}
}

// A slow reader of a picture whose size is not kept does not delay other requests.
func TestNinthSizeReadSlowly(t *testing.T) {
	s := newStream(Options{})
	mustDraw(t, s, newPainter(1, 100, 80).frame)
	for i := range MaxSizes {
		mustGet(t, s, Request{W: 20 + i, H: 30})
	}
	slow, err := s.Get(t.Context(), Request{W: 50, H: 30})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	other, err := s.Get(ctx, Request{W: 51, H: 30})
	if err != nil {
		t.Fatalf("while another one reads: %v", err)
	}
	other.Body.Close()
	slow.Body.Close()
	if st := s.Stats(); st.PinnedBytes != 0 {
		t.Errorf("%d bytes are still held", st.PinnedBytes)
	}
}

func TestBudget(t *testing.T) {
	const budget = 1 << 20
	clock := start
	s := New(func() time.Time { clock = clock.Add(time.Second); return clock })
	s.Configure(Options{CacheBytes: budget})
	p := newPainter(1, 200, 150)
	mustDraw(t, s, p.frame)
	for i := range 10 {
		for _, z := range []image.Point{{200, 150}, {300, 200}, {320, 240}, {100 + i, 200}, {640, 480}} {
			resp, data := mustGet(t, s, Request{W: z.X, H: z.Y})
			if size := decode(t, "", data).Rect.Size(); size != z {
				t.Fatalf("got %v, want %v", size, z)
			}
			if strips := z.X == 640; strips != (resp.Length < 0) {
				t.Errorf("%v: got length %d, want strips %v", z, resp.Length, strips)
			}
			if st := s.Stats(); st.CacheBytes > budget || len(st.Sizes) == 0 {
				t.Fatalf("after %v: %d bytes in %d sizes are kept, budget %d", z, st.CacheBytes, len(st.Sizes), budget)
			}
		}
	}
	s.Configure(Options{CacheBytes: budget / 2})
	if got := s.Stats().CacheBytes; got > budget/2 {
		t.Errorf("a smaller budget: %d bytes are kept, want at most %d", got, budget/2)
	}
}

// Stats reports the number of bytes that a size really uses.
func TestSizeBytes(t *testing.T) {
	s := newStream(Options{})
	mustDraw(t, s, newPainter(1, 200, 150).frame)
	resp, data := mustGet(t, s, Request{W: 300, H: 200})
	z := s.Stats().Sizes[0]
	if least := 300*200*4 + 2*len(data); z.Bytes < least || z.Bytes > 2*least {
		t.Errorf("got %d bytes, want %d and a little", z.Bytes, least)
	}
	if z.W != 300 || z.H != 200 || z.Encodes != 1 || !z.LastAsked.Equal(start) || resp.Length != int64(len(data)) {
		t.Errorf("got %+v", z)
	}
}
