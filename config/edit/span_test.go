package edit

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The spans of the nodes are found for every YAML file of the project, and they are nested correctly.
func TestEveryFileHasSpans(t *testing.T) {
	files, text := 0, 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".yaml") {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if _, err := decode(data); err != nil {
			return nil
		}
		files++
		doc, err := Parse(path, data)
		if err != nil {
			text++
			t.Error(err)
			return nil
		}
		checkSpans(t, doc)
		return nil
	})
	if err != nil || files < 100 {
		t.Fatalf("%d files, %v", files, err)
	}
	t.Logf("%d files, %d only as text", files, text)
}

// checkSpans checks that spans are nested and in order.
func checkSpans(t *testing.T, d *Document) {
	t.Helper()
	d.Root.Walk(func(n *Node) {
		if n.Span.Start < 0 || n.Span.End > len(d.Bytes) || n.Span.Start > n.Span.End || !n.Span.Contains(n.Content) {
			t.Fatalf("%s: %+v", d.Name, n.Span)
		}
		end := n.Content.Start
		for _, e := range n.Entries {
			if e.Span.Start < end || !n.Span.Contains(e.Span) || !e.Span.Contains(e.Value.Span) {
				t.Fatalf("%s:%d: entry %+v in %+v", d.Name, n.Line, e.Span, n.Span)
			}
			end = e.Span.End
		}
	})
}
