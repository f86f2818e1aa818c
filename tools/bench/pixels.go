//go:build linux

package main

import (
	"crypto/sha256"
	"fmt"
	"image"
	"math"
	"regexp"
	"strconv"
	"time"

	"dashboard/fb"
	"dashboard/fb/fbtest"
	"dashboard/netstream"
	"dashboard/tools/command"
)

// conversions() measures row 8: converting pixels to the format of a framebuffer. Our code converts one row of pixels after the other and
// copies each into the device's memory. The peers only convert.
func conversions(l *lab) error {
	for _, f := range []struct {
		name    string
		plain   float64 // target of the portable code
		against string  // name of the peer
	}{{"xrgb8888", 2, memcpy}, {"rgb565", 2.5, libyuv}, {"rgb565 dithered", 4.5, libyuv}} {
		ours, plain := entry("assembly", kernels, "fb "+f.name), entry("portable", portable, "fb "+f.name)
		yuv, raw := entry(libyuv, libyuv, f.name), entry("memcpy", memcpy, "memcpy")
		sdl := entry("pygame blit", pygame, f.name)
		l.contest(ours, plain, yuv, raw)
		what := "frame to " + f.name
		l.against(8, what, ours, yuv, atMost(1.1))
		l.against(8, what, plain, map[string]*entrant{memcpy: raw, libyuv: yuv}[f.against], atMost(f.plain))
		if f.name == "rgb565" {
			l.contest(sdl)
			l.beside(8, what, ours, sdl)
		}
	}
	return nil
}

// screen returns a framebuffer in memory.
func screen(w, h int, f fb.Format, o fb.Options) *fb.Display {
	o.TTY = fb.NoTTY
	d, err := fb.New(fbtest.NewMemory(fb.Geometry{Width: w, Height: h, Format: f}), o)
	if err != nil {
		panic(err) // cannot fail: the geometries are constants
	}
	return d
}

// framebufferCase shows whole frames on a framebuffer in memory.
func framebufferCase(p pictures, arg string) operation {
	format := fb.RGB565
	if arg == "xrgb8888" {
		format = fb.XRGB8888
	}
	d, pic := screen(width, height, format, fb.Options{NoDither: arg == "rgb565"}), p.read(dashboard)
	return func() int {
		_ = d.DrawFrame(pic, nil) // cannot fail: it writes to memory
		return 0
	}
}

// mostHash is the bound of row 10 of docs/benchmarks.md, in ms.
const mostHash = 0.5

// hashes() measures row 10: comparing, copying and hashing a frame when it is published. A separate benchmark measures the hash alone.
func hashes(l *lab) error {
	own, err := l.benchmark("./netstream", "BenchmarkHash/ours")
	if err != nil {
		return err
	}
	l.table.limit(10, "hash of a full frame", "%.2f ms", own/1e6, mostHash)
	same, tick, all := entry("nothing did", kernels, "publish same"), entry("clock tick", kernels, "publish tick"), entry("everything", kernels, "publish all")
	peer, std := entry("xxh3, hash alone", xxhash, "xxh3"), entry("sha256, hash alone", kernels, "sha256")
	l.contest(same, tick, all, peer, std)
	for _, e := range []*entrant{same, tick, all} {
		if e.err != nil {
			return e.err
		}
		l.table.figure(10, "find, copy and name what changed: "+e.label, "%s", span(e.ns))
	}
	l.beside(10, "the same", all, peer)
	l.beside(10, "the same", all, std)
	return nil
}

// benchmarkLine matches a line with a result in the output of go test -bench.
var benchmarkLine = regexp.MustCompile(`\s([0-9.]+) ns/op`)

// benchmark runs a benchmark of a package several times. It returns the shortest time of a run in ns.
func (l *lab) benchmark(pkg, name string) (float64, error) {
	out, err := command.Run(l.ctx, nil, "go", "test", "-run", "^$", "-bench", "^"+name+"$", "-benchtime", "20x", "-count", "20", pkg)
	least := math.Inf(1)
	for _, m := range benchmarkLine.FindAllStringSubmatch(out, -1) {
		if ns, err := strconv.ParseFloat(m[1], 64); err == nil {
			least = min(least, ns)
		}
	}
	if err == nil && math.IsInf(least, 1) {
		err = fmt.Errorf("%s: no figure in %.200s", name, out)
	}
	return least, err
}

// publishCase publishes frames. `arg` is the kind of change between two frames: no change, a tick of a clock, or a change of every pixel.
func publishCase(p pictures, arg string) operation {
	s, n := netstream.New(time.Now), 0
	frames, rects := moments(p, dashboard), changed(arg)
	switch arg {
	case "same":
		frames[1] = p.read(dashboard)
	case "all":
		frames[1] = inverse(frames[0])
	}
	return func() int {
		n++
		_ = s.DrawFrame(frames[n&1], rects) // never returns an error
		return 0
	}
}

// inverse() returns a picture that differs from m in every pixel.
func inverse(m *image.RGBA) *image.RGBA {
	to := image.NewRGBA(m.Rect)
	for i, v := range m.Pix {
		if to.Pix[i] = ^v; i%4 == 3 {
			to.Pix[i] = 255
		}
	}
	return to
}

func sha256Case(p pictures, _ string) operation {
	pic := p.read(dashboard)
	return func() int { return int(sha256.Sum256(pic.Pix)[0]) }
}
