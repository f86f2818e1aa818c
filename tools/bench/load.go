//go:build linux

package main

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"regexp"
	"strconv"

	"dashboard/internal/testing/testpic"
	"dashboard/tools/command"
)

// Bounds and counts of row 18 of docs/benchmarks.md.
const (
	leastShare  = 0.75 // minimum rate relative to nginx
	loadFile    = 200_000
	loadSeconds = "2s"
	loadConns   = "32"
	loadRounds  = 3
	loadNotes   = 50 // number of notifications during the load
)

// requests() measures row 18: the rate of requests, compared with nginx. Each server runs alone on one processor,
// and wrk runs on another processor.
func requests(l *lab) error {
	wall, err := pictureWall(l, photo, testpic.Photo(width, height))
	if err != nil {
		return err
	}
	s, err := l.launch(wall, "GOMAXPROCS=1")
	if err != nil {
		return err
	}
	defer s.stop()
	path, body, err := s.frameOf(loadFile)
	if err != nil {
		return err
	}
	peer, err := l.nginx(body)
	if err != nil {
		return fmt.Errorf("nginx: %w", err)
	}
	defer peer.stop()
	ours, theirs, err := race(s.url+path, peer.url+"/frame.jpg")
	if err != nil {
		return err
	}
	l.table.add(line{number: 18, what: fmt.Sprintf("a cached frame of %d bytes", len(body)), ours: fmt.Sprintf("%.0f/s", ours), peer: fmt.Sprintf("nginx %.0f/s", theirs),
		ratio: fmt.Sprintf("%.2fx", ours/theirs), target: fmt.Sprintf("≥ %gx", leastShare), verdict: verdict(ours/theirs >= leastShare)})
	return l.undisturbed(s, path)
}

// undisturbed() measures how long notifications take while wrk requests frames.
func (l *lab) undisturbed(s *service, path string) error {
	load := exec.CommandContext(l.ctx, "wrk", "-t1", "-c", loadConns, "-d10s", s.url+path)
	if err := load.Start(); err != nil {
		return err
	}
	defer func() { _ = load.Process.Kill(); _ = load.Wait() }()
	took, err := s.noted(loadNotes)
	if err != nil {
		return err
	}
	l.table.figure(18, fmt.Sprintf("POST /notify to its event meanwhile, median of %d, all on one processor", loadNotes), "%.1f ms",
		milliseconds(quantile(took, percentHalf)))
	return nil
}

// pictureWall writes a picture and returns a widgets file that shows it. A text, which notifications replace, covers 2 % of the picture.
func pictureWall(l *lab, name string, pic image.Image) (string, error) {
	path := l.path(name + ".png")
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(f, pic); err != nil {
		return "", err
	}
	return fmt.Sprintf(`background_image: %q
widgets:
  - widget: grid
    rows: 8
    columns: 6
    children:
      - widget: notifiabletext
        name: clock
        background_color: black
        children: [{widget: text, background_color: black, text: "12:34:56"}]
`, path), nil
}

// frameOf searches for a size at which the encoded frame has at most n bytes, and at least half of n.
func (s *service) frameOf(n int) (path string, body []byte, err error) {
	for size := image.Pt(width, height); size.X > 320; size = size.Mul(15).Div(16) {
		path = fmt.Sprintf("/frame?width=%d&height=%d", size.X, size.Y)
		if body, err = s.get(path); err != nil {
			return "", nil, err
		}
		if len(body) <= n {
			break
		}
	}
	if len(body) < n/2 || len(body) > n {
		err = fmt.Errorf("no size has a frame of %d bytes, but one of %d", n, len(body))
	}
	return path, body, err
}

const nginxConf = `daemon off; worker_processes 1; pid %[1]s/nginx.pid; error_log /dev/null;
events { worker_connections 256; }
http {
	access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
	client_body_temp_path %[1]s; proxy_temp_path %[1]s; fastcgi_temp_path %[1]s; uwsgi_temp_path %[1]s; scgi_temp_path %[1]s;
	types { image/jpeg jpg; }
	server { listen 127.0.0.1:%[2]d; root %[1]s; }
}
`

// nginx starts nginx, which serves only the given file.
func (l *lab) nginx(file []byte) (*service, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	// The worker process of nginx may run as another user, so it needs a folder that all users can read.
	dir, err := os.MkdirTemp("", "bench-nginx")
	if err != nil {
		return nil, err
	}
	l.rest = append(l.rest, dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		return nil, err
	}
	for name, data := range map[string][]byte{"frame.jpg": file, "nginx.conf": fmt.Appendf(nil, nginxConf, dir, port)} {
		if err := os.WriteFile(dir+"/"+name, data, 0o644); err != nil {
			return nil, err
		}
	}
	return l.begin(port, "/frame.jpg", nil, "nginx", "-c", dir+"/nginx.conf", "-e", "/dev/null")
}

// race measures two servers in turn. It returns the best rate of each server, in requests per second.
func race(a, b string) (rateA, rateB float64, err error) {
	for range loadRounds {
		first, err := ask(a)
		if err != nil {
			return 0, 0, err
		}
		second, err := ask(b)
		if err != nil {
			return 0, 0, err
		}
		rateA, rateB = max(rateA, first), max(rateB, second)
	}
	return rateA, rateB, nil
}

var wrkRate = regexp.MustCompile(`Requests/sec:\s+([0-9.]+)`)

// ask runs wrk and returns the rate of requests.
func ask(url string) (float64, error) {
	out, err := command.Run(context.Background(), nil, "wrk", "-t1", "-c", loadConns, "-d", loadSeconds, url)
	if err != nil {
		return 0, fmt.Errorf("wrk (Debian: wrk): %w", err)
	}
	m := wrkRate.FindStringSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("wrk: %.200s", out)
	}
	return strconv.ParseFloat(m[1], 64)
}
