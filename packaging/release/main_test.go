package main

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"aead.dev/minisign"

	"dashboard/appliance/delta"
	"dashboard/appliance/manifest"
)

// anUpdate writes an update whose root file system has random bytes after the header of a squashfs.
func anUpdate(t *testing.T, dir, name string, seed uint64) (path string, root []byte) {
	t.Helper()
	const size = 2 * 4096
	root = make([]byte, size)
	r := mathrand.New(mathrand.NewPCG(seed, 1))
	for i := range root {
		root[i] = byte(r.Uint32())
	}
	copy(root, "hsqs")
	binary.LittleEndian.PutUint64(root[40:], size-100)
	path = filepath.Join(dir, name)
	if err := os.WriteFile(path, append(bytes.Clone(root), "a kernel's archive, a signature and a sum"...), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, root
}

// newKey writes a private key without a password, because a key with a password needs a second and a gigabyte of memory.
func newKey(t *testing.T, dir string) string {
	t.Helper()
	_, key, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	text, err := key.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "minisign.key")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A release has a signed manifest, a complete file and a delta file. An update with either file gives the same root file system.
func TestRelease(t *testing.T) {
	dir := t.TempDir()
	key := newKey(t, dir)
	update, root := anUpdate(t, dir, "new.update", 1)
	older, before := anUpdate(t, dir, "old.update", 2)
	next, _, err := minisign.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{7}, 1000)))
	if err != nil {
		t.Fatal(err)
	}
	text, _ := next.MarshalText()
	notes, nextFile := filepath.Join(dir, "notes"), filepath.Join(dir, "next.pub")
	for path, data := range map[string][]byte{notes: []byte("Moon\nTides\n"), nextFile: text} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{
		"-o", dir, "-key", key, "-version", "1.6.0", "-date", "1795235340", "-channel", "beta", "-percent", "10", "-notes", notes, "-next-key", nextFile,
	}
	if err := run(append(args, update, older), io.Discard); err != nil {
		t.Fatal(err)
	}
	private, _ := manifest.ReadPrivate(key)
	data, err := os.ReadFile(filepath.Join(dir, "beta-arm64.manifest"))
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := manifest.Read(data, manifest.Keys{Current: private.Public().(minisign.PublicKey)})
	if err != nil || m.Sequence != 1795235340 || m.Percent != 10 || len(m.Notes) != 2 || m.NextKey != next.String() || len(m.Files) != 2 {
		t.Fatalf("got %+v, %v", m, err)
	}
	if m.Slot.Sum != sha256.Sum256(root) || m.Files[1].From != sha256.Sum256(before) || !m.Files[0].From.IsZero() {
		t.Errorf("got %+v", m)
	}
	for _, f := range m.Files {
		file, err := os.ReadFile(filepath.Join(dir, f.Name))
		if err != nil || sha256.Sum256(file) != f.Sum {
			t.Fatalf("%s: %v", f.Name, err)
		}
		in := bytes.NewReader(file)
		info, err := delta.Read(in)
		var out bytes.Buffer
		if err = errors.Join(err, delta.Apply(&out, info, in, bytes.NewReader(before))); err != nil || !bytes.Equal(out.Bytes(), root) {
			t.Errorf("%s: got another root file system, %v", f.Name, err)
		}
	}
}

// A missing key, a missing update or a damaged update is an error.
func TestReleaseRefuses(t *testing.T) {
	dir := t.TempDir()
	update, _ := anUpdate(t, dir, "new.update", 1)
	good := []string{"-o", dir, "-version", "1.6.0", "-date", "1795235340"}
	for name, args := range map[string][]string{"without a key": append(good, update), "without an update": append(good, "-key", newKey(t, dir))} {
		if err := run(args, io.Discard); !errors.Is(err, errUsage) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	wrong := filepath.Join(dir, "wrong.key")
	if err := os.WriteFile(wrong, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(append(good, "-key", wrong, update), io.Discard); err == nil {
		t.Error("a wrong key: got no error")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.delta")); len(left) > 0 {
		t.Errorf("a wrong key: got the files %q without a manifest", left)
	}
	for name, data := range map[string][]byte{"no update": []byte("x"), "cut off": append([]byte("hsqs"), bytes.Repeat([]byte{255}, 60)...)} {
		path := filepath.Join(dir, "bad")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := rootOf(path); err == nil {
			t.Errorf("%s: got a root file system", name)
		}
	}
}
