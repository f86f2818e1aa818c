package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// testVersion is what the built program says it is.
const testVersion = "1.2.3-test"

// sourceDir is the folder of this package: tests go elsewhere.
var sourceDir, _ = os.Getwd()

// built is the program as it is shipped, and what went wrong with building it. The first test that wants it builds it.
var built = sync.OnceValues(func() (path string, err error) {
	dir, err := os.MkdirTemp("", "dashboard-built-")
	if err != nil {
		return "", err
	}
	path = filepath.Join(dir, "dashboard")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-X main.version="+testVersion, "-o", path, ".")
	cmd.Dir, cmd.Env = sourceDir, append(os.Environ(), "CGO_ENABLED=0")
	builtIn = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

// builtIn is the folder to remove when all tests have ended.
var builtIn string

func removeBinary() {
	if builtIn != "" {
		os.RemoveAll(builtIn)
	}
}

// A binary is the built program, running as a process of its own.
type binary struct {
	site
	log *logbook
	cmd *exec.Cmd

	ended chan struct{} // closed when the process has ended
}

// launch starts the built program on a configuration, in a folder of its own. It ends with the test.
func launch(t *testing.T, port int, f files, args ...string) *binary {
	t.Helper()
	b := prepare(t, port, f, args...)
	b.start()
	return b
}

// prepare is launch without the start.
func prepare(t *testing.T, port int, f files, args ...string) *binary {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	b := &binary{site: site{t, t.TempDir(), port}, log: &logbook{}, ended: make(chan struct{})}
	f.write(t, b.dir)
	b.cmd = exec.Command(path, append([]string{"--config-dir", b.dir}, args...)...)
	b.cmd.Stderr, b.cmd.Dir = b.log, b.dir
	return b
}

func (b *binary) start() {
	b.t.Helper()
	if err := b.cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	go func() { _ = b.cmd.Wait(); close(b.ended) }()
	b.t.Cleanup(func() {
		b.end(syscall.SIGTERM)
		if b.t.Failed() {
			b.t.Logf("log:\n%s", b.log)
		}
	})
}

// launchWall starts the built program on a plain red wall with a stream and waits for its first frame; edit changes
// the configuration first, unless it is nil.
func launchWall(t *testing.T, edit func(f files)) *binary {
	t.Helper()
	port := freePort(t)
	f := files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red")}
	if edit != nil {
		edit(f)
	}
	b := launch(t, port, f)
	b.shows(1, 1, red)
	eventually(t, "the stream has its frame too", func() bool {
		status := b.ask("HEAD /frame", having("*"), "").status // which encodes nothing
		return status != 0 && status != http.StatusServiceUnavailable
	})
	return b
}

// says waits until the log holds a text.
func (b *binary) says(text string) {
	b.t.Helper()
	eventually(b.t, fmt.Sprintf("the log says %q", text), func() bool { return strings.Contains(b.log.String(), text) })
}

// signal sends one to the process.
func (b *binary) signal(s os.Signal) {
	b.t.Helper()
	if err := b.cmd.Process.Signal(s); err != nil {
		b.t.Fatal(err)
	}
}

// change writes files, asks for a reload and waits for it.
func (b *binary) change(f files) {
	b.t.Helper()
	before := reloads(b.log)
	f.write(b.t, b.dir)
	b.signal(syscall.SIGUSR1)
	eventually(b.t, "reload", func() bool { return reloads(b.log) > before })
}

// end ends the process with a signal, if it still runs, and returns its exit status and how long that took.
func (b *binary) end(s os.Signal) (status int, took time.Duration) {
	b.t.Helper()
	begin := time.Now()
	_ = b.cmd.Process.Signal(s) // it fails if the process has ended
	select {
	case <-b.ended:
	case <-time.After(patience):
		_ = b.cmd.Process.Kill()
		b.t.Error("the program does not end")
		<-b.ended
	}
	return b.cmd.ProcessState.ExitCode(), time.Since(begin)
}

func TestBinary(t *testing.T) {
	b := launchWall(t, nil)
	b.serves("/frame", 200)
	if status, took := b.end(syscall.SIGTERM); status != 0 || took > 2*time.Second {
		t.Errorf("got status %d after %v, want 0 within 2 s", status, took)
	}
}
