//go:build linux

package main

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"dashboard/internal/testpic"
)

//go:embed peers
var peerFiles embed.FS

// Names of the programs that are measured.
const (
	kernels   = "kernels"  // ours, and the peers in Go
	portable  = "portable" // ours without assembly
	memcpy    = "memory"
	libyuv    = "libyuv"
	pixman    = "pixman"
	turbojpeg = "turbojpeg"
	xxhash    = "xxhash"
	cairo     = "cairo"
	sockets   = "sockets" // a loop of writes
	pygame    = "pygame"
)

// lab is what measurements share: a folder, the programs, the table.
type lab struct {
	ctx      context.Context
	patience time.Duration // of a contest
	dir      string
	table    table
	programs map[string]*program
	missing  map[string]error
	rest     []string // more folders to remove
}

func newLab(ctx context.Context) (*lab, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	l := &lab{ctx: ctx, dir: dir, programs: map[string]*program{}, missing: map[string]error{}}
	pics := map[string][]byte{"dashboard": testpic.Dashboard(width, height).Pix, "photo": testpic.Photo(width, height).Pix}
	for name, pix := range pics {
		err = errors.Join(err, os.WriteFile(l.path(name+".rgba"), pix, 0o644))
	}
	return l, errors.Join(err, os.CopyFS(dir, peerFiles))
}

func (l *lab) path(name string) string { return filepath.Join(l.dir, name) }

// told runs a command; what it printed is in the error.
func told(cmd *exec.Cmd) error {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		first, _, _ := strings.Cut(strings.TrimSpace(out.String()), "\n")
		return fmt.Errorf("%w: %s", err, first)
	}
	return nil
}

func (l *lab) close() {
	for _, p := range l.programs {
		p.close()
	}
	for _, dir := range append(l.rest, l.dir) {
		os.RemoveAll(dir)
	}
}

// program returns a running program, or why there is none.
func (l *lab) program(name string) (*program, error) {
	if p, err := l.programs[name], l.missing[name]; p != nil || err != nil {
		return p, err
	}
	p, err := l.begin(name)
	if err != nil {
		l.missing[name] = err
		return nil, err
	}
	l.programs[name] = p
	return p, nil
}

func (l *lab) begin(name string) (*program, error) {
	switch name {
	case kernels, portable:
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		// Garbage of peers is collected as in any program; one processor, as the targets say.
		env := []string{"GOMAXPROCS=1"}
		if name == portable {
			env = append(env, "GODEBUG=cpu.avx2=off")
		}
		return startProgram(l.ctx, env, self, "-worker", l.dir)
	case pygame:
		return l.beginPython()
	case recurring:
		return l.beginRecurring()
	}
	if err := l.compile(name); err != nil {
		return nil, err
	}
	return startProgram(l.ctx, nil, l.path(name), l.dir)
}

// packages is what Debian calls the libraries of the peers.
var packages = map[string]string{libyuv: "libyuv-dev", pixman: "libpixman-1-dev", turbojpeg: "libturbojpeg0-dev", xxhash: "libxxhash-dev", cairo: "libcairo2-dev"}

var linkFlags = map[string][]string{
	libyuv: {"-lyuv", "-lm"}, pixman: {"-I/usr/include/pixman-1", "-lpixman-1"}, turbojpeg: {"-lturbojpeg"},
	xxhash: {"-lxxhash"}, cairo: {"-I/usr/include/cairo", "-lcairo", "-lm"},
}

func (l *lab) compile(name string) error {
	args := append([]string{"-O2", "-o", l.path(name), l.path("peers/" + name + ".c")}, linkFlags[name]...)
	if err := told(exec.CommandContext(l.ctx, "cc", args...)); err != nil {
		return fmt.Errorf("missing (Debian: gcc %s)", packages[name])
	}
	return nil
}

// beginPython finds a Python that has pygame: Debian's, if another one comes first in the path.
func (l *lab) beginPython() (*program, error) {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if told(exec.CommandContext(l.ctx, python, "-c", "import pygame")) == nil {
			return startProgram(l.ctx, nil, python, l.path("peers/pygame_peer.py"), l.dir)
		}
	}
	return nil, errors.New("missing (Debian: python3-pygame)")
}

// machine names processor and versions.
func machine() string {
	model := "unknown processor"
	info, _ := os.ReadFile("/proc/cpuinfo") // absent: unknown
	for l := range strings.Lines(string(info)) {
		if key, value, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(key) == "model name" {
			model = strings.TrimSpace(value)
			break
		}
	}
	return fmt.Sprintf("%s, %d processors, %s, %s/%s, commit %s", model, runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH, commit())
}

func commit() string {
	out, err := exec.Command("git", "describe", "--always", "--dirty").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(out))
}
