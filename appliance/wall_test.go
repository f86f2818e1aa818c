//go:build linux

package appliance

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dashboard/appliance/settings"
	"dashboard/internal/pull/wallcopy"
)

const wallAddress = "https://a.example/wall.zip"

// keepWall stores a copy of a wall with one file.
func keepWall(t *testing.T, dir, text string) {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	f, err := z.Create("widgets.yaml")
	if err == nil {
		_, err = f.Write([]byte(text))
	}
	if err == nil {
		err = z.Close()
	}
	r := wallcopy.Load(dir, wallAddress)
	if r.Sum, r.Taken = wallcopy.SumOf(b.Bytes()), time.Unix(1e9, 0); err == nil {
		err = wallcopy.Keep(dir, b.Bytes())
	}
	if err == nil {
		err = wallcopy.Save(dir, r)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The stored copy is unpacked completely and replaces the earlier unpacked wall. If the copy is damaged, the card's own wall is shown.
func TestLay(t *testing.T) {
	kept, to := t.TempDir(), filepath.Join(t.TempDir(), "wall")
	leads := func() string { at, _ := os.Readlink(to); return at }
	if sum, err := lay(kept, wallAddress, to); sum != "" || err != nil || leads() != wallOwn {
		t.Errorf("nothing kept: got %q, %v, a link to %q", sum, err, leads())
	}
	for _, text := range []string{"one", "two"} {
		keepWall(t, kept, text)
		if sum, err := lay(kept, wallAddress, to); sum == "" || laidBy(err) || read(t, to+"/widgets.yaml") != text {
			t.Fatalf("%s: got %q, %v, %q", text, sum, err, read(t, to+"/widgets.yaml"))
		}
	}
	if info, err := os.Stat(to); err != nil || info.Mode().Perm() != 0o750 {
		t.Errorf("got %v, %v, want a folder that strangers cannot read", info.Mode(), err)
	}
	if sum, _ := lay(kept, wallAddress+"2", to+"2"); sum != "" {
		t.Error("got the wall of another address")
	}
	if err := os.Truncate(kept+"/wall.zip", 20); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(to + "-*"); len(left) != 1 {
		t.Errorf("got %q, want the folder of one wall", left)
	}
	if sum, err := lay(kept, wallAddress, to); sum != "" || err != nil || leads() != wallOwn {
		t.Errorf("a damaged copy: got %q, %v, a link to %q", sum, err, leads())
	}
	if left, _ := filepath.Glob(to + "-*"); len(left) > 0 {
		t.Errorf("a damaged copy: got %q, want nothing laid out", left)
	}
}

// If "appliance wall" is stopped before it has unpacked the stored copy, `link` leads to the card's own wall, and the sum is empty. If an
// earlier copy is already unpacked, `link` and the sum do not change.
func TestLayIsStopped(t *testing.T) {
	link, sum := filepath.Join(t.TempDir(), "wall"), filepath.Join(t.TempDir(), "sum")
	stopped := func(wantLink, wantSum string) {
		t.Helper()
		ctx, stop := context.WithCancel(t.Context())
		unpacking := func(time.Duration) { stop(); select {} } // the copy is never unpacked
		if err := layWall(ctx, link, sum, func() time.Duration { return 0 }, unpacking); err == nil {
			t.Error("got no error")
		}
		at, err := os.Readlink(link)
		if text, failed := os.ReadFile(sum); at != wantLink || string(text) != wantSum || errors.Join(err, failed) != nil {
			t.Errorf("got a link to %q and the sum %q, %v, want %q, %q", at, text, errors.Join(err, failed), wantLink, wantSum)
		}
	}
	stopped(wallOwn, "")
	if err := errors.Join(os.Remove(link), os.Symlink("laid", link), os.WriteFile(sum, []byte("1"), 0o600)); err != nil {
		t.Fatal(err)
	}
	stopped("laid", "1")
}

// laidBy reports whether err is an error that the test must report. Without root rights, lay always returns an error, because it cannot
// change the owners of files.
func laidBy(err error) bool { return err != nil && os.Geteuid() == 0 }

// A new copy is unpacked once. The role's unit reads its files once for each unpacked wall, and not before the wall is unpacked. Each
// problem is reported once.
func TestWallWatch(t *testing.T) {
	kept, laid := t.TempDir(), filepath.Join(t.TempDir(), "sum")
	w := &wallWatch{address: wallAddress}
	want := func(step string, unpack, reload, changed bool) {
		t.Helper()
		if u, r, c := w.look(kept, laid); u != unpack || r != reload || c != changed {
			t.Errorf("%s: got %v, %v, %v, want %v, %v, %v", step, u, r, c, unpack, reload, changed)
		}
	}
	layNow := func(sum string) {
		t.Helper()
		if err := os.WriteFile(laid, []byte(sum), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	keepWall(t, kept, "one")
	want("not unpacked yet", false, false, false)
	layNow(wallcopy.Load(kept, wallAddress).Sum)
	want("the one that is shown", false, false, false)
	keepWall(t, kept, "two")
	want("a new one", true, false, false)
	want("which is not unpacked yet", false, false, false)
	layNow(wallcopy.Load(kept, wallAddress).Sum)
	want("which is unpacked", false, true, false)
	want("which is shown", false, false, false)
	keepWall(t, kept, "three")
	want("another one", true, false, false)
	layNow("")
	want("which cannot be unpacked", false, true, false)
	if err := wallcopy.Tell(kept, "config_url: widgets.yaml:1:\n x"); err != nil {
		t.Fatal(err)
	}
	want("something is wrong", false, false, true)
	want("still", false, false, false)
	var b bytes.Buffer
	if w.report(&b); !strings.Contains(b.String(), "Wall: from config_url, taken ") || !strings.Contains(b.String(), "WALL NOT TAKEN: config_url: widgets.yaml:1: x\n") {
		t.Errorf("got %q", b.String())
	}
	other := &wallWatch{}
	if u, r, c := other.look(kept, laid); u || r || c {
		t.Error("the card's own wall: got a reload")
	}
	b.Reset()
	if other.report(&b); b.Len() > 0 {
		t.Errorf("the card's own wall: got %q", b.String())
	}
}

// With config_url, a separate unit fetches the wall. Without config_url the unit is not started.
func TestWallSettings(t *testing.T) {
	const timer = "/etc/systemd/system/timers.target.wants/appliance-wall.timer"
	for _, address := range []string{"", wallAddress} {
		root, s := rootWith(t), settings.Default()
		s.ConfigURL, s.Role, s.Proxy = address, settings.Client, "http://p:1"
		if _, err := writeSettings(root, s, nil, "0123"); err != nil {
			t.Fatal(err)
		}
		_, err := os.Readlink(root + timer)
		if on := address != ""; on != (err == nil) {
			t.Fatalf("%q: the timer: %v", address, err)
		}
		if address == "" {
			continue
		}
		if info, err := os.Stat(root + wallAddressFile); err != nil || info.Mode().Perm() != 0o600 || read(t, root+wallAddressFile) != address+"\n" {
			t.Errorf("got %v, %v, want a file of mode 0600: the address may be a secret", info, err)
		}
		for name, want := range map[string]string{
			"dashboard-client.service.d/wall.conf":     "\nAfter=appliance-wall-lay.service\n[Service]\nExecStart=\nExecStart=/usr/bin/dashboard-client --config-dir /run/dashboard-wall --keep-going\n",
			"appliance-wall.service.d/role.conf":       "WALL_KIND=--client",
			"appliance-wall.service.d/settings.conf":   "HTTPS_PROXY=http://p:1",
			"dashboard-client.service.d/settings.conf": "HTTPS_PROXY=http://p:1",
		} {
			if got := read(t, root+"/etc/systemd/system/"+name); !strings.Contains(got, want) {
				t.Errorf("%s: got %q, want %q", name, got, want)
			}
		}
	}
}
