package draft

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"dashboard/config/edit"
	"dashboard/internal/testing/race"
)

// corpus is a folder with YAML files of other people.
var corpus = flag.String("corpus", "", "a folder of YAML files to open in drafts, change and change back")

const (
	// atOnce is the maximum number of files in each draft.
	atOnce = 40
	// mostAtOnce is the maximum size of all files in a draft that has more than one file, in bytes.
	mostAtOnce = 2 << 20
	// changedTo is the value to which a scalar is changed.
	changedTo = "changed"
)

// yamlBlock matches a block of YAML in a Markdown document.
var yamlBlock = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```")

// Every YAML file of the samples, the tutorial, Grydgets' samples and the folder -corpus is opened in a draft. If nothing is changed,
// Apply keeps all bytes. If one value is changed, all other bytes stay the same. Undo restores the file.
func TestDraftsOfFiles(t *testing.T) {
	files := yamlFiles(t, filepath.Join("..", "..", "samples"))
	files = append(files, yamlFiles(t, filepath.Join("..", "..", "cmd", "dashboard", "testdata", "classic"))...)
	tutorial, err := os.ReadFile(filepath.Join("..", "..", "docs", "tutorial.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range yamlBlock.FindAllSubmatch(tutorial, -1) {
		files = append(files, block[1])
	}
	own := len(files)
	if *corpus != "" {
		files = append(files, yamlFiles(t, *corpus)...)
	}
	if least := 60; own < least {
		t.Fatalf("%d files of samples and the tutorial, want %d at least", own, least)
	}
	asText, r := 0, rand.New(rand.NewPCG(1, 2))
	for list := range batches(files) {
		asText += throughDraft(t, list, r)
	}
	t.Logf("%d files opened, saved, changed, saved, undone and saved, %d of them as text", len(files), asText)
}

// batches() yields the files in groups that each fit in one draft.
func batches(files [][]byte) func(func([][]byte) bool) {
	return func(yield func([][]byte) bool) {
		for len(files) > 0 {
			n, size := 0, 0
			for n < min(len(files), atOnce) && (n == 0 || size+len(files[n]) <= mostAtOnce) {
				size += len(files[n])
				n++
			}
			if !yield(files[:n]) {
				return
			}
			files = files[n:]
		}
	}
}

// yamlFiles reads the YAML files in a folder and below it that fit in a draft.
func yamlFiles(t *testing.T, dir string) (files [][]byte) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || !d.Type().IsRegular() || ext != ".yaml" && ext != ".yml" {
			return err
		}
		data, err := os.ReadFile(path)
		if len(data) > 0 && len(data) <= edit.MaxBytes && !bytes.Contains(data, []byte{0}) {
			files = append(files, data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// throughDraft opens files in a draft of a wall. It changes one value in each file, and changes these values back. It returns the number
// of files that cannot be parsed.
func throughDraft(t *testing.T, files [][]byte, r *rand.Rand) (asText int) {
	t.Helper()
	b := newBench(t, usual)
	name := func(i int) string { return path.Join("c", fmt.Sprintf("%d.yaml", i)) }
	for i, data := range files {
		b.write(name(i), string(data))
	}
	id, _ := b.open()
	b.call(200, "apply", id, map[string]any{})
	same(t, b, files, name)
	d, err := b.Find(id)
	if err != nil {
		t.Fatal(err)
	}
	var spans []edit.Span
	for i, data := range files {
		span, whole := leaf(data, r)
		if !whole {
			asText++
		}
		next := slices.Concat(data[:span.Start], []byte(changedTo), data[span.End:])
		if err := d.SetFile(name(i), string(next), edit.Hash(data)); err != nil {
			t.Errorf("%.60q: %v", data, err)
		}
		spans = append(spans, span)
	}
	b.call(200, "apply", id, map[string]any{})
	for i, data := range files {
		got, s := []byte(b.read(name(i))), spans[i]
		end := len(got) - (len(data) - s.End)
		if end < s.Start || !bytes.Equal(got[:s.Start], data[:s.Start]) || !bytes.Equal(got[end:], data[s.End:]) || string(got[s.Start:end]) != changedTo {
			t.Errorf("%.60q: other bytes than %v have changed", data, s)
		}
	}
	for range files {
		if err := d.Undo(); err != nil {
			t.Fatal(err)
		}
	}
	b.call(200, "apply", id, map[string]any{})
	same(t, b, files, name)
	return asText
}

// same() checks that the files on the disk have exactly the bytes in `files`.
func same(t *testing.T, b *bench, files [][]byte, name func(int) string) {
	t.Helper()
	for i, data := range files {
		if b.read(name(i)) != string(data) {
			t.Errorf("%.60q: other bytes were saved", data)
		}
	}
}

// leaf returns the span of a random scalar in `data`, and true. If `data` has no scalar or cannot be parsed, leaf returns an empty span at
// a random position, and false.
func leaf(data []byte, r *rand.Rand) (edit.Span, bool) {
	doc, err := edit.Parse("x.yaml", data)
	var leaves []*edit.Node
	if err == nil && doc.Root != nil {
		doc.Root.Walk(func(n *edit.Node) {
			if len(n.Entries) == 0 && n.Span.Len() > 0 && string(data[n.Span.Start:n.Span.End]) != changedTo {
				leaves = append(leaves, n)
			}
		})
	}
	if len(leaves) == 0 {
		at := r.IntN(len(data))
		return edit.Span{Start: at, End: at}, false
	}
	return leaves[r.IntN(len(leaves))].Span, true
}

// For each sample, an operation on a widget changes only the lines of this widget. Undo restores the file.
func TestOperationsOnSamples(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join("..", "..", "samples", "*", "widgets.yaml"))
	if err != nil || len(folders) < 10 {
		t.Fatalf("%d samples, %v", len(folders), err)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for i, file := range folders {
		if race.Left(i, 6) || testing.Short() && i%3 != 0 {
			continue
		}
		b := newBench(t, nil)
		if err := os.CopyFS(b.dir, os.DirFS(filepath.Dir(file))); err != nil {
			t.Fatal(err)
		}
		before := b.read("widgets.yaml")
		id, state := b.open()
		all := widgetsOf(state["tree"].(*Node))
		one := all[r.IntN(len(all))]
		state = b.ops(200, id, Op{Op: "set", Node: one.ID, Hash: one.Hash, Key: "name", Value: changedTo})
		var accept []string
		for _, p := range state["problems"].([]Problem) {
			accept = append(accept, p.ID)
		}
		b.call(200, "apply", id, map[string]any{"accept": accept})
		hunks := edit.Hunks(splitLines(before), splitLines(b.read("widgets.yaml")))
		if len(hunks) != 1 || hunks[0].AEnd-hunks[0].A > 1 || hunks[0].BEnd-hunks[0].B != 1 {
			t.Errorf("%s, %s: the lines %v changed", file, nameOf(one), hunks)
		}
		b.call(200, "undo", id, map[string]any{})
		b.call(200, "apply", id, map[string]any{"accept": accept})
		if b.read("widgets.yaml") != before {
			t.Errorf("%s: undo does not return the file", file)
		}
		b.Close(id)
	}
}

// widgetsOf returns all widgets in a tree of nodes.
func widgetsOf(n *Node) (all []*Node) {
	if n.Widget != "" {
		all = append(all, n)
	}
	for _, c := range n.Children {
		all = append(all, widgetsOf(c)...)
	}
	return all
}
