package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// unsigned removes the signature of a module. It does not change a module that has no signature, or only half of a signature.
func TestUnsigned(t *testing.T) {
	module := []byte("\x7fELF module")
	info := binary.BigEndian.AppendUint32(make([]byte, 8), 5)
	signed := append(append(append(bytes.Clone(module), "12345"...), info...), signatureEnd...)
	if got := unsigned(signed); !bytes.Equal(got, module) {
		t.Errorf("got %q, want %q", got, module)
	}
	half := append(binary.BigEndian.AppendUint32(make([]byte, 8), 1<<30), signatureEnd...)
	for _, same := range [][]byte{module, nil, []byte(signatureEnd), half} {
		if got := unsigned(same); !bytes.Equal(got, same) {
			t.Errorf("%q: got %q, want it as it is", same, got)
		}
	}
}

// The image keeps only the listed libraries, and the libraries that a program needs. A program may need a library directly, by a link, or
// through another library.
func TestKeepLibraries(t *testing.T) {
	program, err := exec.LookPath("mksquashfs")
	if err != nil {
		t.Skip("a program of this machine that needs libraries:", err)
	}
	f, err := elf.Open(program)
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	needs, err := f.ImportedLibraries()
	if err != nil || len(needs) == 0 {
		t.Fatalf("%s needs %v, %v", program, needs, err)
	}
	dir, folder := t.TempDir(), "usr/lib/some-linux-gnu/"
	files := map[string]string{"usr/bin/script": "#!/bin/sh\n", folder + "libnamed.so.1": "", folder + "deep/libunused.so.2": ""}
	for _, n := range needs { // the libraries that the program needs are links to these files
		files[folder+n+".9.9"] = ""
	}
	for name, content := range files {
		if err := putFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, n := range needs {
		if err := os.Symlink(n+".9.9", filepath.Join(dir, folder, n)); err != nil {
			t.Fatal(err)
		}
	}
	if err := copyFile(program, filepath.Join(dir, "usr/bin/program")); err != nil {
		t.Fatal(err)
	}
	if err := keepLibraries(dir, []string{"libnamed.so.1"}); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(dir, folder, "*.so*"))
	if err != nil || len(left) != 2*len(needs)+1 {
		t.Errorf("got %v, %v, want those of %v, and libnamed.so.1", left, err, needs)
	}
	if _, err := os.Stat(filepath.Join(dir, folder, "deep/libunused.so.2")); err == nil {
		t.Error("a library that nothing needs is still there")
	}
	if err := keepLibraries(dir, []string{"libmissing.so.1"}); err == nil {
		t.Error("got no error for a library that is not there")
	}
}
