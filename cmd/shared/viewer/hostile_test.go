package viewer

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/image/bmp"

	"dashboard/internal/testing/programtest"
	"dashboard/internal/testing/testpic"
	"dashboard/internal/testing/thorough"
)

// mostMemory is the memory limit of the remote screen's systemd unit, in bytes.
const mostMemory = 128 << 20

// A bomb is a hostile answer to a request for a frame.
type bomb func(w http.ResponseWriter, r *http.Request)

// file returns a bomb that sends `body` as a whole picture.
func file(body []byte) bomb {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) }
}

// tiles() returns a bomb that sends `body` as the changes since the newest frame.
func tiles(body []byte) bomb {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("IM", "tiles")
		w.Header().Set("Delta-Base", r.Header.Get("If-None-Match"))
		w.WriteHeader(http.StatusIMUsed)
		_, _ = w.Write(body)
	}
}

// endless() returns a bomb that sends the beginning of a picture. Then it sends pieces of zeros, until the client disconnects or a short
// time has passed.
func endless(head []byte, piece int, pause time.Duration) bomb {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write(head)
		zeros := make([]byte, piece)
		tick := time.NewTicker(max(pause, time.Nanosecond))
		defer tick.Stop()
		for end := time.Now().Add(300 * time.Millisecond); time.Now().Before(end); <-tick.C {
			if _, err := w.Write(zeros); err != nil || http.NewResponseController(w).Flush() != nil {
				return
			}
		}
	}
}

// promise returns a bomb whose Content-Length differs from the length of its body.
func promise(length string, body []byte) bomb {
	return func(w http.ResponseWriter, _ *http.Request) {
		c, out, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		defer c.Close()
		fmt.Fprintf(out, "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: %s\r\n\r\n", length)
		_, _ = out.Write(body)
		_ = out.Flush()
	}
}

func encoded(t *testing.T, encode func(io.Writer, image.Image) error, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// bombs() returns hostile answers for a screen of 1366x768 px. Some answers need as much memory as the client allows, and other answers
// need more.
func bombs(t *testing.T) (all []bomb) {
	progressive, err := os.ReadFile(filepath.Join("..", "..", "..", "render", "picture", "scaledjpeg", "testdata", "444-progressive.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	asJPEG := func(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, nil) }
	baseline := encoded(t, asJPEG, image.NewYCbCr(image.Rect(0, 0, 64, 64), image.YCbCrSubsampleRatio444))
	for _, size := range []image.Point{{1366, 768}, {1920, 1080}, {1500, 1400}, {2000, 1500}, {2400, 1700}, {2600, 2000}, {3000, 2400}, {3600, 2800}, {7680, 4320}, {7680, 16}} {
		all = append(all, file(testpic.JPEGOf(progressive, 0xc2, size.X, size.Y)), file(testpic.JPEGOf(baseline, 0xc0, size.X, size.Y)))
	}
	for _, p := range []struct {
		w, h             int
		depth, colors, i byte
		bits             int64
	}{
		{1366, 768, 16, 6, 1, 64}, {1900, 1300, 16, 6, 1, 64}, {2200, 1600, 8, 6, 1, 32}, {3200, 3200, 8, 0, 0, 8}, {2400, 1500, 16, 2, 0, 48}, {2800, 2400, 8, 2, 0, 24}, {6320, 6320, 16, 6, 1, 64},
		{7680, 7680, 1, 0, 1, 1}, {7680, 500, 8, 6, 0, 32}, {1 << 30, 1, 8, 6, 0, 0},
	} {
		all = append(all, file(testpic.EmptyPNG(p.w, p.h, p.depth, p.colors, p.i, p.bits)))
	}
	flat := encoded(t, bmp.Encode, image.NewRGBA(image.Rect(0, 0, 1366, 768)))
	huge := bytes.Clone(flat)
	binary.LittleEndian.PutUint32(huge[18:], 7680)
	binary.LittleEndian.PutUint32(huge[22:], 7680)
	pieces := binary.BigEndian.AppendUint16([]byte("DTL1"), 1366) // each piece covers the whole frame
	for _, v := range []uint16{768, 65535, 0} {
		pieces = binary.BigEndian.AppendUint16(pieces, v)
	}
	pieces = append(pieces, bytes.Repeat([]byte{0, 0, 0, 0, 0, 0, 0, 0, 1366 >> 8, 1366 & 255, 768 >> 8, 0}, 65535)...)
	pieces = append(pieces, testpic.EmptyPNG(1366, 768, 8, 0, 0, 8)...)
	return append(all, file(flat), file(huge), file(testpic.ManyScans(1366, 768, 400000)), tiles(pieces), tiles(append(pieces[:12:12], testpic.EmptyPNG(7680, 7680, 16, 6, 1, 1)...)),
		endless([]byte("\xff\xd8"), 1<<20, 0), endless(baseline[:200], 1<<16, 0), endless([]byte("BM"), 1, 20*time.Millisecond), endless(nil, 1<<20, 0),
		promise("99999999999999", flat), promise("8388607", flat[:1000]), promise("100", flat), promise("-5", flat),
		func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.String(), http.StatusFound) },
		func(w http.ResponseWriter, _ *http.Request) {
			for i := range 200 {
				w.Header().Set(fmt.Sprint("X-", i), string(bytes.Repeat([]byte("x"), 10000)))
			}
		})
}

var inFull = flag.Bool("long", false, "everything that is shortened, whole: docs/dev/tests.md")

// TestHostileService checks a service that answers each request for a frame with another bomb. With -long it sends each bomb twice. At
// the same time, the stream of events announces a frame every few milliseconds and contains endless lines. The remote screen stays below
// the memory limit of its unit. Afterwards it shows a valid picture.
func TestHostileService(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	all := bombs(t)
	many := len(all)
	if *inFull {
		many *= 2
	}
	last := image.NewRGBA(image.Rect(0, 0, 1366, 768))
	draw.Draw(last, last.Rect, image.NewUniform(red), image.Point{}, draw.Src)
	wanted := encoded(t, png.Encode, last)
	var asked atomic.Int64
	over := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/frame", func(w http.ResponseWriter, r *http.Request) {
		n := int(asked.Add(1))
		w.Header().Set("ETag", fmt.Sprintf(`"%016x-1366x768"`, n))
		if n > many {
			file(wanted)(w, r)
			return
		}
		all[n%len(all)](w, r)
	})
	mux.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for n := 0; ; n++ {
			select {
			case <-over:
				return
			case <-r.Context().Done():
				return
			case <-tick.C:
			}
			fmt.Fprintf(w, "data: {\"etag\": \"%016x\", \"published_at\": 1795235340.5}\n\n", time.Now().UnixNano())
			if n%200 == 199 {
				endless([]byte("data: "), 1<<20, 0)(w, r)
			}
			if http.NewResponseController(w).Flush() != nil {
				return
			}
		}
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(over) })
	v := startViewer(t, strings.Replace(conf(s.URL, "", ""), "[200, 120]", "[1366, 768]", 1))
	v.width = 1366
	for n := range many + 1 {
		programtest.Eventually(t, fmt.Sprintf("bomb %d is asked for", n), func() bool { return asked.Load() > int64(n) })
	}
	v.shows(image.Pt(700, 300), red)
	most := v.Memory("VmHWM") - v.Memory("RssFile")
	t.Logf("%d bombs: a peak of %d MiB", asked.Load(), most>>20)
	if most > mostMemory {
		t.Errorf("got a peak of %d MiB, want at most %d", most>>20, mostMemory>>20)
	}
}

// TestRedirectedElsewhere checks a service that redirects requests for frames to another port on the same machine. The client's request
// to this other port does not contain the token.
func TestRedirectedElsewhere(t *testing.T) {
	t.Parallel()
	tokens := make(chan string, 100)
	note := func(r *http.Request) {
		select {
		case tokens <- r.Header.Get("Authorization"):
		default:
		}
	}
	thief := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { note(r) }))
	t.Cleanup(thief.Close)
	home := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		note(r)
		http.Redirect(w, r, thief.URL+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	t.Cleanup(home.Close)
	startViewer(t, conf(home.URL, ", token: hush", ""))
	for _, want := range []string{"Bearer hush", ""} {
		if got := <-tokens; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
