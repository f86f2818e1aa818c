package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/internal/folder"
)

// TestUnreadableFiles: for each kind of file, loading fails if the file is missing, is a directory, cannot be read, or is too long.
func TestUnreadableFiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("locked", []byte("a: 1"), 0); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("other.yml", []byte("a: 1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("long", []byte(strings.Repeat("# comment\n", maxFileBytes/10+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	loaders := map[string]func(path string, r *Report) bool{
		"conf":      func(path string, r *Report) bool { _, ok := LoadConf(here(), path, r, nil); return ok },
		"client":    func(path string, r *Report) bool { _, ok := LoadClient(here(), path, r, nil); return ok },
		"providers": func(path string, r *Report) bool { _, ok := LoadProviders(here(), path, r, nil, nil); return ok },
		"optional": func(path string, r *Report) bool {
			_, ok := LoadProvidersIfPresent(here(), path, r, nil, nil)
			return ok
		},
		"widgets": func(path string, r *Report) bool { return LoadWidgets(here(), path, r, nil) != nil },
	}
	tests := []struct{ file, want string }{
		{"none", "none: no such file (looked for " + filepath.Join(dir, "none") + ")"},
		{"folder", "folder: is a directory, not a file (" + filepath.Join(dir, "folder") + ")"},
		{"locked", "locked: not readable (" + filepath.Join(dir, "locked") + "): the user who runs this program has no permission"},
		{"other.yaml", "other.yaml: no such file (looked for " + filepath.Join(dir, "other.yaml") + "); rename other.yml"},
		{"folder/x/y", "folder/x/y: no such file (looked for " + filepath.Join(dir, "folder/x/y") + ")"},
		{"locked/x", "locked/x: could not be read (" + filepath.Join(dir, "locked/x") + "): not a directory"},
		{"long", "long: longer than 4194304 bytes"},
	}
	for name, load := range loaders {
		for _, test := range tests {
			t.Run(name+" "+test.file, func(t *testing.T) {
				if test.file == "locked" && os.Geteuid() == 0 {
					t.Skip("root may read everything")
				}
				var r Report
				ok := load(test.file, &r)
				if name == "optional" && strings.Contains(test.want, "no such file") {
					if !ok || r.Failed() {
						t.Errorf("got %v, %v, want no providers and no error", ok, r.Err())
					}
					if warned := len(r.Diagnostics()) > 0; warned != (test.file == "other.yaml") {
						t.Errorf("got %v", r.Diagnostics())
					}
					return
				}
				if err := r.Err(); ok || err == nil || err.Error() != test.want {
					t.Errorf("got %v, %v, want %s", ok, err, test.want)
				}
			})
		}
	}
}

func TestSecretsAreReadAfresh(t *testing.T) {
	path := filepath.Join(t.TempDir(), SecretsName)
	for _, want := range []string{"first", "second"} {
		if err := os.WriteFile(path, []byte("a: "+want), 0o600); err != nil {
			t.Fatal(err)
		}
		var r Report
		n := Parse("conf.yaml", []byte("x: !secret a"), &r, SecretsFile(here(), path))
		if got := n.Get("x").Value(); got != want {
			t.Errorf("got %v, want %s", got, want)
		}
	}
}

func TestSecretSources(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("token", "from systemd\r\n")
	write("both", "credential")
	write("secrets.yaml", "both: file\nonly: 5\n")
	write("big", strings.Repeat("x", maxCredential+1))
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	source := FirstSecret(Credentials(folder.Dir(dir)), SecretsFile(here(), filepath.Join(dir, "secrets.yaml")))
	for name, want := range map[string]any{"token": "from systemd", "both": "credential", "only": 5} {
		if got, err := source(name); err != nil || got != want {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, want)
		}
	}
	for _, name := range []string{"", ".", "..", "../secrets.yaml", "/etc/passwd", "nobody"} {
		if got, err := Credentials(folder.Dir(dir))(name); !errors.Is(err, ErrNoSecret) {
			t.Errorf("credential %q: got %v, %v, want ErrNoSecret", name, got, err)
		}
	}
	for _, name := range []string{"folder", "big"} {
		if got, err := Credentials(folder.Dir(dir))(name); err == nil || errors.Is(err, ErrNoSecret) {
			t.Errorf("credential %q: got %v, %v, want another error", name, got, err)
		}
	}
	if _, err := FirstSecret()("x"); !errors.Is(err, ErrNoSecret) {
		t.Errorf("no source: got %v, want ErrNoSecret", err)
	}
	var r Report
	if n := Parse("c.yaml", []byte("a: !secret x"), &r, nil); !n.Get("a").Broken() || !r.Failed() {
		t.Errorf("without secrets: got %v, want an error", r.Err())
	}
}
