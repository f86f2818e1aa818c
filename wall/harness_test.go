package wall

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"image/color"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"testing"
	"time"

	"dashboard/config"
	"dashboard/internal/testing/programtest"
	"dashboard/wall/scene"
)

// `together` is the minimum number of tests that run at the same time, unless -parallel is 1. Most
// tests wait for a separate process or for a time to pass, so they need little processor time.
const together = 16

func TestMain(m *testing.M) {
	flag.Parse()
	f := flag.Lookup("test.parallel")
	if n, err := strconv.Atoi(f.Value.String()); err == nil && n > 1 {
		_ = f.Value.Set(strconv.Itoa(max(n, together))) // cannot fail, because the value is a number
	}
	cache, err := os.MkdirTemp("", "dashboard")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_CACHE_HOME", cache) // state folder of the tests and of the processes that they start
	for _, name := range []string{"REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NETRC"} {
		os.Unsetenv(name) // unset the user's settings, because each of a hundred walls would read the files that these settings name
	}
	debug.SetGCPercent(600) // collect garbage rarely, but not in the processes that tests start and measure
	status := m.Run()
	os.RemoveAll(cache)
	removeExecutable()
	os.Exit(status)
}

// sourceDir is the folder of the program. It is absolute, because tests change the working folder.
var sourceDir, _ = filepath.Abs("../cmd/dashboard")

// patience is the time limit for everything that should happen soon.
const patience = programtest.Patience

// endsWithin is the time limit for the end of a program. The program waits about a second for each
// part to end, and for some parts longer.
const endsWithin = patience / 3

// A logbook records the standard error of a program under test.
type logbook = programtest.Log

// eventually waits until `ok` returns true. If this takes too long, the test fails. `what` describes the condition.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	programtest.Eventually(t, what, ok)
}

// freePort returns a TCP port on which no program listens.
func freePort(t *testing.T) int {
	t.Helper()
	return programtest.FreePort(t)
}

// files contains the files of a configuration, by name.
type files map[string]string

// with() returns a copy of the files in which one file is replaced.
func (f files) with(name, text string) files {
	all := files{name: text}
	for n, s := range f {
		if n != name {
			all[n] = s
		}
	}
	return all
}

// write puts the files into `dir`.
func (f files) write(t testing.TB, dir string) {
	t.Helper()
	programtest.Write(t, dir, f)
}

// replace writes a file into `dir` by renaming a complete file. A program that watches the folder could otherwise read an empty file.
func replace(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := errors.Join(os.WriteFile(path+".new", []byte(text), 0o644), os.Rename(path+".new", path)); err != nil {
		t.Fatal(err)
	}
}

// The size of the test walls in px.
const testW, testH = 160, 96

// wallConf returns a conf.yaml with a virtual framebuffer and a stream. `more` is added to its end.
func wallConf(port int, more string) string {
	return fmt.Sprintf("graphics:\n  resolution: [%d, %d]\n  motion: reduced\nserver:\n  port: %d\noutputs:\n  - {type: window, driver: virtual, device: screen.raw, vsync: false}\n"+
		"  - {type: stream, image_format: png}\n%s", testW, testH, port, more)
}

func plainWall(color string) string { return "widgets:\n  - {widget: empty, color: " + color + "}\n" }

// A program is a dashboard that runs inside of the test.
type program struct {
	site
	log    *logbook
	reload chan os.Signal
	cancel context.CancelFunc
	ended  chan int
}

// optionsOf returns the options of a wall in the folder `dir`. `args` are options of the command line.
func optionsOf(t *testing.T, dir string, args ...string) Options {
	t.Helper()
	conf, err := os.ReadFile(filepath.Join(sourceDir, "demo", config.ConfName))
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Folder: scene.Folder{Home: dir, Widgets: "widgets.yaml"}, Version: "dev", Plain: conf}
	flags := flag.NewFlagSet("dashboard", flag.ContinueOnError)
	flags.BoolVar(&o.KeepGoing, "keep-going", false, "")
	flags.BoolVar(&o.Screenless, "screenless", false, "")
	flags.StringVar(&o.StateDir, "state-dir", "", "")
	flags.StringVar(&o.Listen, "listen", "", "")
	flags.StringVar(&o.Theme, "theme", "", "")
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	return o
}

// runWall runs a wall as the program does. It returns the exit status.
func runWall(ctx context.Context, o Options, log *logbook, asked <-chan os.Signal) int {
	if err := Serve(ctx, o, log, asked); err != nil {
		fmt.Fprintln(log, "dashboard:", err)
		return 1
	}
	return 0
}

// command runs the built program and returns the exit status and the printed texts.
func command(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command(executable(t, "dashboard"), args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}

func discardLog() *slog.Logger { return slog.New(slog.DiscardHandler) }

// start runs a configuration until the test ends.
func start(t *testing.T, port int, f files, args ...string) *program {
	t.Helper()
	return startAt(site{t, t.TempDir(), port}, f, args...)
}

// startAt runs a configuration in the folder of a site. An earlier program may have used the folder.
func startAt(at site, f files, args ...string) *program {
	t := at.t
	t.Helper()
	p := &program{site: at, log: &logbook{}, reload: make(chan os.Signal, 1), ended: make(chan int, 1)}
	f.write(t, p.dir)
	var ctx context.Context
	ctx, p.cancel = context.WithCancel(context.Background())
	o := optionsOf(t, p.dir, args...)
	go func() { p.ended <- runWall(ctx, o, p.log, p.reload) }()
	t.Cleanup(func() {
		p.end()
		if t.Failed() {
			t.Logf("log:\n%s", p.log)
		}
	})
	return p
}

// end ends the program as a signal does. It returns the exit status and the time until the program has ended.
func (p *program) end() (status int, took time.Duration) {
	p.t.Helper()
	begin := time.Now()
	p.cancel()
	select {
	case status = <-p.ended:
		p.ended <- status
	case <-time.After(patience):
		p.t.Fatal("the program does not end")
	}
	return status, time.Since(begin)
}

// reloads() returns the number of reloads in a log, including the refused reloads.
func reloads(log *logbook) int {
	return log.Count("configuration reloaded") + log.Count("reload refused")
}

// change writes files, requests a reload and waits until the reload has ended.
func (p *program) change(f files) {
	p.t.Helper()
	before := reloads(p.log)
	f.write(p.t, p.dir)
	p.reload <- os.Interrupt
	eventually(p.t, "reload", func() bool { return reloads(p.log) > before })
}

var (
	red   = color.RGBA{255, 0, 0, 255}
	blue  = color.RGBA{0, 0, 255, 255}
	white = color.RGBA{255, 255, 255, 255}
	black = color.RGBA{0, 0, 0, 255}
)
