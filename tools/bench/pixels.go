//go:build linux

package main

import (
	"crypto/sha256"
	"fmt"
	"image"
	"math"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"time"
	"unsafe"

	"dashboard/fb"
	"dashboard/fb/fbtest"
	"dashboard/internal/testpic"
	"dashboard/netstream"
)

// conversions is row 8. Ours writes a row and copies it into the device's memory; the peers convert only.
func conversions(l *lab) error {
	for _, f := range []struct {
		name    string
		plain   float64 // bound of the portable loop
		against string  // its peer
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

// pages is a framebuffer in memory that begins on a page, as those of the kernel do.
type pages struct {
	fb.Device
	g   fb.Geometry
	mem []byte
}

func newPages(g fb.Geometry) *pages {
	g.VirtualWidth, g.VirtualHeight, g.Stride = g.Width, g.Height, g.Width*g.Format.BytesPerPixel()
	g.Size = g.Stride * g.Height
	page := os.Getpagesize()
	mem := make([]byte, g.Size+page)
	at := -int(uintptr(unsafe.Pointer(&mem[0]))) & (page - 1)
	return &pages{fbtest.NewMemory(g), g, mem[at : at+g.Size]}
}

// Geometry implements fb.Device.
func (p *pages) Geometry() (fb.Geometry, error) { return p.g, nil }

// Pixels implements fb.Device.
func (p *pages) Pixels() []byte { return p.mem }

// framebufferCase shows whole frames on a framebuffer in memory.
func framebufferCase(p pictures, arg string) operation {
	g := fb.Geometry{Width: width, Height: height, Format: fb.RGB565}
	if arg == "xrgb8888" {
		g.Format = fb.XRGB8888
	}
	d, err := fb.New(newPages(g), fb.Options{TTY: fb.NoTTY, NoDither: arg == "rgb565"})
	if err != nil {
		panic(err) // the geometry is a constant
	}
	pic := p.read(dashboard)
	return func() int {
		if err := d.DrawFrame(pic, nil); err != nil {
			panic(err) // memory takes everything
		}
		return 0
	}
}

// mostHash bounds row 10, in ms.
const mostHash = 0.5

// hashes is row 10: what it costs to find out whether anything changed, to copy and to name it. The name alone, the
// hash, is measured by its package's benchmark.
func hashes(l *lab) error {
	own, err := l.benchmark("./netstream", "BenchmarkHash/ours")
	if err != nil {
		return err
	}
	l.table.limit(10, "hash of a full frame", "%.2f ms", own/1e6, mostHash)
	same, tick, all := entry("nothing did", kernels, "publish same"), entry("a clock's tick", kernels, "publish tick"), entry("everything", kernels, "publish all")
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

// benchmarkLine is what go test prints.
var benchmarkLine = regexp.MustCompile(`\s([0-9.]+) ns/op`)

// benchmark runs a benchmark of a package some times and returns the least time, ns of the clock on the wall.
func (l *lab) benchmark(pkg, name string) (float64, error) {
	cmd := exec.CommandContext(l.ctx, "go", "test", "-run", "^$", "-bench", "^"+name+"$", "-benchtime", "20x", "-count", "20", pkg)
	out, err := cmd.Output()
	least := math.Inf(1)
	for _, m := range benchmarkLine.FindAllSubmatch(out, -1) {
		if ns, err := strconv.ParseFloat(string(m[1]), 64); err == nil {
			least = min(least, ns)
		}
	}
	if err == nil && math.IsInf(least, 1) {
		err = fmt.Errorf("%s: no figure in %.200s", name, out)
	}
	return least, err
}

// publishCase publishes frames with a change: none, a clock's tick, or everything.
func publishCase(p pictures, arg string) operation {
	s, n := netstream.New(time.Now), 0
	frames := [2]*image.RGBA{p.read(dashboard), p.read(dashboard)}
	rects := changed("all")
	switch arg {
	case "tick":
		rects = changed("tick")
		testpic.Tick(frames[1], 1)
	case "all":
		for i := range frames[1].Pix {
			if i%4 != 3 {
				frames[1].Pix[i] ^= 1
			}
		}
	}
	return func() int {
		n++
		_ = s.DrawFrame(frames[n&1], rects) // it never fails
		return 0
	}
}

func sha256Case(p pictures, _ string) operation {
	pic := p.read(dashboard)
	return func() int { return int(sha256.Sum256(pic.Pix)[0]) }
}
