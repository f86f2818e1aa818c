package daemon

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// mapped returns the private mapping of a file of four pages, whose pages are all resident.
func mapped(t *testing.T) []byte {
	t.Helper()
	size := 4 * os.Getpagesize()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(strings.Repeat("f", size)), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ, syscall.MAP_PRIVATE|syscall.MAP_POPULATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(b) })
	return b
}

// resident returns the resident memory of a mapping, as the kernel prints it.
func resident(t *testing.T, b []byte) string {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Skip("SKIPPED, returned pages NOT checked: ", err)
	}
	_, after, _ := strings.Cut(string(maps), fmt.Sprintf("\n%x-", unsafe.SliceData(b)))
	_, after, _ = strings.Cut(after, "\nRss:")
	size, _, _ := strings.Cut(after, "\n")
	return strings.TrimSpace(size)
}

// Pages of files are unmapped if the process only reads them. Changed pages keep their content, even if they are read-only now.
func TestReturnFiles(t *testing.T) {
	read, changed, writable := mapped(t), mapped(t), mapped(t)
	protect := func(b []byte, access int) {
		if err := syscall.Mprotect(b, access); err != nil {
			t.Fatal(err)
		}
	}
	protect(changed, syscall.PROT_READ|syscall.PROT_WRITE)
	protect(writable, syscall.PROT_READ|syscall.PROT_WRITE)
	changed[0], writable[0] = 'c', 'w'
	protect(changed, syscall.PROT_READ)
	if before := resident(t, read); before == "0 kB" || before == "" {
		t.Fatalf("before: got %q resident", before)
	}
	returnFiles()
	if after := resident(t, read); after != "0 kB" {
		t.Errorf("got %s of the pages resident, want 0 kB", after)
	}
	if got := string([]byte{read[0], changed[0], writable[0]}); got != "fcw" {
		t.Errorf("got the bytes %q, want fcw", got)
	}
}

// Only read-only files without changed pages are returned. Swapped-out pages are changed too.
func TestEachUnchanged(t *testing.T) {
	maps := ""
	for i, m := range []string{
		"r-xp /program\nAnonymous: 0 kB\nSwap: 0 kB", "r--p /font\nAnonymous: 0 kB", "r--p /swapped\nAnonymous: 0 kB\nSwap: 4 kB",
		"r--p /changed\nAnonymous: 4 kB\nSwap: 0 kB", "rw-p /data\nAnonymous: 0 kB\nSwap: 0 kB", "r--p [vvar]\nAnonymous: 0 kB\nSwap: 0 kB",
	} {
		maps += fmt.Sprintf("%x000-%x000 %s\nSwapPss: 0 kB\nVmFlags: rd mr\n", i+1, i+2, m)
	}
	var got []string
	eachUnchanged(maps, func(from, to uintptr) { got = append(got, fmt.Sprintf("%x-%x", from, to)) })
	if want := "1000-2000 2000-3000"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
