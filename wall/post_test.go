package wall

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "golang.org/x/image/bmp"

	"dashboard/internal/testing/thorough"
)

// launchPost starts a wall with a post output. `options` is YAML that follows the output's address.
func launchPost(t *testing.T, address, options string) *binary {
	t.Helper()
	return launchWall(t, func(f files) {
		f["conf.yaml"] += "  - {type: post, url: '" + address + "'" + options + "}\n"
		f["secrets.yaml"] = "token: abc\n"
	})
}

// pictureOf returns the picture in an upload, its format, its content type, and the names of the form's fields.
func pictureOf(t *testing.T, u upload) (img image.Image, format, contentType, names string) {
	t.Helper()
	data, contentType := u.body, u.header.Get("Content-Type")
	if kind, params, _ := mime.ParseMediaType(contentType); kind == "multipart/form-data" {
		form := multipart.NewReader(bytes.NewReader(u.body), params["boundary"])
		part, err := form.NextPart()
		if err != nil {
			t.Fatal(err)
		}
		names, contentType = part.FormName()+" "+part.FileName(), part.Header.Get("Content-Type")
		if data, err = io.ReadAll(part); err != nil {
			t.Fatal(err)
		}
		if _, err := form.NextPart(); err != io.EOF {
			t.Errorf("after the file: got %v, want the end", err)
		}
	}
	img, format, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img, format, contentType, names
}

// near() reports whether the middle pixel of a picture has about the color `want`. JPEG changes colors slightly.
func near(img image.Image, want color.RGBA) bool {
	got := color.RGBAModel.Convert(img.At(testW/2, testH/2)).(color.RGBA)
	off := func(a, b uint8) bool { return max(a, b)-min(a, b) > 3 }
	return !off(got.R, want.R) && !off(got.G, want.G) && !off(got.B, want.B)
}

func TestPostOutput(t *testing.T) {
	for i, tc := range []struct {
		name, options       string
		format, contentType string
		names, auth, after  string
	}{
		{"png", "", "png", "image/png", "", "", ""},
		{"jpeg", ", image_format: jpeg", "jpeg", "image/jpeg", "", "", ""},
		{"jpg", ", image_format: jpg, quality: 40, chroma: 420", "jpeg", "image/jpeg", "", "", ""},
		{"bmp", ", image_format: bmp", "bmp", "image/bmp", "", "", ""},
		{"bearer", ", auth: {bearer: abc}", "png", "image/png", "", "Bearer abc", ""},
		{"bearer, a secret", ", auth: {bearer: !secret token}", "png", "image/png", "", "Bearer abc", ""},
		{"basic", ", auth: {basic: {username: u, password: 'p:w'}}", "png", "image/png", "", "Basic dTpwOnc=", ""},
		{"form", ", multipart: {}", "png", "image/png", "file image.png", "", ""},
		{"form, named", ", image_format: bmp, multipart: {field_name: frame, filename: wall.bin}", "bmp", "image/bmp", "frame wall.bin", "", ""},
		{"form, bearer", ", image_format: jpeg, multipart: {field_name: x}, auth: {bearer: abc}", "jpeg", "image/jpeg", "x image.jpeg", "Bearer abc", ""},
		{"after", ", auth: {bearer: abc}, after_post: {url: '%s/show'}", "png", "image/png", "", "Bearer abc", "GET"},
		{"after, POST", ", after_post: {url: '%s/show', method: POST}", "png", "image/png", "", "", "POST"},
		{"after, PUT", ", after_post: {url: '%s/show', method: PUT}", "png", "image/png", "", "", "PUT"},
		{"after, DELETE", ", after_post: {url: '%s/show', method: DELETE}", "png", "image/png", "", "", "DELETE"},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			e := newEndpoint(t)
			launchPost(t, e.URL+"/picture", strings.ReplaceAll(tc.options, "%s", e.URL))
			u := e.await(t, 1)[0]
			img, format, contentType, names := pictureOf(t, u)
			if u.method != "POST" || u.path != "/picture" || format != tc.format || contentType != tc.contentType || names != tc.names {
				t.Errorf("got %s %s with %s as %s, named %q, want POST /picture with %s as %s, named %q",
					u.method, u.path, format, contentType, names, tc.format, tc.contentType, tc.names)
			}
			if img.Bounds() != image.Rect(0, 0, testW, testH) || !near(img, red) {
				t.Errorf("got %v of %v, want the wall", img.Bounds(), img.At(testW/2, testH/2))
			}
			if got := u.header.Get("User-Agent"); !strings.HasPrefix(got, "dashboard/") {
				t.Errorf("got User-Agent %q, want dashboard and its version", got)
			}
			if got := u.header.Get("Authorization"); got != tc.auth {
				t.Errorf("got authorization %q, want %q", got, tc.auth)
			}
			if tc.after != "" {
				i := 0
				eventually(t, "the request after the upload", func() bool {
					i = slices.IndexFunc(e.uploads(), func(u upload) bool { return u.path == "/show" })
					return i > 0
				})
				a := e.uploads()[i]
				if a.method != tc.after || a.path != "/show" || a.header.Get("Authorization") != "" || len(a.body) > 0 {
					t.Errorf("after: got %s %s, %v, %d bytes, want %s /show and nothing else", a.method, a.path, a.header, len(a.body), tc.after)
				}
			}
		})
	}
}

// Uploads have the configured quality and chroma subsampling.
func TestPostedJPEG(t *testing.T) {
	t.Parallel()
	sizes := map[string]int{}
	for _, options := range []string{"quality: 10", "quality: 95", "quality: 95, chroma: 420"} {
		e := newEndpoint(t)
		port := freePort(t)
		f := files{"conf.yaml": wallConf(port, "  - {type: post, url: '"+e.URL+"', image_format: jpeg, "+options+"}\n"),
			"widgets.yaml": "widgets:\n  - {widget: text, text: quality, color: orange}\n"}
		launch(t, port, f)
		u := e.await(t, 1)[0]
		img, err := jpeg.Decode(bytes.NewReader(u.body))
		if err != nil {
			t.Fatal(err)
		}
		want := image.YCbCrSubsampleRatio444
		if strings.Contains(options, "420") {
			want = image.YCbCrSubsampleRatio420
		}
		if got := img.(*image.YCbCr).SubsampleRatio; got != want {
			t.Errorf("%s: got %v, want %v", options, got, want)
		}
		sizes[options] = len(u.body)
	}
	if low, high := sizes["quality: 10"], sizes["quality: 95"]; 2*low > high {
		t.Errorf("got %d bytes at quality 10 and %d at 95, want a difference", low, high)
	}
}

// postHealth is a post output's part of /healthz.
type postHealth struct {
	Type                string
	OK                  bool
	Frames, Errors      int
	SecondsSinceSuccess *int    `json:"seconds_since_success"`
	LastError           *string `json:"last_error"`
}

func (p site) postHealth() postHealth {
	p.t.Helper()
	var h struct{ Outputs []postHealth }
	_, body := p.get("/healthz")
	if err := json.Unmarshal([]byte(body), &h); err != nil {
		p.t.Fatalf("healthz: %v in %q", err, body)
	}
	for _, o := range h.Outputs {
		if o.Type == "post" {
			return o
		}
	}
	p.t.Fatalf("no post output in %s", body)
	return postHealth{}
}

// If an upload fails, the wall uploads the frame that is newest at the next attempt. It sends no other upload in between.
func TestPostRetries(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t)
	e.answers(http.StatusServiceUnavailable)
	b := launchPost(t, e.URL, ", min_interval: 0.1, after_post: {url: '"+e.URL+"/show'}")
	e.await(t, 1)
	eventually(t, "the failure is told", func() bool {
		h := b.postHealth()
		return !h.OK && h.Errors > 0 && h.LastError != nil && strings.Contains(*h.LastError, "503") && h.SecondsSinceSuccess == nil
	})
	b.change(files{"widgets.yaml": plainWall("blue")})
	b.shows(1, 1, blue)
	e.ends(t, "/", blue) // an earlier attempt may still contain the red frame
	began := time.Now()
	tries := e.answers(http.StatusOK)
	got := e.await(t, tries+2)[:tries+2]
	if img, _, _, _ := pictureOf(t, got[tries]); !near(img, blue) {
		t.Errorf("got %v again, want the newest frame", img.At(1, 1))
	}
	for i, u := range got {
		if want := i == tries+1; (u.path == "/show") != want {
			t.Errorf("request %d of %d is %s: after_post belongs after the upload that succeeded", i, len(got), u.path)
		}
	}
	if pause := got[1].at.Sub(got[0].at); pause < 500*time.Millisecond { // package output tests the longest pause
		t.Errorf("tried again after %v, want a second, half more or less", pause)
	}
	eventually(t, "the success is told", func() bool {
		h := b.postHealth()
		return h.OK && h.SecondsSinceSuccess != nil && *h.SecondsSinceSuccess <= int(time.Since(began).Seconds())
	})
}

// The wall sends one upload at a time. Frames that are drawn during an upload cause only one more
// upload, which contains the newest frame.
func TestPostNewestFrameWins(t *testing.T) {
	t.Parallel()
	e := newEndpoint(t)
	release := e.holds()
	defer release()
	b := launchPost(t, e.URL, ", min_interval: 0.1")
	e.await(t, 1)
	for _, c := range []string{"blue", "white", "blue", "black", "white", "blue"} {
		b.change(files{"widgets.yaml": plainWall(c)})
		b.shows(1, 1, map[string]color.RGBA{"blue": blue, "white": white, "black": black}[c])
	}
	b.serves("/widgets", http.StatusOK) // the answer shows that every output has the newest frame
	if n := len(e.uploads()); n != 1+e.given() {
		t.Errorf("got %d uploads while the first was under way", n)
	}
	release()
	e.ends(t, "/", blue)
	b.change(files{"widgets.yaml": plainWall("red")})
	e.ends(t, "/", red)
	got := e.uploads()
	if most := 3 + e.given(); len(got) > most {
		t.Errorf("got %d uploads, want at most %d: the first frame, the newest and the next", len(got), most)
	}
	for i, u := range got {
		if u.running != 1 {
			t.Errorf("upload %d began while another was under way", i)
		}
	}
}

// With `trigger: on_dirty`, only changes are uploaded. With `trigger: interval`, every frame is uploaded. Both triggers keep the minimum
// interval between uploads.
func TestPostTrigger(t *testing.T) {
	t.Parallel()
	const distance = 500 * time.Millisecond
	apart := func(t *testing.T, began time.Time, all []upload) { // an upload may be late, but not too early
		t.Helper()
		for i, u := range all {
			if d := u.at.Sub(began); d < time.Duration(i)*distance {
				t.Errorf("got upload %d after %v, want at least %v between two", i+1, d, distance)
			}
		}
	}
	still := newEndpoint(t)
	apartOnly := launchPost(t, still.URL, ", min_interval: 0.5")
	steady, began := newEndpoint(t), time.Now()
	launchPost(t, steady.URL, ", min_interval: 0.5, trigger: interval")
	apart(t, began, steady.await(t, 4))
	if n := len(still.uploads()); n != 1 {
		t.Errorf("got %d uploads of a wall that does not change, want 1", n)
	}
	began = time.Now()
	for _, c := range []string{"blue", "red", "blue"} {
		n := len(still.uploads())
		apartOnly.change(files{"widgets.yaml": plainWall(c)})
		still.await(t, n+1)
	}
	apart(t, began, still.uploads()[1:])
}

// A missing endpoint delays neither the wall nor the end of the program.
func TestPostDeadEndpoint(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	for name, address := range map[string]string{
		"refused": fmt.Sprintf("http://127.0.0.1:%d/", freePort(t)), "silent": "", "no such name": "http://wall.invalid/",
	} {
		t.Run(name, func(t *testing.T) {
			silent := newEndpoint(t)
			defer silent.holds()()
			b := launchPost(t, cmp.Or(address, silent.URL), ", min_interval: 0.1, trigger: interval")
			if name == "silent" {
				silent.await(t, 1)
			}
			meanwhile := false // true if a change was shown while an upload waited for its answer
			for range 3 {
				for c, want := range map[string]color.RGBA{"blue": blue, "red": red} {
					given := silent.given()
					b.change(files{"widgets.yaml": plainWall(c)})
					b.shows(1, 1, want)
					meanwhile = meanwhile || silent.given() == given
				}
			}
			if !meanwhile {
				t.Error("each change was shown only after the end of an upload")
			}
			if name != "silent" {
				eventually(t, "it is told", func() bool { h := b.postHealth(); return !h.OK && h.Errors > 0 })
			}
			b.serves("/healthz", http.StatusOK) // /healthz has the status 200 although the output fails
			if status, took := b.End(syscall.SIGTERM); status != 0 || took > endsWithin {
				t.Errorf("got status %d after %v, want 0 soon", status, took)
			}
		})
	}
}
