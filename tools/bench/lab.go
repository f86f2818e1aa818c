//go:build linux

package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"

	"dashboard/internal/testing/testpic"
	"dashboard/tools/command"
)

//go:embed peers
var peerFiles embed.FS

// Names of the programs that run cases.
const (
	kernels   = "kernels"  // our code and peers, in Go
	portable  = "portable" // our code in Go, without assembly
	memcpy    = "memory"
	libyuv    = "libyuv"
	pixman    = "pixman"
	turbojpeg = "turbojpeg"
	xxhash    = "xxhash"
	cairo     = "cairo"
	sockets   = "sockets" // a program that only writes to sockets in a loop
	pygame    = "pygame"
	recurring = "recurring" // a program in Python that computes the dates of repeated events
)

// withoutAssembly is an environment variable that makes a Go program use the portable code.
const withoutAssembly = "GODEBUG=cpu.avx2=off"

// A lab holds everything that all measurements share: a folder, running programs and the table.
type lab struct {
	ctx      context.Context
	patience time.Duration // how long a contest takes
	dir      string
	table    table
	programs map[string]*program
	missing  map[string]error
	rest     []string // further folders to remove at the end
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

func (l *lab) close() {
	for _, p := range l.programs {
		p.close()
	}
	for _, dir := range append(l.rest, l.dir) {
		os.RemoveAll(dir)
	}
}

// program returns a running program. It starts the program if necessary, and returns an error if the program cannot be started.
func (l *lab) program(name string) (*program, error) {
	if p, err := l.programs[name], l.missing[name]; p != nil || err != nil {
		return p, err
	}
	p, err := l.start(name)
	if err != nil {
		l.missing[name] = err
		return nil, err
	}
	l.programs[name] = p
	return p, nil
}

func (l *lab) start(name string) (*program, error) {
	switch name {
	case kernels, portable:
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		// Like all Go programs, peers in Go collect garbage. They use only one processor, because the targets require this.
		env := []string{"GOMAXPROCS=1"}
		if name == portable {
			env = append(env, withoutAssembly)
		}
		return startProgram(l.ctx, env, self, "-worker", l.dir)
	case pygame:
		return l.python(pygame, "pygame_peer.py", "python3-pygame")
	case recurring:
		return l.python("recurring_ical_events", "ical_peer.py", "python3-recurring-ical-events")
	}
	if err := l.compile(name); err != nil {
		return nil, err
	}
	return startProgram(l.ctx, nil, l.path(name), l.dir)
}

// A library is linked into a peer. The fields are the name of its Debian package, and compiler options.
type library struct {
	debian string
	flags  []string
}

var libraries = map[string]library{
	libyuv: {"libyuv-dev", []string{"-lyuv", "-lm"}}, pixman: {"libpixman-1-dev", []string{"-I/usr/include/pixman-1", "-lpixman-1"}},
	turbojpeg: {"libturbojpeg0-dev", []string{"-lturbojpeg"}}, xxhash: {"libxxhash-dev", []string{"-lxxhash"}},
	cairo: {"libcairo2-dev", []string{"-I/usr/include/cairo", "-lcairo", "-lm"}},
}

func (l *lab) compile(name string) error {
	args := append([]string{"-O2", "-o", l.path(name), l.path("peers/" + name + ".c")}, libraries[name].flags...)
	if _, err := command.Run(l.ctx, nil, "cc", args...); err != nil {
		return fmt.Errorf("missing (Debian: gcc %s)", libraries[name].debian)
	}
	return nil
}

// python starts a script with the first Python in the path that has the given module. If there is none, it uses Debian's Python.
func (l *lab) python(module, script, debian string) (*program, error) {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if _, err := command.Run(l.ctx, nil, python, "-c", "import "+module); err == nil {
			return startProgram(l.ctx, nil, python, l.path("peers/"+script), l.dir)
		}
	}
	return nil, fmt.Errorf("missing (Debian: %s)", debian)
}

// logged() runs tests of a package, and returns the matches of a pattern in their log.
func (l *lab) logged(env []string, pkg, tests string, pattern *regexp.Regexp) ([][]string, error) {
	out, err := command.Run(l.ctx, env, "go", "test", "-count", "1", "-run", tests, "-v", pkg)
	found := pattern.FindAllStringSubmatch(out, -1)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("%s: nothing was measured in %s", tests, pkg)
	}
	return found, err
}

// machine returns the name of the processor and the versions of the programs.
func machine() string {
	model := "unknown processor"
	info, _ := os.ReadFile("/proc/cpuinfo") // after an error, the processor is unknown
	for l := range strings.Lines(string(info)) {
		if key, value, ok := strings.Cut(l, ":"); ok && strings.TrimSpace(key) == "model name" {
			model = strings.TrimSpace(value)
			break
		}
	}
	commit, err := command.Run(context.Background(), nil, "git", "describe", "--always", "--dirty")
	if err != nil {
		commit = "unknown"
	}
	return fmt.Sprintf("%s, %d processors, %s, %s/%s, commit %s", model, runtime.NumCPU(), runtime.Version(), runtime.GOOS, runtime.GOARCH, strings.TrimSpace(commit))
}
