package wall

import (
	"bytes"
	"compress/gzip"
	endian "encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/draw"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dashboard/internal/fetch"
	"dashboard/wall/view"
)

// `failed` is the metric that counts pictures that could not be shown.
const failed = "dashboard_notification_pictures_failed_total"

// redPNG returns a red picture.
func redPNG() []byte {
	m := image.NewRGBA(image.Rect(0, 0, 50, 90))
	draw.Draw(m, m.Rect, image.NewUniform(red), image.Point{}, draw.Src)
	var b bytes.Buffer
	_ = png.Encode(&b, m) // writing to a buffer never fails
	return b.Bytes()
}

// hugePNG returns a file whose header claims 40,001 x 1,000 pixels. The file contains no pixels.
func hugePNG() []byte {
	b := redPNG()
	endian.BigEndian.PutUint32(b[16:], 40001)
	endian.BigEndian.PutUint32(b[20:], 1000)
	endian.BigEndian.PutUint32(b[29:], crc32.ChecksumIEEE(b[12:29])) // checksum of the chunk IHDR
	return b
}

// deflated() sends a small answer that expands to 64 MiB.
func deflated(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Encoding", "gzip")
	var member bytes.Buffer // a gzip file may consist of many members, RFC 1952 section 2.2
	z := gzip.NewWriter(&member)
	_, _ = z.Write(make([]byte, 1<<20))
	z.Close()
	for range 64 {
		_, _ = w.Write(member.Bytes()) // the caller may have disconnected
	}
}

// pictures are the answers of a server, by path.
var pictures = map[string]http.HandlerFunc{
	"/red.png": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(redPNG()) },
	"/untold": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "x/y")
		_, _ = w.Write(redPNG())
	},
	"/moved":  func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/red.png", http.StatusFound) },
	"/circle": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/circle", http.StatusFound) },
	"/to-v6":  func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "http://[::1]/", http.StatusFound) },
	"/to-cloud": func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://169.254.169.254/", http.StatusFound)
	},
	"/to-file": func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "file:///etc/hostname", http.StatusFound)
	},
	"/500":       func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "broken", http.StatusInternalServerError) },
	"/401":       func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "who are you?", http.StatusUnauthorized) },
	"/html":      func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") },
	"/nothing":   func(http.ResponseWriter, *http.Request) {},
	"/half.png":  func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(redPNG()[:80]) },
	"/cut.png":   truncated,
	"/huge.png":  func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(hugePNG()) },
	"/endless":   endless,
	"/announced": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Length", "16777217") },
	"/deflated":  deflated,
	"/gone":      faults["cut"],
	"/drips":     drips,
}

// gallery serves the pictures. It counts the requests of this test.
func gallery(t *testing.T) (url string, asked *atomic.Int64) {
	asked = &atomic.Int64{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Another test may have used the same port earlier, so its requests may arrive here. Such requests do not count.
		if r.URL.RawQuery == t.Name() {
			asked.Add(1)
		}
		if h := pictures[r.URL.Path]; h != nil {
			h(w, r)
			return
		}
		http.NotFound(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL, asked
}

// If a picture is incomplete, too late or from a forbidden address, the log contains the reason. The same applies if the answer is not a
// picture. The wall continues.
func TestNotifyPictures(t *testing.T) {
	t.Parallel()
	url, _ := gallery(t)
	host := strings.TrimPrefix(url, "http://")
	b := launchPush(t, "  notify: {allow: [127.0.0.1]}\n")
	for _, tt := range []struct{ url, says string }{ // if says is "", the picture is shown
		{url + "/red.png", ""},
		{url + "/untold", ""},
		{url + "/moved", ""},
		{strings.Replace(url, "127.0.0.1", "localhost", 1) + "/red.png", ""},
		{url + "/circle", "more than 5 redirects"},
		{url + "/to-v6", "::1 is in no allowed range"},
		{url + "/to-cloud", "169.254.169.254 is in no allowed range"},
		{url + "/to-file", "file"},
		{url + "/500", "status 500"},
		{url + "/401", "status 401"},
		{url + "/none", "status 404"},
		{url + "/html", "not a picture"},
		{url + "/nothing", "not a picture"},
		{url + "/half.png", "not enough pixel data"},
		{url + "/cut.png", "unexpected EOF"},
		{url + "/huge.png", "limit 40000000"},
		{url + "/endless", "more than 16777216 bytes"},
		{url + "/announced", "more than 16777216 bytes"},
		{url + "/deflated", "more than 16777216 bytes"},
		{url + "/gone", "EOF"},
		{"http://someone:sesame@" + host + "/500?key=sesame#sesame", "status 500"},
		{"https://" + host + "/red.png", "HTTP response to HTTPS client"},
	} {
		if tt.says == "" {
			b.showsPicture(tt.url)
			b.dismissPicture()
			continue
		}
		for late := true; late; {
			before, count := len(b.Log.String()), b.metric(failed)
			b.notify(`{"widget":"i","url":%q,"duration":86400}`, tt.url)
			eventually(t, tt.url+" fails", func() bool { return b.metric(failed) == count+1 })
			eventually(t, fmt.Sprintf("%s: the log says %q", tt.url, tt.says), func() bool {
				said := b.Log.String()[before:]
				late = strings.Contains(said, tooLate)
				return late || strings.Contains(said, tt.says)
			})
		}
		b.paints()
	}
	if strings.Contains(b.Log.String(), "sesame") {
		t.Error("a secret of an address is in the log")
	}
}

// Pictures may come only from the listed address ranges. Without a list, they may come from public addresses and home networks. If the
// address is forbidden, the caller gets an error, and the wall opens no connection.
func TestNotifyGuard(t *testing.T) {
	t.Parallel()
	url, asked := gallery(t)
	_, port, _ := strings.Cut(strings.TrimPrefix(url, "http://"), ":")
	refused := []string{
		"0.0.0.0:" + port, "[::]:" + port, "169.254.169.254", "[fe80::1%25lo]", "224.0.0.1", "[ff02::1]", "255.255.255.255",
		"100.100.100.200", "[fd00:ec2::254]", "[64:ff9b::7f00:1]",
	}
	own := []string{"127.0.0.1:" + port, "127.1.2.3:" + port, "localhost:" + port, "[::1]:" + port, "[::ffff:127.0.0.1]:" + port}
	for _, tt := range []struct {
		name, server string
		hosts        []string
	}{
		{"no list", "", refused},
		{"empty list", "  notify: {allow: []}\n", append(append([]string{"192.168.1.1", "8.8.8.8"}, refused...), own...)},
		{"other list", "  notify: {allow: [192.168.7.0/24, 'fd00::/8', 127.0.0.2]}\n", []string{"127.0.0.1:" + port, "localhost:" + port, "10.0.0.1", "8.8.8.8", "[::1]"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := launchPush(t, tt.server)
			for _, host := range tt.hosts {
				status, body := b.post("/notify", fmt.Sprintf(`{"widget":"i","url":"http://%s/red.png?TestNotifyGuard"}`, host))
				if status != http.StatusBadRequest || !strings.Contains(body, "server.notify.allow") {
					t.Errorf("%s: got %d %s, want it refused with the key that allows it", host, status, body)
				}
			}
			status, body := b.post("/notify", fmt.Sprintf(`{"widget":"t","text":"x","icon":"http://%s/red.png?TestNotifyGuard"}`, tt.hosts[0]))
			if status != http.StatusBadRequest || !strings.Contains(body, "'icon' names") || !strings.Contains(body, "server.notify.allow") {
				t.Errorf("icon: got %d %s, want it refused with the key that allows it", status, body)
			}
			b.paints()
		})
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("%d requests came through", n)
	}
}

// A caller on this machine, such as Home Assistant, may show a picture that this machine serves.
func TestNotifyFromThisMachine(t *testing.T) {
	t.Parallel()
	url, _ := gallery(t)
	b := launchPush(t, "")
	for _, url := range []string{url, strings.Replace(url, "127.0.0.1", "localhost", 1)} {
		b.showsPicture(url + "/red.png")
		b.dismissPicture()
	}
	before := len(b.Log.String())
	b.notify(`{"widget":"i","url":"%s/to-cloud","duration":0.3}`, url)
	eventually(t, "a redirect elsewhere is refused", func() bool { return strings.Contains(b.Log.String()[before:], "address refused") })
}

// A caller on another machine cannot make the wall fetch a picture from this machine.
func TestJudge(t *testing.T) {
	open, listed := &view.Guard{Guard: fetch.NewGuard(nil)}, &view.Guard{Guard: fetch.NewGuard([]netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}), Listed: true}
	for _, tt := range []struct {
		guard            *view.Guard
		url              string
		local            bool
		refused, fromOwn bool
	}{
		{open, "", true, false, false},
		{open, "http://pics.example/a", false, false, false},
		{open, "http://192.168.1.7/a", false, false, false},
		{open, "http://127.0.0.1:8123/a", false, true, false},
		{open, "http://localhost:8123/a", false, true, false},
		{open, "http://127.0.0.1:8123/a", true, false, true},
		{open, "http://localhost/a", true, false, true},
		{open, "http://[::1]/a", true, false, true},
		{open, "http://[::ffff:127.0.0.1]/a", true, false, true},
		{open, "http://169.254.169.254/a", true, true, false},
		{listed, "http://127.0.0.1/a", true, true, false},
		{listed, "http://10.1.2.3/a", false, false, false},
		{listed, "http://8.8.8.8/a", true, true, false},
	} {
		own, err := tt.guard.Judge("url", tt.url, tt.local)
		if (err != nil) != tt.refused || own != tt.fromOwn {
			t.Errorf("%s, local %v, listed %v: got %v, %v", tt.url, tt.local, tt.guard.Listed, own, err)
		}
	}
}

// A reload changes the allowed addresses.
func TestNotifyGuardIsReloaded(t *testing.T) {
	t.Parallel()
	url, asked := gallery(t)
	const nobody = "  notify: {allow: []}\n"
	b := launchPush(t, nobody)
	refused := func() {
		t.Helper()
		if status, body := b.post("/notify", fmt.Sprintf(`{"widget":"i","url":"%s/red.png?TestNotifyGuardIsReloaded"}`, url)); status != http.StatusBadRequest {
			t.Errorf("got %d %s, want it refused", status, body)
		}
	}
	refused()
	b.change(files{"conf.yaml": pushConf(b.port, "  notify: {allow: [127.0.0.1]}\n", "")})
	sent := b.showsPicture(url + "/red.png?TestNotifyGuardIsReloaded")
	b.change(files{"conf.yaml": pushConf(b.port, nobody, "")})
	refused()
	if n := asked.Load(); n < 1 || n > sent {
		t.Errorf("got %d requests, want one for each of %d notifications", n, sent)
	}
}

// tooLate is the reason in the log if a picture takes longer than ten seconds, for example because the machine is busy.
const tooLate = "timed out"

// showsPicture sends a notification with the red picture and waits until the picture is shown. The notification lasts for a day, so that
// a busy machine cannot miss the picture. If fetching the picture took too long, showsPicture sends the notification again. It returns
// the number of notifications.
func (b *binary) showsPicture(url string) (sent int64) {
	b.t.Helper()
	late := -1
	eventually(b.t, url+" is shown", func() bool {
		if n := b.Log.Count(tooLate); n > late {
			late = n
			sent++
			b.notify(`{"widget":"i","url":%q,"duration":86400}`, url)
		}
		return b.pixel(iX, midY) == red
	})
	return sent
}

// dismissPicture ends the notification of showsPicture.
func (p site) dismissPicture() {
	p.t.Helper()
	p.dismiss("?widget=i")
	p.shows(iX, midY, lime)
}

// painter answers every request with the red picture.
type painter struct{}

func (painter) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(redPNG()))}, nil
}

// Two widgets for notifications are nested. The picture of the outer widget covers the inner
// widget. A text of the inner widget waits until this widget is visible.
func TestNotifyNested(t *testing.T) {
	inBubble(t, pushFiles, func(t *testing.T, s *Service, l *pipeListener) {
		s.main().Notes.Poster.SetClient(fetch.NewWith(painter{}))
		const picture = `{"widget":"i","url":"http://x/red.png","duration":2}`
		screen := site{t: t, dir: "."}
		l.notify(t, picture)
		screen.glance(time.Second, iX, midY, red)
		l.notify(t, `{"widget":"n","text":"","duration":2}`)
		screen.glance(time.Second/2, iX, midY, red)
		screen.glance(3*time.Second/2, iX, midY, white) // the text was shown only after the end of the picture
		screen.glance(2*time.Second, iX, midY, lime)
		l.notify(t, `{"widget":"n","text":"","duration":8}`)
		screen.glance(time.Second, iX, midY, white)
		l.notify(t, picture)
		screen.glance(time.Second, iX, midY, red)
		screen.glance(2*time.Second, iX, midY, white)
		screen.glance(10*time.Second, iX, midY, lime)
	})
}
