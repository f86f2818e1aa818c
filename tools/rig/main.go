// Command rig is the device test: it boots real kernels in QEMU, runs the dashboard that is shipped on
// their framebuffers, looks at their screens from outside, and compares what is there with what the
// dashboard paints without a screen.
//
// It prints a line for each case. Its exit status is 0 if all passed, 1 if one failed, and 3 if it cannot
// run here, which it says.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Exit statuses.
const (
	exitFailed  = 1
	exitUsage   = 2
	exitSkipped = 3
)

// wholeTime bounds a run: six times what one takes on a busy machine. A mirror that hangs ends with it.
const wholeTime = 40 * time.Minute

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), wholeTime)
	defer cancel()
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout))
}

// options are the command line.
type options struct {
	suite, machine, pictures string
	renew                    bool
}

func run(ctx context.Context, args []string, out io.Writer) int {
	var o options
	flags := flag.NewFlagSet("rig", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.StringVar(&o.suite, "suite", "", "Debian `release` of the kernel; without it "+strings.Join(suites, ", else "))
	flags.StringVar(&o.machine, "machine", "", "boot only the machine with this `name`")
	flags.StringVar(&o.pictures, "pictures", "", "`folder` for the pictures; without it a new one")
	flags.BoolVar(&o.renew, "renew", false, "look for a newer kernel than the one in the cache")
	if err := flags.Parse(args); err != nil {
		return exitUsage
	}
	began := time.Now()
	r := &report{out: out}
	err := testDevices(ctx, o, r)
	var missing *missingError
	switch {
	case errors.As(err, &missing):
		r.say("SKIPPED: the device test cannot run here: %v", err)
		return exitSkipped
	case err != nil:
		r.say("FAIL  %v", err)
		return exitFailed
	}
	r.say("%d passed, %d failed in %.0f s; pictures in %s", r.passed, r.failed, time.Since(began).Seconds(), r.pictures)
	if r.failed > 0 || r.passed == 0 {
		return exitFailed
	}
	return 0
}

// A report is what a run says.
type report struct {
	out            io.Writer
	passed, failed int
	pictures       string
}

func (r *report) say(format string, args ...any) { fmt.Fprintf(r.out, format+"\n", args...) }

// testDevices gets what is needed and tries every machine.
func testDevices(ctx context.Context, o options, r *report) error {
	if err := install(ctx, r.say); err != nil {
		return err
	}
	tried := suites
	if o.suite != "" {
		tried = []string{o.suite}
	}
	k, err := getKernel(ctx, tried, o.renew, r.say)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "rig-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if r.pictures, err = pictureFolder(o.pictures); err != nil {
		return err
	}
	began := time.Now()
	l, err := newLab(ctx, k, work)
	if err != nil {
		return err
	}
	l.album = r.pictures
	version, err := command(ctx, nil, "qemu-system-aarch64", "--version")
	if err != nil {
		return err
	}
	version, _, _ = strings.Cut(version, "\n")
	r.say("%s; %s; built in %.0f s; %d processors", k.name, version, time.Since(began).Seconds(), runtime.NumCPU())
	for _, m := range machines() {
		if o.machine == "" || o.machine == m.name {
			r.testMachine(ctx, m, l, filepath.Join(work, m.name))
		}
	}
	return ctx.Err()
}

// pictureFolder makes the folder for the pictures, whose path is absolute.
func pictureFolder(wanted string) (string, error) {
	if wanted == "" {
		return os.MkdirTemp("", "rig-pictures-")
	}
	wanted, err := filepath.Abs(wanted)
	if err != nil {
		return "", err
	}
	return wanted, os.MkdirAll(wanted, 0o755)
}

// A trial is a computer with what is tried on it.
type trial interface {
	probes() []probe
	the() *computer
	close()
}

// testMachine boots a machine and tries everything on it, or all up to the first failure: what comes after
// a failure says little, and waits long to say it.
func (r *report) testMachine(ctx context.Context, m *machine, l *lab, dir string) {
	began := time.Now()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		r.failed++
		r.say("FAIL  %-12s  %v", m.name, err)
		return
	}
	t, err := m.try(ctx, l, dir)
	if err != nil {
		r.failed++
		r.say("FAIL  %-12s  boot: %v", m.name, err)
		return
	}
	defer t.close()
	r.say("boot  %-12s  Linux %s, %v, %v, in %.1f s", m.name, t.the().guest.release, m.size, m.format, time.Since(began).Seconds())
	probes := t.probes()
	for i, p := range probes {
		if ctx.Err() != nil {
			return
		}
		if !r.try(t.the(), i+1, p) {
			r.say("      %-12s  %d more are not tried", m.name, len(probes)-i-1)
			return
		}
	}
}

// try tries one thing, the nth on its computer, and reports whether it is true.
func (r *report) try(c *computer, n int, p probe) bool {
	began := time.Now()
	err := p.run()
	spent := time.Since(began).Seconds()
	if err == nil {
		r.passed++
		r.say("PASS  %-12s  %-52s %5.1f s", c.machine.name, p.name, spent)
	} else {
		r.failed++
		r.say("FAIL  %-12s  %-52s %5.1f s: %v", c.machine.name, p.name, spent, err)
		r.say("%s", c.autopsy())
	}
	if err := c.record(fmt.Sprintf("%02d", n)); err != nil {
		r.say("      the picture was not kept: %v", err)
	}
	return err == nil
}
