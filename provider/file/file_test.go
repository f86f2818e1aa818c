package file

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"dashboard/internal/folder"
	"dashboard/provider"
)

func write(t *testing.T, path, text string, at time.Time) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

// TestChanges: a file is read only after it has changed. Soon after a change, the file is read a second time, because a second change may
// have left the file time unchanged.
func TestChanges(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.csv")
	p, err := New(Params{Path: "a.csv", Parse: "auto"}, folder.Dir(dir))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)
	p.now = func() time.Time { return now }
	look := func() provider.Result { return p.look(t.Context(), true) }
	value := func(r provider.Result) any { return r.Value.([]any)[0].(map[string]any)["n"] }

	if r := look(); r.Outcome != provider.Failed || !strings.Contains(r.Err.Error(), "a.csv: no such file") {
		t.Errorf("not there: got %v", r)
	}
	write(t, path, "n\n1\n", now.Add(-time.Hour))
	if r := look(); r.Err != nil || value(r) != 1 {
		t.Errorf("got %v", r)
	}
	if r := look(); r.Outcome != provider.Nothing {
		t.Errorf("unchanged: got %v", r)
	}
	write(t, path, "n\n2\n", now)
	if r := look(); r.Err != nil || value(r) != 2 {
		t.Errorf("changed: got %v", r)
	}
	write(t, path, "n\n3\n", now)
	if r := look(); r.Err != nil || value(r) != 3 {
		t.Errorf("changed twice at one time: got %v", r)
	}
	now = now.Add(time.Minute)
	look()
	if r := look(); r.Outcome != provider.Nothing {
		t.Errorf("at rest: got %v", r)
	}
}

func TestMistakes(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "half.json"), `{"a": `, time.Now())
	if err := os.WriteFile(filepath.Join(dir, "long.txt"), make([]byte, maxBytes+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"half.json": "not JSON", "long.txt": "longer than", "pipe": "is a pipe", ".": "is a directory"} {
		p, err := New(Params{Path: name}, folder.Dir(dir))
		if err != nil {
			t.Fatal(err)
		}
		if r := p.look(t.Context(), true); r.Err == nil || !strings.Contains(r.Err.Error(), want) {
			t.Errorf("%s: got %v, want %q", name, r, want)
		}
	}
	if _, err := New(Params{Path: "a.json", Select: "p"}, nil); err == nil || !strings.HasPrefix(err.Error(), "select: ") {
		t.Errorf("got %v", err)
	}
	if _, err := New(Params{Path: "a.html", Select: "p["}, nil); err == nil || !strings.HasPrefix(err.Error(), "select: ") {
		t.Errorf("got %v", err)
	}
}
