// Package linediff compares two texts of a file line by line.
package linediff

import (
	"bytes"
	"fmt"
	"strings"

	"dashboard/config/edit"
)

// `around` is the number of unchanged lines before and after a change in a diff.
const around = 3

// A Line is a line in a diff.
type Line struct {
	Kind string `json:"kind"` // " " (unchanged), "+" (added) or "-" (removed)
	Old  int    `json:"old,omitempty"`
	New  int    `json:"new,omitempty"`
	Text string `json:"text"`
}

// A File is the diff of a file.
type File struct {
	Name  string `json:"name"`
	Lines []Line `json:"lines"`
}

// Of compares two texts of a file line by line.
func Of(name string, old, data []byte) File {
	a, b := bytes.SplitAfter(old, []byte("\n")), bytes.SplitAfter(data, []byte("\n"))
	hunks := edit.Hunks(a, b)
	out := File{Name: name, Lines: []Line{}}
	line := func(kind string, x, y int, text []byte) {
		if len(text) == 0 {
			return
		}
		l := Line{Kind: kind, Text: strings.TrimRight(string(text), "\r\n")}
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

// Unified returns diffs as text in the format of diff -u.
func Unified(all []File) []byte {
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
func apart(a, b Line) bool {
	return a.Kind == " " && (b.Old > 0 && b.Old != a.Old+1 || b.New > 0 && b.New != a.New+1)
}

func hunk(b *bytes.Buffer, lines []Line) {
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
