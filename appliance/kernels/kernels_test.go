//go:build linux

package kernels

import (
	"archive/tar"
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/appliance/card"
	"dashboard/appliance/state"
)

const config = "# by a person\r\nos_prefix=a/\r\nkernel=vmlinuz\r\n"

// onCard contains the files of a card that starts from the folder a. The folder b has remains of another kernel.
var onCard = map[string]string{
	"config.txt": config, "tryboot.txt": "old", "settings.txt": "mine",
	"a/vmlinuz": "one", "a/initrd.img": "one's", "a/x.dtb": "tree", "a/overlays/own.dtbo": "mine", "a/overlays/README": "",
	"a/cmdline.txt": "quiet video=HDMI-A-2:D appliance.folder=a\n",
	"b/vmlinuz":     "half", "b/gone.dtb": "old", "b/overlays/old.dtbo": "old",
}

// newKernel contains the files of an update's kernel.
var newKernel = map[string]string{"vmlinuz": strings.Repeat("two", 50000), "initrd.img": "two's", "x.dtb": "tree two"}

// afterwards() returns the expected files of the folder b after the new kernel was written.
func afterwards() map[string]string {
	all := map[string]string{"overlays/own.dtbo": "mine", "overlays/README": "", "cmdline.txt": "quiet video=HDMI-A-2:D appliance.folder=b\n"}
	maps.Copy(all, newKernel)
	return all
}

func lay(t *testing.T, files map[string]string) Partition {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	return Partition{Dir: dir, Flush: func() error { return nil }, Free: func() (int64, error) { return 1 << 20, nil }}
}

func archiveOf(t *testing.T, files map[string]string) Archive {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for name, text := range files {
		if err := w.WriteHeader(&tar.Header{Name: name, Size: int64(len(text)), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	before := []byte("root")
	return NewArchive(bytes.NewReader(append(before, b.Bytes()...)), int64(len(before)), int64(b.Len()))
}

// under() returns the files of a folder of a partition.
func (p Partition) under(t *testing.T, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(filepath.Join(p.Dir, folder), func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(at)
		name, _ := filepath.Rel(filepath.Join(p.Dir, folder), at)
		all[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// old() checks that everything is unchanged except the folder b and tryboot.txt.
func (p Partition) old(t *testing.T) {
	t.Helper()
	now := p.under(t, "")
	for name, text := range onCard {
		if !strings.HasPrefix(name, "b/") && name != card.TryFile && now[name] != text {
			t.Errorf("%s: got %q, want it as it was", name, now[name])
		}
	}
}

func TestNamed(t *testing.T) {
	for text, want := range map[string]state.Slot{
		config: state.A, "os_prefix=b/": state.B, "os_prefix=b/ \n": state.B, "": state.None, "#os_prefix=a/\n": state.None,
		"os_prefix=a\n": state.None, "os_prefix=c/\n": state.None, "os_prefix=a/\n[pi4]\nos_prefix=b/\n": state.None,
	} {
		got, at, err := named([]byte(text))
		if got != want || (err == nil) != (want != state.None) || err == nil && text[at:at+1] != want.String() {
			t.Errorf("%q: got %v at %d, %v, want %v", text, got, at, err, want)
		}
	}
}

func TestRunning(t *testing.T) {
	for line, want := range map[string]state.Slot{
		"quiet appliance.folder=b x": state.B, "appliance.folder=a\n": state.A, "quiet": state.None, "appliance.folder=": state.None, "appliance.folder=ab": state.None,
	} {
		if got := Running(line); got != want {
			t.Errorf("%q: got %v, want %v", line, got, want)
		}
	}
}

// The new kernel is written to the folder b, together with the files that a person has added to the folder a. tryboot.txt then names the
// folder b. Keep changes only the folder's name in config.txt.
func TestWriteAndKeep(t *testing.T) {
	p, a := lay(t, onCard), archiveOf(t, newKernel)
	if same, err := a.In(p.folder(state.A)); err != nil || same {
		t.Errorf("the old folder: got %v, %v, want another kernel", same, err)
	}
	if err := errors.Join(p.Check(a, state.B), p.Write(a, state.B)); err != nil {
		t.Fatal(err)
	}
	p.old(t)
	if got := p.under(t, "b"); !maps.Equal(got, afterwards()) {
		t.Errorf("got %.200q, want %.200q", got, afterwards())
	}
	if same, err := a.In(p.folder(state.B)); err != nil || !same {
		t.Errorf("the new folder: got %v, %v, want the same kernel", same, err)
	}
	want := strings.Replace(config, "os_prefix=a/", "os_prefix=b/", 1)
	if got := p.under(t, "")[card.TryFile]; got != want {
		t.Errorf("%s: got %q, want %q", card.TryFile, got, want)
	}
	if err := p.Keep(state.B); err != nil {
		t.Fatal(err)
	}
	if got := p.under(t, "")[card.FirmwareFile]; got != want {
		t.Errorf("%s: got %q, want %q", card.FirmwareFile, got, want)
	}
	if now, err := p.Named(); err != nil || now != state.B {
		t.Errorf("got %v, %v, want b", now, err)
	}
	if err := p.Write(a, state.B); err == nil {
		t.Error("the folder that is started was written")
	}
}

// The power fails at each step. The running kernel does not change, tryboot.txt never names an incomplete folder, and the next attempt
// succeeds.
func TestCutWhileWritten(t *testing.T) {
	cut := errors.New("cut")
	for steps := 0; ; steps++ {
		p, a, n := lay(t, onCard), archiveOf(t, newKernel), 0
		p.Flush = func() error {
			if n++; n > steps {
				return cut
			}
			return nil
		}
		err := p.Write(a, state.B)
		p.old(t)
		try := p.under(t, "")[card.TryFile]
		if strings.Contains(try, "os_prefix=b/") && !maps.Equal(p.under(t, "b"), afterwards()) {
			t.Errorf("step %d: %s names a folder that is not whole", steps, card.TryFile)
		}
		p.Flush = func() error { return nil }
		if err := p.Write(a, state.B); err != nil || !maps.Equal(p.under(t, "b"), afterwards()) {
			t.Errorf("after step %d: %v", steps, err)
		}
		if err == nil {
			if least := 8; steps < least {
				t.Errorf("got %d steps, want %d at least", steps, least)
			}
			return
		}
		if !errors.Is(err, cut) {
			t.Fatal(err)
		}
	}
}

// TestOrder compares the card at consecutive flushes. A new file is empty at its first flush, and the content of a file is never replaced
// by other content.
func TestOrder(t *testing.T) {
	p, a := lay(t, onCard), archiveOf(t, newKernel)
	var seen []map[string]string
	p.Flush = func() error {
		seen = append(seen, p.under(t, ""))
		return nil
	}
	before := p.under(t, "")
	if err := p.Write(a, state.B); err != nil {
		t.Fatal(err)
	}
	for n, now := range seen {
		for name, text := range now {
			if was, ok := before[name]; !ok && text != "" {
				t.Errorf("flush %d: %s came with its content", n, name)
			} else if ok && was != "" && was != text {
				t.Errorf("flush %d: %s was written over", n, name)
			}
		}
		before = now
	}
}

// A kernel is not written if the partition has no room, if config.txt names no folder, or if the command line does not contain
// FolderWord. These errors are found before anything is written.
func TestNotWritten(t *testing.T) {
	full := lay(t, onCard)
	full.Free = func() (int64, error) { return 150000, nil }
	flat := maps.Clone(onCard)
	flat["config.txt"] = "kernel=vmlinuz\n"
	wordless := maps.Clone(onCard)
	wordless["a/cmdline.txt"] = "quiet\n"
	for _, tt := range []struct {
		name string
		p    Partition
		want error
	}{{"no room", full, ErrNoRoom}, {"no folders", lay(t, flat), ErrNoFolders}, {"a command line without the word", lay(t, wordless), ErrNoFolders}} {
		before := tt.p.under(t, "")
		if err := tt.p.Check(archiveOf(t, newKernel), state.B); !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, err, tt.want)
		}
		if !maps.Equal(before, tt.p.under(t, "")) {
			t.Errorf("%s: something was written", tt.name)
		}
	}
	room := full
	room.Free = func() (int64, error) { return 200000, nil }
	if err := room.Check(archiveOf(t, newKernel), state.B); err != nil {
		t.Error(err)
	}
}

// An archive may contain only files for a kernel's folder.
func TestArchiveIsChecked(t *testing.T) {
	for _, name := range []string{"../config.txt", "/etc/x", "a/b/c", "cmdline.txt", `a\b`, "overlays/"} {
		if err := lay(t, onCard).Check(archiveOf(t, map[string]string{name: ""}), state.B); !errors.Is(err, errArchive) {
			t.Errorf("%s: got %v", name, err)
		}
		if name == "overlays/" {
			continue
		}
		if err := lay(t, onCard).Check(archiveOf(t, map[string]string{name: "x"}), state.B); !errors.Is(err, errArchive) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := lay(t, onCard).Check(archiveOf(t, nil), state.B); !errors.Is(err, errArchive) {
		t.Errorf("no files: got %v", err)
	}
	rubbish := NewArchive(strings.NewReader(strings.Repeat("rubbish ", 200)), 0, 1600)
	if err := lay(t, onCard).Check(rubbish, state.B); !errors.Is(err, errArchive) {
		t.Errorf("rubbish: got %v", err)
	}
	many := map[string]string{}
	for i := range card.MaxKernelFiles + 1 {
		many["x"+strings.Repeat("y", i%50)+string(rune('a'+i/50))] = "z"
	}
	if err := lay(t, onCard).Check(archiveOf(t, many), state.B); !errors.Is(err, errArchive) {
		t.Errorf("%d files: got %v", len(many), err)
	}
}

// A card that stores wrong data is detected.
func TestReadBack(t *testing.T) {
	p, a, n := lay(t, onCard), archiveOf(t, newKernel), 0
	p.Flush = func() error {
		n++
		if got := p.under(t, "b")["x.dtb"]; got != "" && n > 1 && got == newKernel["x.dtb"] {
			return os.WriteFile(filepath.Join(p.Dir, "b/x.dtb"), []byte("tree tw!"), 0o600)
		}
		return nil
	}
	if err := p.Write(a, state.B); !errors.Is(err, ErrKept) {
		t.Errorf("got %v, want %v", err, ErrKept)
	}
	p.old(t)
	if try, ok := p.under(t, "")[card.TryFile]; ok {
		t.Errorf("%s: got %q, want none", card.TryFile, try)
	}
}
