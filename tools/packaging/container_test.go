package main

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	"golang.org/x/sys/unix"
)

// archiveOf returns the path of an archive of the container image.
func archiveOf(t *testing.T, what string) string {
	t.Helper()
	if *packages == "" {
		t.Skip("make deb-test runs it")
	}
	found, err := filepath.Glob(filepath.Join(*packages, "dashboard_*_container-"+what+".tar"))
	if err != nil || len(found) != 1 {
		t.Fatalf("container image for %s: got %v, %v, want one archive in %s", what, found, err, *packages)
	}
	return found[0]
}

// imageOf returns the image that `docker load` would load for a board, and its metadata.
func imageOf(t *testing.T, board string) (v1.Image, *v1.ConfigFile) {
	t.Helper()
	img, err := tarball.ImageFromPath(archiveOf(t, board), nil)
	if err != nil {
		t.Fatal(err)
	}
	config, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	return img, config
}

// unpack writes the files of an image to a folder, as an engine does.
func unpack(t *testing.T, img v1.Image) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	files := mutate.Extract(img)
	defer files.Close()
	cmd := exec.Command("tar", "-C", dir, "--numeric-owner", "-xpf", "-")
	cmd.Stdin = files
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("tar: %v: %s", err, out)
	}
	return dir
}

// The container runs without privileges, with a read-only root and without a tmpfs: once with a volume for the state, and once without a
// volume. Its health check passes while the program paints, and fails while the program is stopped.
func TestContainer(t *testing.T) {
	img, config := imageOf(t, "amd64")
	for _, kept := range []bool{false, true} {
		t.Run(fmt.Sprintf("volume=%v", kept), func(t *testing.T) {
			root := unpack(t, img)
			c := begin(t, root, config, kept)
			c.eventually("/frame answers", func() bool {
				status, body, err := c.get(service+"/frame", "")
				if err != nil || status != 200 {
					return false
				}
				size, _, err := image.DecodeConfig(bytes.NewReader(body))
				return err == nil && size.Width == 1280 && size.Height == 720
			})
			c.eventually("the health check says well", func() bool {
				out, err := c.check(config)
				return err == nil && out == "well\n"
			})
			if kept {
				c.eventually("the wall is kept for the next start", func() bool {
					found, _ := filepath.Glob(filepath.Join(root, "var/lib/dashboard/config-*"))
					return len(found) > 0
				})
			}
			if err := c.init.Process.Signal(syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			if out, err := c.check(config); err == nil {
				t.Errorf("health check of a program that stands still: got %q, want an error", out)
			}
			_ = c.init.Process.Signal(syscall.SIGCONT)
			c.end()
		})
	}
}

// Every archive contains code for its board. The archive for registries contains the same images as the other archives.
func TestContainerOfEveryBoard(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("tar", "-C", dir, "-xf", archiveOf(t, "all")).CombinedOutput(); err != nil {
		t.Fatalf("tar: %v: %s", err, out)
	}
	top, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Index(top); err != nil {
		t.Error(err)
	}
	var inLayout []string
	outer, err := top.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	index, err := top.ImageIndex(outer.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	list, err := index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list.Manifests {
		inside, err := index.Image(m.Digest)
		if err != nil {
			t.Fatal(err)
		}
		name, err := inside.ConfigName()
		if err != nil {
			t.Fatal(err)
		}
		inLayout = append(inLayout, m.Platform.String()+" "+name.String())
	}
	var alone []string
	for _, board := range []struct{ name, platform, deb string }{
		{"amd64", "linux/amd64", "amd64"}, {"arm64", "linux/arm64/v8", "arm64"}, {"armv7", "linux/arm/v7", "armhf"}, {"armv6", "linux/arm/v6", "armhf"},
	} {
		img, config := imageOf(t, board.name)
		if got := config.Platform().String(); got != board.platform {
			t.Errorf("%s: got platform %s, want %s", board.name, got, board.platform)
		}
		checkCode(t, board.name, filepath.Join(unpack(t, img), "usr/bin/dashboard"), boards[board.deb].machine)
		name, err := img.ConfigName()
		if err != nil {
			t.Fatal(err)
		}
		alone = append(alone, board.platform+" "+name.String())
	}
	if !slices.Equal(inLayout, alone) {
		t.Errorf("layout: got %v, want %v", inLayout, alone)
	}
}

// containerRoot is an environment variable with the path of the root that a container enters. The test binary starts itself again in new
// namespaces with this variable. The arguments are the container's program and its arguments.
const containerRoot = "PACKAGING_CONTAINER_ROOT"

// begin starts the program of an image, as an engine does with --read-only. If `kept` is true, the state folder is on a volume.
func begin(t *testing.T, root string, config *v1.ConfigFile, kept bool) *machine {
	t.Helper()
	args := append(slices.Clone(config.Config.Entrypoint), config.Config.Cmd...)
	c := &machine{t: t, root: root, init: exec.Command("/proc/self/exe", args...)}
	c.init.Env = append([]string{containerRoot + "=" + root, "USER=" + config.Config.User, "KEPT=" + strconv.FormatBool(kept), "DIR=" + config.Config.WorkingDir}, config.Config.Env...)
	c.init.Stderr = os.Stderr
	c.init.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL,
	}
	runtime.LockOSThread() // the container ends with the thread that started it
	if err := c.init.Start(); err != nil {
		t.Fatalf("namespaces: %v", err)
	}
	t.Cleanup(func() {
		_ = c.init.Process.Kill()
		_ = c.init.Wait()
		runtime.UnlockOSThread()
	})
	return c
}

// check runs the health check of an image in the container, as an engine does.
func (m *machine) check(config *v1.ConfigFile) (string, error) {
	user, _, _ := strings.Cut(config.Config.User, ":")
	args := []string{"--target", strconv.Itoa(m.init.Process.Pid), "--all", "--root", "--wd", "--setuid", user, "--setgid", user, "--"}
	out, err := exec.Command("nsenter", append(args, config.Config.Healthcheck.Test[1:]...)...).Output()
	return string(out), err
}

// end sends SIGTERM, as an engine does. The program must end with status 0.
func (m *machine) end() {
	m.t.Helper()
	if err := m.init.Process.Signal(syscall.SIGTERM); err != nil {
		m.t.Fatal(err)
	}
	if err := m.init.Wait(); err != nil {
		m.t.Errorf("SIGTERM: got %v, want status 0", err)
	}
}

// becomeContainer moves this process, which is the first of its PID namespace, into a read-only root. Then it replaces the process with the
// container's program.
func becomeContainer(root string) error {
	if err := loopback(); err != nil {
		return err
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	if err := unix.Mount(root, root, "", unix.MS_BIND, ""); err != nil {
		return err
	}
	state := filepath.Join(root, "var/lib/dashboard")
	if os.Getenv("KEPT") == "true" {
		if err := unix.Mount(state, state, "", unix.MS_BIND, ""); err != nil { // the state folder stays writable
			return err
		}
	}
	if err := unix.Mount("proc", filepath.Join(root, "proc"), "proc", 0, ""); err != nil {
		return err
	}
	if err := unix.Mount("", root, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		return err
	}
	if err := unix.Chroot(root); err != nil {
		return err
	}
	return becomeProgram()
}

func becomeProgram() error {
	user, group, _ := strings.Cut(os.Getenv("USER"), ":")
	uid, err := strconv.Atoi(user)
	gid, err2 := strconv.Atoi(group)
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	err = errors.Join(unix.Chdir(os.Getenv("DIR")), syscall.Setgroups(nil), syscall.Setgid(gid), syscall.Setuid(uid), unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
	if err != nil {
		return err
	}
	return unix.Exec(os.Args[1], os.Args[1:], []string{"PATH=" + os.Getenv("PATH")})
}

// loopback starts the loopback interface of a network namespace.
func loopback() error {
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(s)
	req, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	req.SetUint16(unix.IFF_UP)
	return unix.IoctlIfreq(s, unix.SIOCSIFFLAGS, req)
}
