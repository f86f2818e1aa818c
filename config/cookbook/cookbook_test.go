package cookbook

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/internal/fetch"
	"dashboard/internal/folder"
)

const about = "name: own\ntitle: Own\nabout: Own.\nversion: \"1.0\"\nlicense: CC0-1.0\nauthor: A\nhosts: [api.example.org]\nparameters:\n  line: {help: Line., default: U4}\n"

// files() returns the files of a small recipe.
func files() map[string]string {
	return map[string]string{
		"recipe.yaml": about, "providers.yaml": "providers:\n  own: {url: https://api.example.org/n}\n",
		"widgets.yaml": "widgets:\n  - {widget: text, text: !data .own}\n", "answers/own.json": "1",
	}
}

// packed() returns a zip file with the given files below the folder `top`.
func packed(t *testing.T, top string, all map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range all {
		w, err := z.Create(top + name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(text))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The same recipe is read from a folder, a zip file, an address and a catalogue. The result is the same each time.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	for name, text := range files() {
		os.MkdirAll(filepath.Dir(filepath.Join(dir, "own", name)), 0o755)
		if err := os.WriteFile(filepath.Join(dir, "own", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	archive := packed(t, "repo-main/recipes/own/", files())
	if err := os.WriteFile(filepath.Join(dir, "own.zip"), archive, 0o644); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/own.zip", func(w http.ResponseWriter, _ *http.Request) { w.Write(archive) })
	mux.HandleFunc("/list.json", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"recipes": [{"name": "own", "url": "own.zip", "sha256": "%x"}, {"name": "forged", "url": "own.zip", "sha256": "00"}, {"name": "other", "url": "own.zip", "sha256": "%[1]x"}]}`, sha256.Sum256(archive))
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	f := Finder{Client: fetch.New(&fetch.Options{}), Catalogue: server.URL + "/list.json"}
	for _, source := range []string{filepath.Join(dir, "own"), filepath.Join(dir, "own.zip"), server.URL + "/own.zip", server.URL + "/own.zip#own", "own"} {
		b, err := f.Find(t.Context(), source)
		if err != nil || b.Recipe.Name != "own" || len(b.Files) != 4 {
			t.Errorf("%s: got %+v, %v", source, b, err)
		}
	}
	for source, want := range map[string]string{
		"forged": "its sha256 differs", "other": "leads to the recipe own", "ow": "is 'own' meant?", server.URL + "/none": "404",
		server.URL + "/own.zip#x": "there is no recipe in the archive", dir: "there is no recipe.yaml", "../no": "is no folder",
	} {
		if _, err := f.Find(t.Context(), source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", source, err, want)
		}
	}
}

// FromZip reads an archive that a laptop has made. Windows may write backslashes, and macOS adds hidden files.
func TestArchiveOfALaptop(t *testing.T) {
	all := map[string]string{}
	for name, text := range files() {
		all[`recipes\own\`+strings.ReplaceAll(name, "/", `\`)] = text
		all["__MACOSX/recipes/own/._"+filepath.Base(name)] = "x"
	}
	all["recipes/own/answers/._own.json"], all["recipes/own/Thumbs.db"] = "x", "x"
	b, err := FromZip(packed(t, "", all), "")
	if err != nil || b.Recipe.Name != "own" || len(b.Files) != len(files()) {
		t.Errorf("got %+v, %v", b, err)
	}
}

// A hostile archive cannot write outside of the recipe's folder, and its size is limited.
func TestHostileArchive(t *testing.T) {
	with := func(name, text string) map[string]string {
		all := files()
		all[name] = text
		return all
	}
	home := t.TempDir()
	b, err := FromZip(packed(t, "own/", with("answers/../../../evil.json", "x")), "")
	if err != nil || len(b.Files) != 4 {
		t.Fatalf("got %v, %v", b, err)
	}
	if b, err = FromZip(packed(t, "", with("run.sh", "rm")), ""); err != nil || b.Files["run.sh"] != nil {
		t.Errorf("a script: got %v", err)
	}
	if err := b.Install(home); err != nil {
		t.Fatal(err)
	}
	list, _ := filepath.Glob(filepath.Join(home, "*"))
	inside, _ := os.ReadDir(filepath.Join(home, "recipes"))
	if len(list) != 1 || len(inside) != 1 {
		t.Errorf("got %v and %v", list, inside)
	}
	many := files()
	for i := range maxFiles {
		many[fmt.Sprintf("answers/%d.json", i)] = "1"
	}
	for want, all := range map[string]map[string]string{
		"more than": with("answers/big.json", strings.Repeat("x", maxFile+1)), "files: a recipe has at most": many,
		"cannot be used in this file":         with("providers.yaml", "providers:\n  own: {url: https://api.example.org/n, auth: {bearer: !secret key}}\n"),
		"must be small letters":               with("recipe.yaml", strings.Replace(about, "name: own", "name: ../own", 1)),
		"a recipe may have providers of type": with("providers.yaml", "providers:\n  own: {type: file, path: x}\n"),
	} {
		if _, err := FromZip(packed(t, "", all), ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// raw returns a zip file with the files of a small recipe and the given entries. It does not change the names and modes of the entries.
// The field Comment of an entry contains the text that becomes the entry's content.
func raw(t *testing.T, entries ...zip.FileHeader) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files() {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(text))
	}
	for _, h := range entries {
		text := h.Comment
		h.Method, h.Comment = zip.Deflate, ""
		w, err := z.CreateHeader(&h)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(text))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Hostile archives contain symbolic links, paths to higher folders and zip bombs. They cannot add a file from outside of the recipe's
// folder, or a file that exceeds the limits.
func TestHostileSources(t *testing.T) {
	const private = "content-of-a-file"
	outside := filepath.Join(t.TempDir(), "private.json")
	if err := os.WriteFile(outside, []byte(private), 0o600); err != nil {
		t.Fatal(err)
	}
	link := zip.FileHeader{Name: "answers/link.json", Comment: outside}
	link.SetMode(os.ModeSymlink | 0o777)
	folderLink := zip.FileHeader{Name: "answers", Comment: filepath.Dir(outside)}
	folderLink.SetMode(os.ModeSymlink | 0o777)
	bomb := strings.Repeat("\x00", 8<<20)
	var crowd []zip.FileHeader
	for i := range maxEntries {
		crowd = append(crowd, zip.FileHeader{Name: fmt.Sprint("x/", i)})
	}
	for name, tt := range map[string]struct {
		data []byte
		want string // expected error, or "" if the recipe is valid
	}{
		"a link": {raw(t, link), ""}, "a link of the folder": {raw(t, folderLink), ""},
		"an absolute name":     {raw(t, zip.FileHeader{Name: "/etc/evil", Comment: "x"}), ""},
		"a way up":             {raw(t, zip.FileHeader{Name: "answers/../../evil", Comment: "x"}), ""},
		"a way up, backwards":  {raw(t, zip.FileHeader{Name: `answers/..\..\evil`, Comment: "x"}), ""},
		"a hidden file":        {raw(t, zip.FileHeader{Name: "answers/.bashrc", Comment: "x"}), ""},
		"a bomb":               {raw(t, zip.FileHeader{Name: "answers/bomb.json", Comment: bomb[:maxFile+1]}), "more than"},
		"a large bomb":         {packed(t, "", map[string]string{"recipe.yaml": bomb}), "more than"},
		"a bomb beside":        {packed(t, "", merged(files(), map[string]string{"other/bomb.json": bomb})), ""},
		"many files":           {raw(t, crowd...), "files: the limit is"},
		"two recipes":          {raw(t, zip.FileHeader{Name: "second/recipe.yaml", Comment: about}), "several recipes"},
		"a second description": {raw(t, zip.FileHeader{Name: "recipe.yaml", Comment: strings.Replace(about, "own", "other", 1)}), "several recipes"},
		"no archive":           {[]byte("PK\x03\x04" + bomb[:1000]), "not a valid zip file"},
	} {
		home := t.TempDir()
		b, err := FromZip(tt.data, "")
		if tt.want != "" {
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s: got %v, want %s", name, err, tt.want)
			}
			continue
		}
		if err != nil || b.Install(home) != nil {
			t.Errorf("%s: got %v", name, err)
			continue
		}
		var all []string
		filepath.WalkDir(home, func(path string, d os.DirEntry, _ error) error {
			if !d.IsDir() {
				all = append(all, strings.TrimPrefix(path, home))
			}
			return nil
		})
		if len(all) != 4 || len(b.Files) != 4 {
			t.Errorf("%s: got %v", name, all)
		}
	}
}

func merged(a, b map[string]string) map[string]string {
	for name, text := range b {
		a[name] = text
	}
	return a
}

// A folder that an attacker has filled may contain symbolic links to other files of this machine. FromFolder rejects such a folder.
func TestLinkedFolder(t *testing.T) {
	outside := t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "private.json"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"answers": outside, "providers.yaml": filepath.Join(outside, "private.json"), "answers/own.json": filepath.Join(outside, "private.json")} {
		dir := t.TempDir()
		for file, text := range files() {
			os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755)
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if _, err := FromFolder(dir); err == nil || !strings.Contains(err.Error(), "is a symbolic link") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// A catalogue that is too long or nested too deeply is an error. A catalogue that names a file of this machine is an error too.
func TestHostileCatalogue(t *testing.T) {
	mux := http.NewServeMux()
	for name, text := range map[string]string{
		"long": `{"recipes": [` + strings.Repeat(`{"name": "x"},`, maxCatalogue/14+1) + `{}]}`,
		"deep": `{"recipes": ` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "}",
		"file": `{"recipes": [{"name": "own", "url": "file:///etc/passwd", "sha256": ""}]}`,
		"sum":  `{"recipes": [{"name": "own", "url": "sum", "sha256": ""}]}`,
		"away": `{"recipes": [{"name": "own", "url": "http://127.0.0.1:1/own.zip", "sha256": ""}]}`,
	} {
		mux.HandleFunc("/"+name, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) })
	}
	server := httptest.NewServer(mux)
	defer server.Close()
	for name, want := range map[string]string{"long": "bytes", "deep": "not JSON", "file": "files are not allowed", "sum": "its sha256 differs", "away": "refused"} {
		f := Finder{Client: fetch.New(&fetch.Options{}), Catalogue: server.URL + "/" + name}
		if _, err := f.Find(t.Context(), "own"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %.200v, want %s", name, err, want)
		}
	}
}

// The list of an update's changes begins with new hosts. The update replaces all files of the recipe.
func TestUpdate(t *testing.T) {
	home := t.TempDir()
	old, err := FromZip(packed(t, "", files()), "")
	if err != nil {
		t.Fatal(err)
	}
	all := files()
	delete(all, "answers/own.json")
	all["recipe.yaml"] = strings.NewReplacer("[api.example.org]", "[api.example.org, evil.example.org]", `"1.0"`, `"1.1"`, "default: U4", "default: U5").Replace(about)
	all["widgets.yaml"] = "widgets:\n  - {widget: text, text: !data .own, on_tap: {page: next}}\n"
	fresh, err := FromZip(packed(t, "", all), "")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"new host: evil.example.org", "new action: page", "new parameter: line, text, default U5", "parameter no longer: line, text, default U4",
		"version 1.0 becomes 1.1", "changed file: answers/own.json", "changed file: recipe.yaml", "changed file: widgets.yaml",
	}
	if got := Changes(old, fresh); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	for _, b := range []*Bundle{old, fresh} {
		if err := b.Install(home); err != nil {
			t.Fatal(err)
		}
	}
	if b, err := Installed(home, "own"); err != nil || b.Recipe.Version != "1.1" || b.Files["answers/own.json"] != nil {
		t.Errorf("got %+v, %v", b, err)
	}
	if err := os.WriteFile(filepath.Join(home, "hall.yaml"), []byte("widgets:\n  - {widget: row, children: [{widget: use, recipe: own}]}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := UsedAt(folder.Dir(home), "own"); got != "hall.yaml:2:30" {
		t.Errorf("it is used at %q", got)
	}
	if err := Remove(home, "../own"); err == nil {
		t.Error("a way up was removed")
	}
	if err := Remove(home, "own"); err != nil {
		t.Error(err)
	}
	if _, err := Installed(home, "own"); err == nil {
		t.Error("it is still there")
	}
}
