package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestBill: the bill contains each module of a program and each package once.
func TestBill(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(t.TempDir(), "packages")
	if err := os.WriteFile(list, []byte("systemd 257.7-1 arm64\nlibc6 2.41-12+deb13u1 arm64\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := write(&out, "1.2.3", time.Unix(0, 0), list, []string{self, self}); err != nil {
		t.Fatal(err)
	}
	var b bill
	if err := json.Unmarshal(out.Bytes(), &b); err != nil {
		t.Fatal(err)
	}
	if b.Format != "CycloneDX" || b.Spec != "1.6" || b.Metadata.Time != "1970-01-01T00:00:00Z" || b.Metadata.Component.Version != "1.2.3" {
		t.Errorf("got %+v", b)
	}
	seen := map[string]int{}
	for _, c := range b.Components {
		seen[c.Ref]++
		if c.Name == "" || c.Version == "" || c.Type != "library" || c.PURL != c.Ref {
			t.Errorf("got %+v", c)
		}
	}
	for ref, n := range seen {
		if n > 1 {
			t.Errorf("%s is listed %d times", ref, n)
		}
	}
	if seen["pkg:deb/debian/libc6@2.41-12%2Bdeb13u1?arch=arm64"] != 1 || !strings.Contains(out.String(), "pkg:golang/std@") {
		t.Errorf("got %s", out.String())
	}
}

// TestBillMistakes checks two errors: a file that is not a program, and a line that is not a package.
func TestBillMistakes(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("libc6 2.41\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := write(&bytes.Buffer{}, "1", time.Now(), "", []string{text}); err == nil {
		t.Error("a text passed for a program")
	}
	if err := write(&bytes.Buffer{}, "1", time.Now(), text, nil); err == nil || !strings.Contains(err.Error(), ":1: ") {
		t.Errorf("got %v, want the line", err)
	}
}
