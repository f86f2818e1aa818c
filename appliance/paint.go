//go:build linux

package appliance

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"net"
	"os"
	"path/filepath"
	"time"

	"dashboard/appliance/about"
	"dashboard/appliance/settings"
	"dashboard/appliance/startscreen"
	"dashboard/fb"
	"dashboard/internal/timeset"
	"dashboard/render/text"
)

const (
	// paintTime is the time limit for painting the start screen.
	paintTime = 10 * time.Second
	// paintedFile contains the checksum of the framebuffer with the start screen. With this checksum the keeper can distinguish the start
	// screen from a wall.
	paintedFile = "/etc/dashboard-startscreen"
)

// startScreen starts a process that paints the start screen while the boot continues. Its root stays the initramfs. The process ends
// after painting, because only the wall should map the framebuffer.
func startScreen(c startscreen.Content) (*os.Process, error) {
	told, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	dir := root
	if _, err := os.Stat(dir); err != nil {
		dir = "/"
	}
	return os.StartProcess("/init", []string{"appliance", "screen", string(told), parameter("appliance.paint", paintTime).String()}, &os.ProcAttr{
		Dir: dir, Env: os.Environ(), Files: []*os.File{os.Stdin, os.Stdout, os.Stderr},
	})
}

// paintScreen paints the start screen on the first framebuffer. It does not become the DRM master of the graphics card, because the wall
// has to become the DRM master.
func paintScreen(told string, limit time.Duration) error {
	time.AfterFunc(limit, func() { os.Exit(1) })
	var c startscreen.Content
	if err := json.Unmarshal([]byte(told), &c); err != nil {
		return err
	}
	d, shown, err := openScreen()
	if err != nil {
		return err
	}
	defer shown.Close()
	frame := image.NewRGBA(image.Rectangle{Max: d.Bounds().Size()})
	const glyphs = 1 << 20 // memory for glyphs, in bytes
	startscreen.Screen(frame, c, text.NewCache(glyphs))
	if err := d.DrawFrame(frame, []image.Rectangle{frame.Rect}); err != nil {
		return err
	}
	sum, err := sumOf(shown)
	if err != nil {
		return err
	}
	// The path is relative to the working folder. This folder is the new root file system, before and after the first process becomes
	// systemd.
	return errors.Join(os.WriteFile(filepath.Join(".", paintedFile), []byte(sum), 0o644), d.Halt())
}

// openScreen opens the first framebuffer. The path of the framebuffer changes when the first process becomes systemd, so openScreen tries
// both paths. `shown` is the same framebuffer as a file. The caller reads the picture from `shown`, because the path may change before
// the screen is painted.
func openScreen() (d *fb.Display, shown *os.File, err error) {
	for _, path := range []string{framebuffer, "." + framebuffer} {
		var dev fb.Device
		if dev, err = fb.OpenDevice(path); err != nil {
			continue
		}
		if d, err = fb.New(dev, fb.Options{}); err != nil {
			_ = dev.Close() // this device cannot be used
			continue
		}
		if shown, err = os.Open(path); err == nil {
			return d, shown, nil
		}
		_ = d.Halt() // this device cannot be used
	}
	return nil, nil, err
}

// sumOfFile returns the checksum of a framebuffer's contents.
func sumOfFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return sumOf(f)
}

func sumOf(r io.Reader) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, r); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// addressOf returns the address of the wall's page. It returns "" if this machine does not draw a wall of its own.
func addressOf(f about.Facts) string {
	if f.Role != settings.Dashboard || f.Name == "" {
		return ""
	}
	return net.JoinHostPort(f.Name+".local", cmp.Or(f.Port, wallPort))
}

// tellStart shows the start screen of an appliance.
func tellStart(f about.Facts, notes []string) {
	if _, err := startScreen(startscreen.Starting(f, addressOf(f), timeset.ByHardware(os.DirFS("/"), time.Now()), notes)); err != nil {
		say("start screen: %v", err)
	}
}

// tellFailure shows the reason why the appliance cannot start.
func tellFailure(problem error) {
	p, err := startScreen(startscreen.Content{Name: "dashboard", Lines: []startscreen.Line{
		{Icon: "alert-circle", Role: "bad", Text: fmt.Sprintf("It cannot start: %v", problem)},
		{Icon: "restart", Text: fmt.Sprintf("It tries again in %.0f seconds", restartPause.Seconds())},
	}})
	if err != nil {
		say("start screen: %v", err)
		return
	}
	_ = p.Release() // ignore this error, because the restart ends the process
}
