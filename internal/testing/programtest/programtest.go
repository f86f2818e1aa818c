// Package programtest builds programs and runs them as processes, for tests of the released programs.
package programtest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Version is the version of the programs that Builder builds.
const Version = "1.2.3-test"

// Patience is the time limit for events that should happen soon. It is long enough for a machine that is ten times slower than usual.
const Patience = 3 * time.Minute

// Receive returns the next value of the channel c. It ends the test if no value arrives within Patience. `what` names the awaited event.
func Receive[T any](t testing.TB, what string, c <-chan T) (v T) {
	t.Helper()
	select {
	case v = <-c:
	case <-time.After(Patience):
		t.Fatalf("%s: nothing came", what)
	}
	return v
}

// Builder returns two functions. `programs` are the names of folders in cmd. The first call of path() builds all programs, and each call
// returns the path of one program. remove() deletes the programs.
func Builder(programs ...string) (path func(t testing.TB, program string) string, remove func()) {
	var dir string
	build := sync.OnceValue(func() error {
		var err error
		if dir, err = os.MkdirTemp("", "programs-"); err != nil {
			return err
		}
		for _, p := range programs {
			if err := link(p, filepath.Join(dir, p)); err != nil {
				return err
			}
		}
		return nil
	})
	path = func(t testing.TB, program string) string {
		t.Helper()
		if err := build(); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(dir, program)
	}
	return path, func() { os.RemoveAll(dir) }
}

// `environment` is the environment at the start of the test run. link() needs this environment, because with another cache folder it would
// compile everything again.
var environment = os.Environ()

// link() builds a program and puts it at a path. Go caches the linked program of "go run", but not of "go build". link() therefore runs "go
// run" with a command that copies the program.
func link(program, path string) error {
	flags := "-s -w -X main.version=" + Version
	cmd := exec.Command("go", "run", "-buildvcs=false", "-ldflags", flags, "-exec", "cp", "dashboard/cmd/"+program, path)
	cmd.Env = append(slices.Clip(environment), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go run -exec cp: %w\n%s", err, out)
	}
	return nil
}

// Eventually waits until the function `ok` returns true. It first checks often and then less often, because checks take processor time from
// the code under test.
func Eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for begin := time.Now(); ; {
		waited := time.Since(begin) // before the check, because the check itself may take long
		if ok() {
			return
		}
		if waited > Patience {
			t.Fatalf("%s: not within %v", what, Patience)
		}
		<-time.After(min(max(waited/4, 2*time.Millisecond), maxPause))
	}
}

// maxPause is the maximum time between two checks of Eventually.
const maxPause = 50 * time.Millisecond

// firstPort and lastPort are the range of FreePort. The kernel assigns higher ports, so no connection takes a port between the search for
// the port and its use.
const firstPort, lastPort = 20000, 32000

// FreePort returns a free TCP port. No other test gets the port before this test ends. A program may therefore close the port and listen on
// it again.
func FreePort(t testing.TB) int {
	t.Helper()
	for range 1000 {
		port := firstPort + rand.IntN(lastPort-firstPort)
		if !reserve(t, port) {
			continue
		}
		if l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			l.Close()
			return port
		}
	}
	t.Fatal("every port is taken")
	return 0
}

// reserve reserves a port until the test ends. Tests of other packages cannot get the port either. It uses an abstract socket name
// (unix(7)), which the kernel gives to one program only. reserve returns false if another test has reserved the port.
func reserve(t testing.TB, port int) bool {
	if runtime.GOOS != "linux" {
		return true
	}
	l, err := net.Listen("unix", fmt.Sprintf("@dashboard-test-port-%d", port))
	if err == nil {
		t.Cleanup(func() { l.Close() })
	}
	return err == nil
}

// Write writes files below dir. The keys of files are relative paths.
func Write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A Log collects the standard error of a program.
type Log struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write implements io.Writer.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

// String returns everything that was written.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

// Reset clears the log.
func (l *Log) Reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.buf.Reset()
}

// Count returns the number of times that the log contains a text.
func (l *Log) Count(text string) int { return strings.Count(l.String(), text) }

// A Process is a running program.
type Process struct {
	Log *Log
	Cmd *exec.Cmd // the caller may change it before Run

	t     testing.TB
	ended chan struct{} // closed when the process ends
}

// Start runs the program at path in a folder. `env` is added to the environment. Start ends the program when the test ends. If the test
// fails, it prints the program's log.
func Start(t testing.TB, path, dir string, env []string, args ...string) *Process {
	t.Helper()
	p := Prepare(t, path, dir, env, args...)
	p.Run()
	return p
}

// Prepare is like Start, but it does not run the program.
func Prepare(t testing.TB, path, dir string, env []string, args ...string) *Process {
	p := &Process{Log: &Log{}, t: t, Cmd: exec.Command(path, args...), ended: make(chan struct{})}
	own := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GOGC=") }) // it is meant for the test
	p.Cmd.Stderr, p.Cmd.Dir, p.Cmd.Env = p.Log, dir, append(own, env...)
	return p
}

// Run starts a prepared process.
func (p *Process) Run() {
	p.t.Helper()
	if err := p.Cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	go func() { _ = p.Cmd.Wait(); close(p.ended) }()
	p.t.Cleanup(func() {
		p.End(syscall.SIGTERM)
		if p.t.Failed() {
			p.t.Logf("%s:\n%s", filepath.Base(p.Cmd.Path), p.Log)
		}
	})
}

// Pid returns the process ID.
func (p *Process) Pid() int { return p.Cmd.Process.Pid }

// Memory returns a value of /proc/PID/status in bytes, such as VmRSS or VmHWM.
func (p *Process) Memory(name string) int {
	p.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Pid()))
	if err != nil {
		p.t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(status), name+":")
	var kB int
	if _, err := fmt.Sscan(after, &kB); err != nil {
		p.t.Fatalf("%s: %v", name, err)
	}
	return kB << 10
}

// Says waits until the log contains a text.
func (p *Process) Says(text string) {
	p.t.Helper()
	Eventually(p.t, fmt.Sprintf("the log says %q", text), func() bool { return p.Log.Count(text) > 0 })
}

// Signal sends a signal.
func (p *Process) Signal(s os.Signal) {
	p.t.Helper()
	if err := p.Cmd.Process.Signal(s); err != nil {
		p.t.Fatal(err)
	}
}

// End sends a signal to the process, if the process still runs, and waits until it has ended. It returns the exit status, or -1 if a signal
// has killed the process. `took` is the time from the signal to the end.
func (p *Process) End(s os.Signal) (status int, took time.Duration) {
	p.t.Helper()
	begin := time.Now()
	_ = p.Cmd.Process.Signal(s) // it fails if the process has ended before
	select {
	case <-p.ended:
	case <-time.After(Patience):
		_ = p.Cmd.Process.Kill()
		p.t.Error("the program does not end")
		<-p.ended
	}
	return p.Cmd.ProcessState.ExitCode(), time.Since(begin)
}
