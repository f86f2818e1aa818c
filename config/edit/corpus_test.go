package edit

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// corpus is a folder with YAML files of other people.
var corpus = flag.String("corpus", "", "a folder of YAML files to open, change and change back")

// mostChanged is the maximum number of values that are changed in a file.
const mostChanged = 20

// TestCorpus opens files of other people. After a change and its inverse, each file has its original bytes. Drafts (package draft) are
// not part of this test.
func TestCorpus(t *testing.T) {
	if *corpus == "" {
		t.Skip("go test ./config/edit -run TestCorpus -corpus FOLDER opens the YAML files of a folder")
	}
	var opened, changed, refused, text, bad int
	err := filepath.WalkDir(*corpus, func(path string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || !d.Type().IsRegular() || ext != ".yaml" && ext != ".yml" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		doc, err := Parse(path, bytes.Clone(data))
		switch {
		case errors.Is(err, ErrText):
			text++
			t.Logf("as text: %v", err)
			return nil
		case err != nil:
			bad++
			t.Logf("not one document: %v", err)
			return nil
		}
		opened++
		if !bytes.Equal(doc.Bytes, data) {
			t.Errorf("%s: opening changes the file", path)
		}
		c, r := changeAndBack(t, doc, data)
		changed, refused = changed+c, refused+r
		return nil
	})
	t.Logf("%d files opened, %d values changed and changed back, %d refused; %d files as text, %d not one document", opened, changed, refused, text, bad)
	if err != nil || opened == 0 {
		t.Fatalf("%d files opened: %v", opened, err)
	}
}

// changeAndBack changes the values of a file one by one, and changes each of them back. It returns
// the numbers of changed values and of refused changes.
func changeAndBack(t *testing.T, doc *Document, data []byte) (changed, refused int) {
	var leaves []*Node
	if doc.Root != nil {
		doc.Root.Walk(func(n *Node) {
			if len(n.Entries) == 0 && len(leaves) < mostChanged {
				leaves = append(leaves, n)
			}
		})
	}
	for _, n := range leaves {
		got, err := doc.SetText(n, "changed")
		if err != nil {
			refused++
			t.Logf("refused: %s:%d: %v", doc.Name, n.Line, err)
			continue
		}
		changed++
		if !bytes.Equal(Apply(got.Doc.Bytes, Inverse(data, got.Edits)), data) {
			t.Errorf("%s:%d: the inverse does not return the file", doc.Name, n.Line)
		}
	}
	return changed, refused
}
