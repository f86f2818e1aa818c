package wall

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"dashboard/internal/testing/programtest"
	"dashboard/netstream"
)

// open() sends a request without changes to its lines, and reads the header of the answer. The connection is closed when the test ends. The
// time limit of the whole conversation is four times the constant `patience`.
func (p site) open(request string, header ...string) (*http.Response, net.Conn) {
	p.t.Helper()
	return p.openBy(&net.Dialer{}, request, header...)
}

// openStuck is like open(), but a few unread packets fill the connection. With the usual buffers, the kernel would store megabytes.
func (p site) openStuck(request string, header ...string) (*http.Response, net.Conn) {
	p.t.Helper()
	return p.openBy(&net.Dialer{Control: narrow}, request, header...)
}

// narrow() makes the buffers at both ends of a connection small. SO_RCVBUF sets the local buffer for received data. The size of the
// server's send buffer depends on the largest packet, which TCP_MAXSEG sets.
func narrow(_, _ string, c syscall.RawConn) (err error) {
	failed := c.Control(func(fd uintptr) {
		err = errors.Join(syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096),
			syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, 536)) // RFC 9293, 3.7.1
	})
	return errors.Join(failed, err)
}

// openBy is like open, but uses the given dialer.
func (p site) openBy(d *net.Dialer, request string, header ...string) (*http.Response, net.Conn) {
	p.t.Helper()
	c, err := d.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", p.port))
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { c.Close() })
	_ = c.SetDeadline(time.Now().Add(4 * patience))
	if _, err := fmt.Fprintf(c, "%s HTTP/1.1\r\nHost: wall\r\n%s\r\n", request, strings.Join(append(header, ""), "\r\n")); err != nil {
		p.t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		p.t.Fatalf("%s: %v", request, err)
	}
	return resp, c
}

// event is the content of a line of /events.
type event struct {
	text string
	ETag string
	At   json.Number `json:"published_at"`
}

// nextEvent reads an event and the blank line after it. It skips pings, because a busy machine may need longer than the time between two
// pings.
func nextEvent(t *testing.T, r *bufio.Reader) (e event) {
	t.Helper()
	line, err := r.ReadString('\n')
	for line == ": ping\n" && err == nil {
		_, _ = r.ReadString('\n') // read the blank line after the ping; after an error, the next read fails too
		line, err = r.ReadString('\n')
	}
	data, ok := strings.CutPrefix(line, "data: ")
	if err != nil || !ok {
		t.Fatalf("got %q, %v, want a data line", line, err)
	}
	if err := json.Unmarshal([]byte(data), &e); err != nil {
		t.Fatalf("got %q: %v", data, err)
	}
	e.text = line
	if line, err := r.ReadString('\n'); line != "\n" || err != nil {
		t.Fatalf("after an event: got %q, %v, want a blank line", line, err)
	}
	return e
}

func TestEventsAndFrames(t *testing.T) {
	t.Parallel()
	b := launchWall(t, nil)
	resp, _ := b.open("GET /events?width=80&height=48")
	checkHeader(t, answer{header: resp.Header}, append(asEvents, "Server", "dashboard/"+programtest.Version, "Content-Length", ""))
	if fmt.Sprint(resp.TransferEncoding) != "[chunked]" {
		t.Errorf("got transfer encoding %v, want chunks", resp.TransferEncoding)
	}
	b.Says("shows=80x48")
	lines := bufio.NewReader(resp.Body)
	tags := map[string]string{}
	for _, color := range []string{"red", "blue", "red", "white", "blue"} {
		if len(tags) > 0 {
			b.change(files{"widgets.yaml": plainWall(color)})
		}
		e := nextEvent(t, lines)
		a := b.ask("GET /frame", nil, "")
		checkHeader(t, a, []string{"ETag", `"` + e.ETag + `"`, "X-Frame-Published-At", sixDecimals(t, e.At)})
		if want := fmt.Sprintf("data: {\"etag\": %q, \"published_at\": %s}\n", e.ETag, e.At); e.text != want || !strings.Contains(string(e.At), ".") {
			t.Errorf("got %q, want %q with a fraction", e.text, want)
		}
		if len(e.ETag) != 16 || strings.Trim(e.ETag, "0123456789abcdef") != "" {
			t.Errorf("got tag %q, want 16 hexadecimal digits", e.ETag)
		}
		if old := tags[color]; old != "" && old != e.ETag {
			t.Errorf("%s: got tag %s, and %s for the same picture before", color, e.ETag, old)
		}
		tags[color] = e.ETag
	}
	if len(tags) != 3 || tags["red"] == tags["blue"] || tags["red"] == tags["white"] || tags["blue"] == tags["white"] {
		t.Errorf("got tags %v, want one for each picture", tags)
	}
}

// sixDecimals returns the time of an event in the format that the frame's header uses.
func sixDecimals(t *testing.T, at json.Number) string {
	t.Helper()
	f, err := at.Float64()
	if err != nil {
		t.Fatal(err)
	}
	return strconv.FormatFloat(f, 'f', 6, 64)
}

// One event is one chunk, because some clients read chunk by chunk.
func TestEventIsOneChunk(t *testing.T) {
	t.Parallel()
	b := launchWall(t, nil)
	c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", b.port))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(4 * patience))
	fmt.Fprintf(c, "GET /events HTTP/1.1\r\nHost: wall\r\n\r\n")
	r := bufio.NewReader(c)
	for line := ""; line != "\r\n"; {
		if line, err = r.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	if text := nextChunk(t, r); !strings.HasPrefix(text, "data: ") || !strings.HasSuffix(text, "}\n\n") {
		t.Errorf("got chunk %q, want a whole event", text)
	}
	b.End(syscall.SIGTERM)
	for text := nextChunk(t, r); text != ""; text = nextChunk(t, r) { // on a busy machine, there may be more events
		if !strings.HasSuffix(text, "\n\n") || strings.Count(text, "\n\n") != 1 {
			t.Errorf("got chunk %q, want a whole event", text)
		}
	}
	if rest, err := io.ReadAll(r); len(rest) != 0 || err != nil {
		t.Errorf("after the last chunk: got %q, %v, want the end", rest, err)
	}
}

// nextChunk returns the data of the next chunk. The last chunk is empty.
func nextChunk(t *testing.T, r *bufio.Reader) string {
	t.Helper()
	size, _ := r.ReadString('\n')
	n, err := strconv.ParseUint(strings.TrimSpace(size), 16, 16)
	if err != nil {
		t.Fatalf("got %q, want the length of a chunk", size)
	}
	chunk := make([]byte, n+2)
	if _, err := io.ReadFull(r, chunk); err != nil || string(chunk[n:]) != "\r\n" {
		t.Fatalf("got chunk %q, %v, want %d bytes and the end of a line", chunk, err, n)
	}
	return string(chunk[:n])
}

// If a client requests tiles, it receives the changes. The resulting picture is the same as a whole frame.
func TestTiles(t *testing.T) {
	t.Parallel()
	two := func(a, b string) string {
		return "widgets:\n  - widget: grid\n    rows: 12\n    children:\n" +
			strings.Repeat("      - {widget: empty, color: "+a+"}\n", 11) + "      - {widget: empty, color: " + b + "}\n"
	}
	b := launchWall(t, func(f files) {
		format("png")(f)
		f["conf.yaml"] = strings.Replace(f["conf.yaml"], "[160, 96]", "[480, 480]", 1)
		f["widgets.yaml"] = two("red", "red")
	})
	old := b.ask("GET /frame?width=300&height=300", nil, "")
	tag := old.header.Get("ETag")
	b.change(files{"widgets.yaml": two("red", "blue")})
	eventually(t, "a new frame", func() bool { return b.ask("HEAD /frame?width=300&height=300", having(tag), "").status == 200 })

	whole := b.ask("GET /frame?width=300&height=300", having(tag), "")
	parts := b.ask("GET /frame?width=300&height=300", append([]string{"A-IM", "gzip, Tiles;q=0.5"}, having(`"x", `+tag)...), "")
	if whole.status != 200 || parts.status != 226 {
		t.Fatalf("got %d without and %d with A-IM, want 200 and 226", whole.status, parts.status)
	}
	checkHeader(t, parts, []string{
		"IM", "tiles", "Delta-Base", tag, "ETag", whole.header.Get("ETag"), "Content-Type", "application/vnd.dashboard.tiles",
		"Content-Length", fmt.Sprint(len(parts.body)), "X-Frame-Published-At", whole.header.Get("X-Frame-Published-At"), "Cache-Control", "no-store",
	})
	screen := decoded(t, old.body)
	damage, err := netstream.ApplyDelta(screen, []byte(parts.body))
	if err != nil || len(damage) == 0 {
		t.Fatalf("got damage %v, %v", damage, err)
	}
	if !bytes.Equal(screen.Pix, decoded(t, whole.body).Pix) {
		t.Error("the changed parts and the whole frame differ")
	}
	if weak := b.ask("GET /frame?width=300&height=300", append([]string{"A-IM", "tiles"}, having("W/"+tag)...), ""); weak.status != 200 {
		t.Errorf("with a weak tag: got %d, want 200", weak.status)
	}
}

// decoded() returns the pixels of a PNG file.
func decoded(t *testing.T, file string) *image.RGBA {
	t.Helper()
	img, err := png.Decode(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	m := image.NewRGBA(img.Bounds())
	draw.Draw(m, m.Rect, img, m.Rect.Min, draw.Src)
	return m
}

// The parts of /stream.mjpg are whole pictures. The next boundary follows each picture at once,
// because clients show a picture when the boundary arrives.
func TestMovingPicture(t *testing.T) {
	t.Parallel()
	b := launchWall(t, nil)
	resp, _ := b.open("GET /stream.mjpg?width=40&height=24")
	checkHeader(t, answer{header: resp.Header}, []string{"Content-Type", "multipart/x-mixed-replace; boundary=frame", "Cache-Control", "no-store"})
	lines := bufio.NewReader(resp.Body)
	if line, _ := lines.ReadString('\n'); line != "--frame\r\n" {
		t.Fatalf("got %q, want the first boundary", line)
	}
	for i, color := range []string{"", "blue", "white"} {
		if i > 0 {
			b.change(files{"widgets.yaml": plainWall(color)})
		}
		head := map[string]string{}
		for {
			line, err := lines.ReadString('\n')
			if line == "\r\n" || err != nil {
				break
			}
			name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			head[name] = value
		}
		n, err := strconv.Atoi(head["Content-Length"])
		if err != nil || head["Content-Type"] != "image/png" || head["X-Frame-Published-At"] == "" {
			t.Fatalf("part %d: got header %v", i, head)
		}
		picture := make([]byte, n)
		if _, err := io.ReadFull(lines, picture); err != nil {
			t.Fatal(err)
		}
		if size := decoded(t, string(picture)).Rect.Size(); size != image.Pt(40, 24) {
			t.Errorf("part %d: got %v, want 40x24", i, size)
		}
		end := make([]byte, len("\r\n--frame\r\n"))
		if _, err := io.ReadFull(lines, end); err != nil || string(end) != "\r\n--frame\r\n" {
			t.Fatalf("part %d: got %q, %v after it, want its boundary", i, end, err)
		}
	}
}

// If a client sends data that is not HTTP, or too much data, the server answers with an error or
// disconnects. Other clients are not affected.
func TestMalformedRequests(t *testing.T) {
	t.Parallel()
	b := launchWall(t, nil)
	for _, tc := range []struct{ name, send, want string }{
		{"noise", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\r\n\r\n", "HTTP/1.1 400 "},
		{"no version", "GET /frame\r\n\r\n", "HTTP/1.1 400 "},
		{"other version", "GET /frame HTTP/3.0\r\n\r\n", "HTTP/1.1 505 "},
		{"no host", "GET /frame HTTP/1.1\r\n\r\n", "HTTP/1.1 400 "},
		{"header of 22 kB", "GET /frame HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("x", 22<<10) + "\r\n\r\n", "HTTP/1.1 431 "},
		{"blank in the target", "GET /fr ame HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 400 "},
		{"broken escape", "GET /frame%zz HTTP/1.1\r\nHost: x\r\n\r\n", "HTTP/1.1 400 "},
		{"broken escape in the query", "GET /frame?width=%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "HTTP/1.1 200 "},
		{"HTTP/1.0", "GET /frame HTTP/1.0\r\n\r\n", "HTTP/1.0 200 "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", b.port))
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			_ = c.SetDeadline(time.Now().Add(patience))
			_, _ = io.WriteString(c, tc.send) // the server may close the connection before the server has read everything
			got := make([]byte, len(tc.want))
			if _, err := io.ReadFull(c, got); err != nil || string(got) != tc.want {
				t.Errorf("got %q, %v, want %q", got, err, tc.want)
			}
		})
	}
	b.serves("/frame", http.StatusOK)
}
