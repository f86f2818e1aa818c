package wall

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"image/color"
	"math/big"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The configuration in docs/nginx works with a real nginx: TLS, tokens, frames that are cached with their ETag, partial frames, and events
// without a delay.
func TestBehindNginx(t *testing.T) {
	t.Parallel()
	token := []string{"Authorization", "Bearer secret"}
	port := freePort(t)
	conf := fmt.Sprintf("graphics:\n  resolution: [800, 480]\nserver:\n  port: %d\n  auth: {stream_token: secret}\n  names: [dashboard.example.org]\noutputs:\n  - {type: stream}\n", port)
	p := start(t, port, files{"conf.yaml": conf, "widgets.yaml": edgeWall("red")})
	p.serves("/healthz", 200)
	n := startNginx(t, port)
	eventually(t, "nginx answers", func() bool { return n.frame(token).status == 200 })
	for _, step := range []struct {
		name   string
		change color.RGBA // color to which the wall changes before the request, or zero for no change
		header []string
		known  bool // true if the client has stored the last frame
		want   int
		asked  string // state of nginx's cache entry, and status of the dashboard's answer
	}{
		{name: "again", header: token, want: 200, asked: "REVALIDATED 304"},
		{name: "kept, but no token", want: 401, asked: "EXPIRED 401"},
		{name: "known to the client", header: token, known: true, want: 304, asked: "REVALIDATED 304"},
		{name: "changed", change: blue, header: token, known: true, want: 200, asked: "EXPIRED 200"},
		{name: "changed, again", header: token, want: 200, asked: "REVALIDATED 304"},
		{name: "partial", change: white, header: append([]string{"A-IM", "tiles"}, token...), known: true, want: 226, asked: "BYPASS 226"},
		{name: "whole after partial", header: token, want: 200, asked: "EXPIRED 200"},
	} {
		if step.change.A != 0 {
			p.change(files{"widgets.yaml": edgeWall(fmt.Sprintf("[%d, %d, %d]", step.change.R, step.change.G, step.change.B))})
			eventually(t, "the change is published", func() bool { return p.ask("GET /frame", token, "").header.Get("ETag") != n.etag })
		}
		header := step.header
		if step.known {
			header = append([]string{"If-None-Match", n.etag}, header...)
		}
		got := n.frame(header)
		if asked := n.asked(); got.status != step.want || asked != step.asked {
			t.Errorf("%s: got %d (nginx: %s), want %d (%s)", step.name, got.status, asked, step.want, step.asked)
		}
		if direct := p.ask("GET /frame", token, ""); got.status == 200 && got.body != direct.body {
			t.Errorf("%s: not the frame of the dashboard", step.name)
		}
	}
	n.tellsAtOnce(p, token)
}

// edgeWall returns a wall with a small part in the given color.
func edgeWall(color string) string {
	return "widgets:\n  - widget: grid\n    rows: 2\n    row_ratios: [7, 1]\n    children:\n      - {widget: text, text: Partial frames}\n      - {widget: empty, color: " + color + "}\n"
}

// tellsAtOnce reads events through nginx while the wall changes. The events must arrive without a delay.
func (n *nginx) tellsAtOnce(p *program, token []string) {
	n.t.Helper()
	req, err := http.NewRequest("GET", n.url+"/events", nil)
	if err != nil {
		n.t.Fatal(err)
	}
	req.Header.Set("A-IM", "tiles") // this header requests an event for every frame
	req.Host = "dashboard.example.org"
	req.Header.Set(token[0], token[1])
	resp, err := n.client.Do(req)
	if err != nil {
		n.t.Fatal(err)
	}
	defer resp.Body.Close()
	events := make(chan string, 16)
	go func() {
		for s := bufio.NewScanner(resp.Body); s.Scan(); {
			if strings.HasPrefix(s.Text(), "data:") {
				events <- s.Text()
			}
		}
		close(events)
	}()
	for _, c := range []string{"", "red", "blue"} {
		if c != "" {
			p.change(files{"widgets.yaml": edgeWall(c)})
		}
		select {
		case e, ok := <-events:
			if !ok {
				n.t.Fatalf("events ended before %q", c)
			}
			n.t.Log(e)
		case <-time.After(patience):
			n.t.Fatalf("no event for %q within %v", c, patience)
		}
	}
}

// An nginx is a real nginx in front of a dashboard.
type nginx struct {
	t      *testing.T
	url    string
	log    string // log file with a line for each request
	client *http.Client
	etag   string // ETag of the last whole frame
	number int    // number of the last request
}

// startNginx runs nginx with docs/nginx/dashboard.conf. The paths in the file are changed to a folder of the test.
func startNginx(t *testing.T, port int) *nginx {
	t.Helper()
	if _, err := exec.LookPath("nginx"); err != nil {
		if os.Getenv("DASHBOARD_CI") != "" {
			t.Fatal(err)
		}
		t.Skip("nginx is not installed")
	}
	text, err := os.ReadFile(filepath.Join(sourceDir, "../../docs/nginx/dashboard.conf"))
	if err != nil {
		t.Fatal(err)
	}
	dir, front := t.TempDir(), freePort(t)
	moved := strings.NewReplacer(
		"127.0.0.1:5000", fmt.Sprintf("127.0.0.1:%d", port), "listen 443", fmt.Sprintf("listen 127.0.0.1:%d", front),
		"/var/cache/nginx/", dir+"/cache-", "/etc/ssl/", dir+"/",
	).Replace(string(text))
	roots := selfSigned(t, dir)
	files{"site.conf": moved, "nginx.conf": `daemon off; pid nginx.pid; error_log error.log; user root; worker_processes 1;
events {}
http {
	log_format short '$http_x_number $upstream_cache_status $upstream_status';
	access_log ` + dir + `/access.log short;
	client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
	include site.conf;
}`}.write(t, dir)
	cmd := exec.Command("nginx", "-p", dir, "-c", "nginx.conf", "-e", "stderr")
	cmd.Stderr = &logbook{}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "dashboard.example.org"}}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
		if t.Failed() {
			text, _ := os.ReadFile(filepath.Join(dir, "error.log"))
			t.Logf("nginx: %s%s", cmd.Stderr, text)
		}
	})
	return &nginx{t: t, url: fmt.Sprintf("https://127.0.0.1:%d", front), log: filepath.Join(dir, "access.log"), client: &http.Client{Transport: transport}}
}

// frame requests a frame. If the answer is a whole frame, it stores the frame's ETag.
func (n *nginx) frame(header []string) answer {
	n.t.Helper()
	req, err := http.NewRequest("GET", n.url+"/frame", nil)
	if err != nil {
		n.t.Fatal(err)
	}
	req.Host = "dashboard.example.org"
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Add(header[i], header[i+1])
	}
	n.number++
	req.Header.Set("X-Number", strconv.Itoa(n.number))
	a := exchange(n.client, req)
	if a.status == 200 {
		n.etag = a.header.Get("ETag")
	}
	return a
}

// asked() returns the line about the last request in nginx's log. nginx writes the line only after the answer.
func (n *nginx) asked() (line string) {
	n.t.Helper()
	eventually(n.t, "nginx logs", func() bool {
		text, _ := os.ReadFile(n.log) // perhaps the file does not exist yet
		for whole := range strings.Lines(string(text)) {
			if rest, mine := strings.CutPrefix(whole, strconv.Itoa(n.number)+" "); mine && strings.HasSuffix(rest, "\n") {
				line = strings.TrimSpace(rest)
				return true
			}
		}
		return false
	})
	return line
}

// selfSigned writes a key and a certificate to the paths in the configuration.
func selfSigned(t *testing.T, dir string) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour), DNSNames: []string{"dashboard.example.org"}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	crt := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	files{"dashboard.crt": crt, "dashboard.key": string(pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: keyDER}))}.write(t, dir)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(crt))
	return roots
}
