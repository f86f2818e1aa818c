package rig

import (
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"dashboard/tools/command"
	"dashboard/tools/image/initramfs"
	"dashboard/tools/qemu"
)

// A lab holds everything from which the machines are made: a kernel, and the paths of the programs that were built for this run.
type lab struct {
	kernel    *qemu.Kernel
	album     string     // folder for stored pictures
	brush     sync.Mutex // guards the field `painted`, because several machines run at the same time
	painted   map[painting]*image.RGBA
	here      string // the dashboard for the machine that runs the test
	dashboard string // the released dashboard for arm64
	client    string // the released remote screen for arm64
	guest     string // first process of the guest
	parts     string // the tests of package parts
	opinion   string // the tests of package fb that compare with gonutz/framebuffer. These tests need cgo
}

// newLab builds everything from the repository in which the rig was started.
func newLab(ctx context.Context, k *qemu.Kernel, dir string) (*lab, error) {
	mod, err := command.Run(ctx, nil, "go", "env", "GOMOD")
	if err != nil {
		return nil, err
	}
	if err := os.Chdir(filepath.Dir(strings.TrimSpace(mod))); err != nil {
		return nil, err
	}
	l := &lab{
		kernel: k, painted: map[painting]*image.RGBA{}, here: filepath.Join(dir, "here"), dashboard: filepath.Join(dir, "dashboard"),
		client: filepath.Join(dir, "dashboard-client"), guest: filepath.Join(dir, "guest"), parts: filepath.Join(dir, "parts"), opinion: filepath.Join(dir, "opinion"),
	}
	const strip = "-s -w"
	arm := []string{"GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0"}
	cross := []string{"GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=1", "CC=" + crossCompiler}
	for _, b := range []struct {
		env  []string
		args []string
	}{
		{[]string{"CGO_ENABLED=0"}, []string{"build", "-trimpath", "-tags=nethttpomithttp2", "-o", l.here, "./cmd/dashboard"}},
		{arm, []string{"build", "-trimpath", "-tags=nethttpomithttp2", "-ldflags", strip, "-o", l.dashboard, "./cmd/dashboard"}},
		{arm, []string{"build", "-trimpath", "-tags=nethttpomithttp2", "-ldflags", strip, "-o", l.client, "./cmd/dashboard-client"}},
		{arm, []string{"build", "-trimpath", "-tags=nethttpomithttp2", "-ldflags", strip, "-o", l.guest, "./tools/rig/guest"}},
		{arm, []string{"test", "-c", "-trimpath", "-ldflags", strip, "-o", l.parts, "./tools/rig/parts"}},
		{cross, []string{"test", "-c", "-ldflags", strip + " -linkmode external -extldflags -static", "-o", l.opinion, "./fb"}},
	} {
		if _, err := command.Run(ctx, b.env, "go", b.args...); err != nil {
			return nil, fmt.Errorf("build: %w", err)
		}
	}
	return l, nil
}

// Paths in the guest.
const (
	guestDashboard = "/dashboard"
	guestClient    = "/dashboard-client"
	guestOpinion   = "/opinion"
	guestWall      = "/wall"
	guestScreen    = "/screen" // the client's configuration
	guestModules   = "/modules"
)

// writeInitrd packs the files for a machine's guest. It returns the paths of the modules that the guest does not load at the start.
func writeInitrd(path string, m *machine, l *lab, files map[string][]byte) (late []string, err error) {
	set := l.kernel.Modules
	boot, err := set.Order(m.boot...)
	if err != nil {
		return nil, err
	}
	all, err := set.Order(append(append([]string{}, m.boot...), m.late...)...)
	if err != nil {
		return nil, err
	}
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	a := initramfs.NewArchive(f)
	a.Device("dev/console", 5, 1)
	for _, name := range all {
		a.File(modulePath(name), set.File(name))
	}
	a.File(guestModules+"/order", []byte(strings.Join(modulePaths(boot), "\n")))
	if err := addPrograms(a, m, l); err != nil {
		return nil, err
	}
	for name, content := range files {
		a.File(name, content)
	}
	return modulePaths(all[len(boot):]), a.Close()
}

// addPrograms adds the programs of a machine.
func addPrograms(a *initramfs.Archive, m *machine, l *lab) error {
	programs := map[string]string{"/init": l.guest, guestDashboard: l.dashboard}
	if m.remote {
		programs = map[string]string{"/init": l.guest, guestClient: l.client}
	}
	if m.card {
		programs[compositor], programs[guestClient] = l.guest, l.client
	}
	if m.parts {
		programs[guestParts], programs[guestClient] = l.parts, l.client
	}
	if m.opinion {
		programs[guestOpinion] = l.opinion
	}
	for to, from := range programs {
		content, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		a.Program(to, content)
	}
	return nil
}

func modulePath(name string) string { return guestModules + "/" + name + ".ko" }

func modulePaths(names []string) (paths []string) {
	for _, n := range names {
		paths = append(paths, modulePath(n))
	}
	return paths
}
