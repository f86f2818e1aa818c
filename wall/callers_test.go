package wall

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"dashboard/internal/testing/thorough"
)

// A request with a header that is too large is refused.
func TestLargeHeaders(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	b := launchPush(t, "")
	for _, tt := range []struct {
		name, header string
		status       int
	}{
		{"8 kB", "X: " + strings.Repeat("a", 8<<10) + "\r\n", 200},
		{"1 MB", "X: " + strings.Repeat("a", 1<<20) + "\r\n", 431},
		{"20,000 lines", strings.Repeat("X: a\r\n", 20000), 431},
	} {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", b.port))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(patience))
		// The server may close the connection before the whole request is sent.
		go func() { _, _ = io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: wall\r\n"+tt.header+"\r\n") }()
		resp, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || resp.StatusCode != tt.status {
			t.Errorf("%s: got %v, %v, want %d", tt.name, resp, err, tt.status)
		}
	}
	b.paints()
}

// callFrom sends a request from another address of this machine.
func (p site) callFrom(from, request, body string) answer {
	p.t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	method, path, _ := strings.Cut(request, " ")
	req, err := http.NewRequest(method, p.url(path), strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	return exchange(&http.Client{Transport: &http.Transport{DialContext: d.DialContext}}, req)
}

// Each caller has its own rate for control requests. Requests for frames have no limit.
func TestRateOfControl(t *testing.T) {
	thorough.Only(t)
	t.Parallel()
	const few = "  rate_limit: {per_second: 1, burst: 3}\n"
	b := launchPush(t, few)
	note, many := `{"widget":"t","text":"","duration":0.001}`, wrong("too many requests")+"\n"
	caller, refused := "", ""
	for n, slow := 2, true; slow; n++ { // a caller that needs a second or longer may send one more request, so the next caller tries again
		if n > 250 { // the last address to try is 127.0.0.250
			t.Fatal("no caller sends five requests in a second")
		}
		began := time.Now()
		caller = fmt.Sprintf("127.0.0.%d", n)
		refused = refusals(b, caller, note, many)
		slow = time.Since(began) >= time.Second
	}
	if refused != "" {
		t.Error(refused)
	}
	for _, path := range []string{"/frame", "/healthz", "/metrics", "/"} {
		if a := b.callFrom(caller, "GET "+path, ""); a.status != 200 {
			t.Errorf("%s, by the same caller: got %d, want 200", path, a.status)
		}
	}
	if a := b.callFrom("127.0.1.1", "POST /notify", note); a.status != 200 {
		t.Errorf("another caller: got %d, want 200", a.status)
	}
	eventually(t, "a second later there is one more", func() bool {
		return b.callFrom(caller, "POST /notify", note).status == 200
	})
	b.change(files{"conf.yaml": pushConf(b.port, "", "")})
	for i := range 500 { // without a rate limit, one caller may send any number of requests
		if a := b.callFrom(caller, "POST /notify", `{"widget":"x"}`); a.status != 400 {
			t.Fatalf("request %d of those at once that anybody may send: got %d", i, a.status)
		}
	}
}

// refusals() sends four notifications one after another, of which only the first three are allowed. Then it sends another request, which
// is refused too. refusals returns a description of each wrong answer.
func refusals(b *binary, caller, note, many string) (wrong string) {
	for i, want := range []int{200, 200, 200, 429} {
		a := b.callFrom(caller, "POST /notify", note)
		if a.status != want || want == 429 && (a.body != many || a.header.Get("Retry-After") != "1") {
			wrong += fmt.Sprintf("request %d: got %d %s, want %d\n", i, a.status, a.body, want)
		}
	}
	if a := b.callFrom(caller, "GET /theme", ""); a.status != 429 {
		wrong += fmt.Sprintf("the theme, by the same caller: got %d, want 429\n", a.status)
	}
	return wrong
}
