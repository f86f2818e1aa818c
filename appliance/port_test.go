//go:build linux

package appliance

import (
	"archive/zip"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"dashboard/appliance/card"
)

// Only the port in the section server is used. YAML's block style and flow style both work.
func TestPortOf(t *testing.T) {
	for conf, want := range map[string]string{
		"":                                      "5000",
		"server: {host: 0.0.0.0, port: 8080}\n": "8080",
		"server:\n  host: 0.0.0.0   # all\n\n  # the usual one\n  port: 80\n":      "80",
		"server: # ours\r\n  host: x\r\n  port: 8081\r\nmqtt:\r\n  port: 1883\r\n": "8081",
		"mqtt:\n  port: 1883\nserver:\n  host: x\n":                                "5000",
		"server:\n  host: x\nmqtt:\n  port: 1883\n":                                "5000",
		"#server:\n#  port: 1\n":                                                   "5000",
	} {
		if got := portOf([]byte(conf)); got != want {
			t.Errorf("%q: got %s, want %s", conf, got, want)
		}
	}
}

// The port in the facts comes from the files that are shown: the folder of the drive, or the unpacked zip file. If the zip file is damaged,
// the folder is shown.
func TestWallsPort(t *testing.T) {
	root := t.TempDir()
	for file, text := range map[string]string{
		bootFolder + "/dashboard/conf.yaml": "server: {port: 81}\n", "/etc/dashboard/conf.yaml": "server: {port: 80}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(root+file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(root+file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := wallsPort(root); got != "81" {
		t.Errorf("the folder: got %s", got)
	}
	file := root + bootFolder + "/" + card.ConfigZip
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if unpacked, err := unpackWall(root); unpacked || err == nil {
		t.Errorf("a damaged zip file: got %v, %v", unpacked, err)
	}
	if got := wallsPort(root); got != "81" {
		t.Errorf("a damaged zip file: got %s", got)
	}
	zipWall(t, file, map[string]string{"widgets.yaml": "", "conf.yaml": "server: {port: 82}\n"})
	if unpacked, err := unpackWall(root); !unpacked || err != nil {
		t.Errorf("the zip file: got %v, %v", unpacked, err)
	}
	if got := wallsPort(root); got != "82" {
		t.Errorf("the zip file: got %s", got)
	}
	if got := wallsPort(t.TempDir()); got != wallPort {
		t.Errorf("without files: got %s", got)
	}
}

// zipWall writes a zip file with the files of a wall.
func zipWall(t *testing.T, path string, files map[string]string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for name, text := range files {
		w, err := z.Create("wall/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
}
