//go:build linux

package appliance

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aead.dev/minisign"

	"dashboard/appliance/about"
	"dashboard/appliance/card"
	"dashboard/appliance/kernels"
	"dashboard/appliance/state"
)

// tarOf returns a kernel's archive with one file.
func tarOf(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	err := w.WriteHeader(&tar.Header{Name: "vmlinuz", Size: int64(len(text)), Mode: 0o644})
	_, failed := w.Write([]byte(text))
	if err := errors.Join(err, failed, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// withKernel returns a keeper that runs the kernel "old" from the folder a, and an update with the given kernel.
func withKernel(t *testing.T, kernel string) (k *keeper, update string, sum [sha256.Size]byte) {
	t.Helper()
	k, update, _ = keeperOn(t, state.Fresh)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"config.txt": "os_prefix=a/\n", "a/vmlinuz": "old", "a/cmdline.txt": "quiet appliance.folder=a\n", "b/vmlinuz": "half",
	} {
		if err := put(filepath.Join(dir, name), func(path string) error { return os.WriteFile(path, []byte(text), 0o600) }); err != nil {
			t.Fatal(err)
		}
	}
	k.folder = state.A
	k.kernels = kernels.Partition{Dir: dir, Flush: func() error { return nil }, Free: func() (int64, error) { return 1 << 20, nil }}
	k.writable = func(f func() error) error { return f() }
	body := slices.Concat(bytes.Repeat([]byte("root"), 1000), card.KernelPart(tarOf(t, kernel)))
	return k, update, writeUpdate(t, update, body)
}

func writeUpdate(t *testing.T, path string, body []byte) (sum [sha256.Size]byte) {
	t.Helper()
	sum = sha256.Sum256(body)
	if err := os.WriteFile(path, append(body[:len(body):len(body)], card.Trailer(sum)...), 0o600); err != nil {
		t.Fatal(err)
	}
	return sum
}

func in(k *keeper, name string) string {
	text, _ := os.ReadFile(filepath.Join(k.kernels.Dir, name)) // `text` is "" if the file is missing
	return string(text)
}

// A kernel that differs from the running kernel is written into the other folder. The arguments of the restart make the firmware try the
// kernel together with the update's slot. After the first picture, config.txt names the folder of the new kernel.
func TestKernelIsTriedAndKept(t *testing.T) {
	k, update, sum := withKernel(t, "new")
	if err := k.update(update, sum); err != nil {
		t.Fatal(err)
	}
	r := stateIn(t, k)
	if want := state.Fresh.Try(state.B, updateTries, sum).TryKernel(state.B); r != want {
		t.Errorf("got %+v, want %+v", r, want)
	}
	if got := restartArguments(r); !slices.Equal(got, []string{"systemctl", "reboot", "--reboot-argument=0 tryboot"}) {
		t.Errorf("got %q", got)
	}
	if got := restartCommand(r); got != "systemctl reboot '--reboot-argument=0 tryboot'" {
		t.Errorf("got %s", got)
	}
	if got := in(k, "b/vmlinuz") + in(k, "config.txt") + in(k, "tryboot.txt"); got != "newos_prefix=a/\nos_prefix=b/\n" {
		t.Errorf("got %q", got)
	}
	slot, _ := os.ReadFile(k.card.partition(card.SlotB))
	if !bytes.HasPrefix(slot[3996:], []byte("root\x00\x00")) {
		t.Errorf("slot b has %q behind its root file system", slot[4000:4010])
	}
	k.slot = state.B // the slot on trial runs, but still with the kernel of the folder a
	if err := k.keepKernel(); err != nil || in(k, "config.txt") != "os_prefix=a/\n" {
		t.Errorf("not started from it: got %q, %v", in(k, "config.txt"), err)
	}
	k.folder = state.B
	if err := k.keepKernel(); err != nil || in(k, "config.txt") != "os_prefix=b/\n" {
		t.Errorf("painted: got %q, %v", in(k, "config.txt"), err)
	}
	if in(k, "a/vmlinuz") != "old" {
		t.Error("the old kernel is gone")
	}
}

// If a kernel cannot be used, the update's root file system is tried with the running kernel. The state records the reason.
func TestKernelIsNotTaken(t *testing.T) {
	for _, tt := range []struct {
		name, kernel string
		spoil        func(k *keeper)
		want         state.Missed
	}{
		{"the same", "old", func(*keeper) {}, state.NotMissed},
		{"no folders", "new", func(k *keeper) { k.folder = state.None }, state.NoFolders},
		{"config.txt without one", "new", func(k *keeper) { k.kernels.Dir = "/nowhere" }, state.NoFolders},
		{"the last one's config.txt", "new", func(k *keeper) { k.folder = state.B }, state.NotKept},
		{"no room", "new", func(k *keeper) { k.kernels.Free = func() (int64, error) { return 0, nil } }, state.NoRoom},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k, update, sum := withKernel(t, tt.kernel)
			tt.spoil(k)
			if err := k.update(update, sum); err != nil {
				t.Fatal(err)
			}
			r := stateIn(t, k)
			if want := state.Fresh.Try(state.B, updateTries, sum).Miss(tt.want); r != want {
				t.Errorf("got %+v, want %+v", r, want)
			}
			if got := restartArguments(r); len(got) != 2 {
				t.Errorf("got %q, want a plain restart", got)
			}
			if got := in(k, "b/vmlinuz"); got != "half" && k.kernels.Dir != "/nowhere" {
				t.Errorf("got %q in the other folder", got)
			}
		})
	}
}

// An update whose kernel is not an archive is refused completely. An update that the card does not store correctly is not tried again.
func TestKernelIsRefused(t *testing.T) {
	k, update, _ := withKernel(t, "new")
	sum := writeUpdate(t, update, slices.Concat(bytes.Repeat([]byte("root"), 1000), card.KernelPart([]byte("rubbish"))))
	if err := k.update(update, sum); err == nil || stateIn(t, k) != state.Fresh {
		t.Errorf("got %v, %+v, want an error and the state as it was", err, stateIn(t, k))
	}
	k, update, sum = withKernel(t, "new")
	k.kernels.Flush = func() error {
		if in(k, "b/vmlinuz") == "new" {
			return os.WriteFile(filepath.Join(k.kernels.Dir, "b/vmlinuz"), []byte("nww"), 0o600)
		}
		return nil
	}
	if err := k.update(update, sum); !errors.Is(err, kernels.ErrKept) || stateIn(t, k) != state.Fresh.Refuse(sum) {
		t.Errorf("got %v, %+v, want it refused for good", err, stateIn(t, k))
	}
}

// The signature covers the kernel.
func TestKernelIsSigned(t *testing.T) {
	keyFile, private := keyPair(t)
	root := bytes.Repeat([]byte("root"), 1000)
	signedBody := slices.Concat(root, card.KernelPart(tarOf(t, "new")))
	sum := sha256.Sum256(signedBody)
	block, err := card.SignatureBlock(minisign.Sign(private, sum[:]))
	if err != nil {
		t.Fatal(err)
	}
	for kernel, want := range map[string]error{"new": nil, "bad": errSignedBy} {
		k, update, _ := withKernel(t, "")
		k.keyFile = keyFile
		sum := writeUpdate(t, update, slices.Concat(root, card.KernelPart(tarOf(t, kernel)), block))
		if err := k.update(update, sum); !errors.Is(err, want) {
			t.Errorf("%s: got %v, want %v", kernel, err, want)
		}
		if got := in(k, "b/vmlinuz"); (got == "new") != (want == nil) {
			t.Errorf("%s: got %q in the other folder", kernel, got)
		}
	}
}

// If the kernel on trial does not run, choose() ends the trial. Only one start shows the reason.
func TestChooseTellsOfAKernel(t *testing.T) {
	store := &partition{data: make([]byte, state.Size)}
	r := state.Fresh.Try(state.B, 2, [32]byte{1}).TryKernel(state.B)
	slot, with := choose(store, r, state.B)
	if slot != state.B || with.Kernel != state.B || with.Told {
		t.Errorf("started with it: got slot %v, %+v", slot, with)
	}
	slot, r = choose(store, r, state.A)
	if slot != state.B || r.Kernel != state.None || r.Missed != state.NotStarted || !r.Told {
		t.Errorf("started without it: got slot %v, %+v", slot, r)
	}
	facts, err := tellMissed(t.TempDir(), about.Facts{Problems: []string{"one"}}, r.Missed)
	if err != nil || len(facts.Problems) != 2 || !strings.Contains(facts.Problems[1], "not used: it did not start") {
		t.Errorf("got %q, %v", facts.Problems, err)
	}
}
