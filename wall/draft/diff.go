package draft

import (
	"archive/zip"
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"dashboard/config/edit"
)

// `around` is the number of unchanged lines before and after a change in a diff.
const around = 3

// A DiffLine is a line in a diff.
type DiffLine struct {
	Kind string `json:"kind"` // " " (unchanged), "+" (added) or "-" (removed)
	Old  int    `json:"old,omitempty"`
	New  int    `json:"new,omitempty"`
	Text string `json:"text"`
}

// A FileDiff is the diff of a file.
type FileDiff struct {
	Name  string     `json:"name"`
	Lines []DiffLine `json:"lines"`
}

// diffOf compares two texts of a file line by line.
func diffOf(name string, old, data []byte) FileDiff {
	a, b := bytes.SplitAfter(old, []byte("\n")), bytes.SplitAfter(data, []byte("\n"))
	hunks := edit.Hunks(a, b)
	out := FileDiff{Name: name, Lines: []DiffLine{}}
	line := func(kind string, x, y int, text []byte) {
		if len(text) == 0 {
			return
		}
		l := DiffLine{Kind: kind, Text: strings.TrimRight(string(text), "\r\n")}
		if kind != "+" {
			l.Old = x + 1
		}
		if kind != "-" {
			l.New = y + 1
		}
		out.Lines = append(out.Lines, l)
	}
	shown := 0
	for i, h := range hunks {
		for k := max(shown, h.A-around); k < h.A; k++ {
			line(" ", k, k+h.B-h.A, a[k])
		}
		for k := h.A; k < h.AEnd; k++ {
			line("-", k, 0, a[k])
		}
		for k := h.B; k < h.BEnd; k++ {
			line("+", 0, k, b[k])
		}
		end := min(h.AEnd+around, len(a))
		if i+1 < len(hunks) {
			end = min(end, hunks[i+1].A)
		}
		for k := h.AEnd; k < end; k++ {
			line(" ", k, k+h.BEnd-h.AEnd, a[k])
		}
		shown = end
	}
	return out
}

// unified() returns diffs as text in the format of diff -u.
func unified(all []FileDiff) []byte {
	var b bytes.Buffer
	for _, f := range all {
		fmt.Fprintf(&b, "--- a/%s\n+++ b/%s\n", f.Name, f.Name)
		for i := 0; i < len(f.Lines); {
			j := i + 1
			for j < len(f.Lines) && !apart(f.Lines[j-1], f.Lines[j]) {
				j++
			}
			hunk(&b, f.Lines[i:j])
			i = j
		}
	}
	return b.Bytes()
}

// apart() reports whether there are left-out lines between the lines a and b of a diff.
func apart(a, b DiffLine) bool {
	return a.Kind == " " && (b.Old > 0 && b.Old != a.Old+1 || b.New > 0 && b.New != a.New+1)
}

func hunk(b *bytes.Buffer, lines []DiffLine) {
	var old, fresh, oldAt, freshAt int
	for _, l := range lines {
		if l.Old > 0 {
			old++
			if oldAt == 0 {
				oldAt = l.Old
			}
		}
		if l.New > 0 {
			fresh++
			if freshAt == 0 {
				freshAt = l.New
			}
		}
	}
	fmt.Fprintf(b, "@@ -%d,%d +%d,%d @@\n", oldAt, old, freshAt, fresh)
	for _, l := range lines {
		b.WriteString(l.Kind + l.Text + "\n")
	}
}

// Diff returns the differences between the files on the disk and the draft.
func (t *Draft) Diff() []FileDiff {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := []FileDiff{}
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		if f := t.files[name]; f.changed() {
			list = append(list, diffOf(name, f.base, f.work))
		}
	}
	return list
}

// Unified returns the draft's diff as text.
func (t *Draft) Unified() []byte { return unified(t.Diff()) }

// Zip returns a zip file with the changed files or, if `all` is true, with all files of the draft. The zip file never contains secrets.
func (t *Draft) Zip(all bool) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		f := t.files[name]
		if !f.changed() && (!all || !f.there) {
			continue
		}
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(f.work)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
