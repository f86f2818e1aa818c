package rig

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"dashboard/tools/command"
	"dashboard/tools/qemu"
)

var (
	device   = flag.Bool("device", false, "boot the machines, which takes minutes")
	suite    = flag.String("suite", "", "Debian `release` of the kernel; without it "+strings.Join(qemu.Suites, ", else "))
	pictures = flag.String("pictures", "", "`folder` for the pictures; without it a new one")
	whole    = flag.Bool("whole", false, "wait until a screen is as dark as its room, two minutes more")
	renew    = flag.Bool("renew", false, "look for a newer kernel than the one in the cache")
)

// TestDevice runs the cases of every machine.
func TestDevice(t *testing.T) {
	if !*device {
		t.Skip("it boots machines for minutes: make device-test")
	}
	install(t)
	tried := qemu.Suites
	if *suite != "" {
		tried = []string{*suite}
	}
	began := time.Now()
	k, err := qemu.GetKernel(t.Context(), tried, *renew, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	album := pictureFolder(t)
	l, err := newLab(t.Context(), k, work)
	if err != nil {
		t.Fatal(err)
	}
	l.album = album
	version, err := command.Run(t.Context(), nil, "qemu-system-aarch64", "--version")
	if err != nil {
		t.Fatal(err)
	}
	version, _, _ = strings.Cut(version, "\n")
	t.Logf("%s; %s; built in %.0f s; %d processors; pictures in %s", k.Name, version, time.Since(began).Seconds(), runtime.NumCPU(), album)
	for _, m := range machines() {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel() // an emulated machine uses one processor and often waits
			testMachine(t, m, l, filepath.Join(work, m.name))
		})
	}
}

// pictureFolder creates the folder for the pictures and returns its absolute path. Unlike the folders of t, this folder is kept.
func pictureFolder(t *testing.T) string {
	t.Helper()
	if *pictures == "" {
		dir, err := os.MkdirTemp("", "rig-pictures-")
		if err != nil {
			t.Fatal(err)
		}
		return dir
	}
	dir, err := filepath.Abs(*pictures)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// A trial is a computer with its cases.
type trial interface {
	probes() []probe
	the() *computer
	close()
}

// testMachine boots a machine and runs its cases. It stops after the first failure, because the results of later cases would mean little
// and take long.
func testMachine(t *testing.T, m *machine, l *lab, dir string) {
	began := time.Now()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	on, err := m.try(context.WithoutCancel(t.Context()), l, dir) // only close() ends the machine: the end of the test's context does not
	if err != nil {
		t.Fatalf("boot: %v", err)
	}
	defer on.close()
	t.Logf("Linux %s, %v, %v, in %.1f s", on.the().guest.release, m.size, m.format, time.Since(began).Seconds())
	probes := on.probes()
	for i, p := range probes {
		if !t.Run(p.name, func(t *testing.T) { testProbe(t, on.the(), i+1, p) }) {
			t.Fatalf("%d more are not tried", len(probes)-i-1)
		}
	}
}

// testProbe runs one case. n is the number of the case on this computer.
func testProbe(t *testing.T, c *computer, n int, p probe) {
	err := p.run()
	for _, n := range c.notes {
		t.Log(n)
	}
	c.notes = nil
	if err != nil {
		t.Errorf("%v\n%s", err, c.autopsy())
	}
	if err := c.record(fmt.Sprintf("%02d", n)); err != nil {
		t.Errorf("the picture was not kept: %v", err)
	}
}
