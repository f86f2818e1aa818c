package wall

import (
	"fmt"
	"image/color"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A site contains what other programs need to use a dashboard under test: its folder, with the virtual framebuffer, and its port.
type site struct {
	t    *testing.T
	dir  string
	port int
}

// pixel returns the color of a pixel on the virtual framebuffer. The file has the format XRGB8888, with the bytes B, G, R, X.
func (p site) pixel(x, y int) color.RGBA {
	raw, err := os.ReadFile(filepath.Join(p.dir, "screen.raw"))
	at := 4 * (y*testW + x)
	if err != nil || len(raw) < at+4 {
		return color.RGBA{}
	}
	return color.RGBA{raw[at+2], raw[at+1], raw[at], 255}
}

// shows() waits until the pixel at x and y has the color `want`.
func (p site) shows(x, y int, want color.RGBA) {
	p.t.Helper()
	eventually(p.t, fmt.Sprintf("%v at %d,%d", want, x, y), func() bool { return p.pixel(x, y) == want })
}

func (p site) url(path string) string { return fmt.Sprintf("http://127.0.0.1:%d%s", p.port, path) }

// get sends a GET request. If there is no answer, the status is 0.
func (p site) get(path string, header ...string) (status int, body string) {
	p.t.Helper()
	a := p.ask("GET "+path, header, "")
	return a.status, a.body
}

// post sends JSON in a POST request.
func (p site) post(path, body string) (status int, text string) {
	p.t.Helper()
	a := p.ask("POST "+path, []string{"Content-Type", "application/json"}, body)
	return a.status, a.body
}

// serves() waits until the answer for a path has the status `want`.
func (p site) serves(path string, want int) {
	p.t.Helper()
	got := 0
	eventually(p.t, fmt.Sprintf("GET %s answers %d", path, want), func() bool { got, _ = p.get(path); return got == want })
}

// An answer is the result of a request. If there is no answer, the status is 0, and the body contains the reason.
type answer struct {
	status int
	header http.Header
	body   string
}

// ask sends a request of the form "METHOD /path". `header` is a list of names and values.
func (p site) ask(request string, header []string, body string) answer {
	p.t.Helper()
	method, path, _ := strings.Cut(request, " ")
	for tries := 0; ; tries++ {
		req, err := http.NewRequest(method, p.url(path), strings.NewReader(body))
		if err != nil {
			p.t.Fatal(err)
		}
		for i := 0; i+1 < len(header); i += 2 {
			req.Header.Add(header[i], header[i+1])
		}
		if req.Header.Get("Accept-Encoding") == "" {
			req.Header.Set("Accept-Encoding", "identity") // without this header, Go requests gzip and hides the length of the answer
		}
		a := exchange(http.DefaultClient, req)
		// A wall that refuses a long body closes the connection. The answer is lost if the body is still being sent at this time. So send
		// the request again.
		if a.status != 0 || len(body) < longBody || tries == 9 {
			return a
		}
	}
}

// longBody is the length of a body that a wall may refuse before it has received the whole body.
const longBody = 16 << 10

// exchange sends a request on a separate connection.
func exchange(client *http.Client, req *http.Request) answer {
	req.Close = true // leaves no connection open at the end of the test
	resp, err := client.Do(req)
	if err != nil {
		return answer{body: err.Error()}
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return answer{body: err.Error()}
	}
	return answer{resp.StatusCode, resp.Header, string(b)}
}
