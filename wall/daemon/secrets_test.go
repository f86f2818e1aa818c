package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"dashboard/config"
	"dashboard/internal/folder"
)

func TestSecrets(t *testing.T) {
	const file, credential, single = "file", "credential", "single"
	for _, c := range []struct {
		name                string
		unit                bool   // true if systemd passes credentials
		file, handed, value string // contents of secrets.yaml, of the credential secrets.yaml and of the credential token; "": no file
		want                any    // expected value, or nil for no value
	}{
		{"nowhere", false, "", "", "", nil},
		{"the file, without systemd", false, "token: file", "", "", file},
		{"without systemd there are no credentials", false, "", "token: credential", single, nil},
		{"a credential of its own", true, "token: file", "token: credential", single, single},
		{"the file may be read, and is newer", true, "token: file", "token: credential", "", file},
		{"the file is handed over", true, "", "token: credential", "", credential},
		{"an empty one is handed over", true, "", "{}", "", nil},
		{"nothing is handed over", true, "", "", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			dir := t.TempDir()
			t.Setenv(credentialsEnv, "")
			if c.unit {
				t.Setenv(credentialsEnv, dir)
			}
			put(t, config.SecretsName, c.file)
			put(t, filepath.Join(dir, config.SecretsName), c.handed)
			put(t, filepath.Join(dir, "token"), c.value)
			got, err := Secrets(folder.Dir(""))("token")
			if got != c.want || (err != nil) != (c.want == nil) {
				t.Errorf("got %v, %v, want %v", got, err, c.want)
			}
			if err != nil && !errors.Is(err, config.ErrNoSecret) {
				t.Errorf("got %v, want ErrNoSecret", err)
			}
		})
	}
}

// put writes a file. If `text` is empty, it does nothing.
func put(t *testing.T, path, text string) {
	t.Helper()
	if text == "" {
		return
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
