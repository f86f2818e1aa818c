package state

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"dashboard/internal/testing/thorough"
)

func open(t *testing.T) (*Store, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "state")
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s, dir
}

func TestKept(t *testing.T) {
	s, dir := open(t)
	if _, ok := s.Load("sample", "https://user:secret@example.org/"); ok {
		t.Error("got something out of an empty folder")
	}
	for _, want := range []string{"one", "two"} {
		if err := s.Save("sample", "https://user:secret@example.org/", []byte(want)); err != nil {
			t.Fatal(err)
		}
		if got, ok := s.Load("sample", "https://user:secret@example.org/"); !ok || string(got) != want {
			t.Errorf("got %q, %v, want %q", got, ok, want)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("got %v, %v, want one file", entries, err)
	}
	info, _ := entries[0].Info()
	if bytes.Contains([]byte(info.Name()), []byte("secret")) || info.Mode().Perm() != 0o600 {
		t.Errorf("got %s with mode %v", info.Name(), info.Mode())
	}
	var none *Store
	if _, ok := none.Load("a", "b"); ok || none.Save("a", "b", nil) != nil {
		t.Error("a nil store keeps something or fails")
	}
}

// TestBounds checks the limits. A file that is too large is refused. The oldest files are removed to make room for new files. Files of
// other programs stay.
func TestBounds(t *testing.T) {
	s, dir := open(t)
	if err := s.Save("a", "b", make([]byte, MaxFile+1)); err == nil {
		t.Error("a file beyond the bound was kept")
	}
	other := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(other, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(other, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	full := make([]byte, MaxFile)
	for i := range MaxTotal/MaxFile + 1 {
		key := string(rune('A' + i))
		if err := s.Save("a", key, full); err != nil {
			t.Fatal(err)
		}
		at := time.Unix(int64(1000+i), 0)
		if err := os.Chtimes(filepath.Join(dir, Name("a", key)), at, at); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := s.Load("a", "A"); ok {
		t.Error("the oldest file is still there")
	}
	if _, ok := s.Load("a", "B"); !ok {
		t.Error("more than the oldest file is gone")
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("another's file is gone: %v", err)
	}
}

// Values of sources are removed before older files of other kinds, such as a token that is written once.
func TestSamplesMakeRoom(t *testing.T) {
	s, dir := open(t)
	age := func(kind, key string, at int64) {
		if err := os.Chtimes(filepath.Join(dir, Name(kind, key)), time.Unix(at, 0), time.Unix(at, 0)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Save("control-token", "", []byte("secret")); err != nil {
		t.Fatal(err)
	}
	age("control-token", "", 1)
	if err := s.Save("past", "old", []byte("values")); err != nil {
		t.Fatal(err)
	}
	age("past", "old", 2)
	for i := range MaxTotal/MaxFile + 3 {
		key := string(rune('A' + i))
		if err := s.Save("sample", key, make([]byte, MaxFile)); err != nil {
			t.Fatal(err)
		}
		age("sample", key, int64(1000+i))
	}
	if _, ok := s.Load("control-token", ""); !ok {
		t.Error("the token is gone")
	}
	if _, ok := s.Load("past", "old"); ok {
		t.Error("the oldest values of a chart are there")
	}
	for key, want := range map[string]bool{"A": false, "C": false, "E": true} {
		if _, ok := s.Load("sample", key); ok != want {
			t.Errorf("the sample %s is there: %v, want %v", key, ok, want)
		}
	}
}

// A save removes old temporary files, which a power cut has left. It keeps new temporary files, because another save may still write
// them. It also keeps the files of other programs.
func TestLeftFiles(t *testing.T) {
	s, dir := open(t)
	for name, age := range map[string]time.Duration{"." + Name("sample", "a") + "123": 2 * leftAfter, "." + Name("sample", "b") + "456": 0, ".other": 2 * leftAfter} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Save("sample", "c", []byte("x")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"." + Name("sample", "a") + "123": false, "." + Name("sample", "b") + "456": true, ".other": true} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil != want {
			t.Errorf("%s is there: got %v, want %v", name, err == nil, want)
		}
	}
}

// TestManyFiles: old files are removed if there are too many files. The folder may also have files of other programs, but not too many.
func TestManyFiles(t *testing.T) {
	thorough.Only(t) // thousands of files take seconds on a busy drive
	s, dir := open(t)
	touch := func(name string, at int64) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(filepath.Join(dir, name), time.Unix(at, 0), time.Unix(at, 0)); err != nil {
			t.Fatal(err)
		}
	}
	touch(Name("pairing", "a"), 1)
	for i := range maxFiles + 20 {
		touch(Name("sample", strconv.Itoa(i)), int64(100+i))
	}
	if err := s.Save("sample", "new", []byte("x")); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != maxFiles {
		t.Errorf("got %d files, %v, want %d", len(entries), err, maxFiles)
	}
	for key, want := range map[string]bool{"0": false, "21": false, "22": true, "new": true} {
		if _, ok := s.Load("sample", key); ok != want {
			t.Errorf("sample %s: got %v, want %v", key, ok, want)
		}
	}
	if _, ok := s.Load("pairing", "a"); !ok {
		t.Error("the token was removed before the values of sources")
	}
	if testing.Short() {
		return
	}
	for i := range maxEntries - maxFiles {
		touch(strconv.Itoa(i), 1)
	}
	if err := s.Save("sample", "other", nil); err != nil {
		t.Errorf("a folder with as many entries as allowed: got %v", err)
	}
	touch("one more", 1)
	if err := s.Save("sample", "other", nil); err == nil {
		t.Error("a folder with too many entries: got no error")
	}
	touch(Name("sample", "0"), 2) // now the program itself has too many files
	touch(Name("sample", "1"), 2)
	if err := s.Save("sample", "third", nil); err != nil {
		t.Errorf("a folder with too many files of the program: got %v", err)
	}
}
