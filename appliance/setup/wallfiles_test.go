//go:build linux

package setup

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/appliance/about"
	"dashboard/internal/folder"
)

// conf is a conf.yaml with a misspelled key, a wrong value and a secret.
const conf = "graphics: {resolution: [800, 480]}\noutpust:\n  - type: window\nserver:\n  port: many\n  auth: {control_token: abc}\n"

func wallIn(t *testing.T, name, text string) *wallFile {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return &wallFile{root: folder.Dir(dir), log: slog.New(slog.DiscardHandler)}
}

// The first mistake in conf.yaml or client.yaml has its file, its line and its reason. If the name of a key is wrong, a key is proposed.
func TestWallMistake(t *testing.T) {
	w := wallIn(t, "conf.yaml", conf)
	m := w.look(about.Facts{Role: "dashboard"})
	if m == nil || m.File != "dashboard/conf.yaml" || m.Line != 2 || m.Reason != "mistake.mean" || m.Right != "outputs" || m.More != 1 || m.Wrong().Word != "outpust" {
		t.Fatalf("got %+v", m)
	}
	if again := w.look(about.Facts{Role: "dashboard"}); again != m {
		t.Error("an unchanged file was checked again")
	}
	if m := w.look(about.Facts{Role: "dashboard", Foreign: true}); m != nil {
		t.Errorf("files from elsewhere: got %+v", m)
	}
	w = wallIn(t, "client.yaml", "outputs:\n- type: window\nserver: {url: 'ftp://x'}\ngraphics: {resolution: [1, x]}\n")
	if m := w.look(about.Facts{Role: "client"}); m == nil || m.File != "dashboard/client.yaml" || m.Line != 3 || !strings.Contains(m.Reason, "http") || m.Right != "" {
		t.Errorf("client.yaml: got %+v", m)
	}
	if m := w.look(about.Facts{Role: "dashboard"}); m != nil {
		t.Errorf("without conf.yaml: got %+v", m)
	}
	w = wallIn(t, "conf.yaml", "graphics: {resolution: [800, 480]\noutputs: []\n")
	if m := w.look(about.Facts{}); m == nil || m.Line == 0 || m.Reason == "" {
		t.Errorf("no YAML: got %+v", m)
	}
}

// If dots replace a secret in a line, the sentence about the line does not contain the secret.
func TestReasonWithoutSecret(t *testing.T) {
	const complete = "outputs: [{type: window}]\ngraphics: {resolution: [800, 480]}\n"
	for file, secret := range map[string]string{
		"server: {url: 'htps://me:hunter2@host/'}\n":   "hunter2",
		"server: {url: 'http://h o/?appid=hunter2'}\n": "hunter2",
		"server:\n  token: hunter2: more\n":            "hunter2",
		"server:\n  token: [hunter2]\n":                "hunter2",
		"server: {token: hunter2: more}\n":             "hunter2",
		"server: {token: my hunter2: a}\n":             "hunter2",
		"server: {url: !secret feed}\n":                "hunter2",
		"server:\n  token: |\n    hunter2\n  url: 1\n": "hunter2",
	} {
		w := wallIn(t, "client.yaml", file+complete)
		if err := os.WriteFile(w.root.Path("secrets.yaml"), []byte("feed: htps://me:hunter2@host/\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		m := w.look(about.Facts{Role: "client"})
		if m == nil || m.Reason == "" || strings.Contains(m.Reason, secret) {
			t.Errorf("%q: got %+v", file, m)
			continue
		}
		text := strings.Split(file, "\n")[m.Line-1]
		err := checkFix(w.root, about.Wish{File: "client.yaml", Line: m.Line, Was: m.Wrong().Text(), Text: text + " "})
		if err == nil || !strings.HasPrefix(err.Error(), "client.yaml:") || strings.Contains(err.Error(), secret) {
			t.Errorf("%q: the correction has the error %v", file, err)
		}
	}
}

// An error that prevents the check is logged once. A missing file is not logged, because the card may have the settings of another role.
func TestUnreadWall(t *testing.T) {
	for name, want := range map[string]int{"conf.yaml": 1, "secrets.yaml": 1, "other": 0} {
		dir, log := t.TempDir(), &strings.Builder{}
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil { // a folder cannot be read as a file
			t.Fatal(err)
		}
		if name == "secrets.yaml" {
			if err := os.WriteFile(filepath.Join(dir, "conf.yaml"), []byte(conf), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		w := &wallFile{root: folder.Dir(dir), log: slog.New(slog.NewTextHandler(log, nil))}
		for range 2 {
			if m := w.look(about.Facts{Role: "dashboard"}); m != nil {
				t.Errorf("%s: got %+v", name, m)
			}
		}
		if got := strings.Count(log.String(), "\n"); got != want || got > 0 && !strings.Contains(log.String(), name) {
			t.Errorf("%s: got the log %q, want %d lines", name, log, want)
		}
	}
}

// A correction is written only if the corrected line and the lines before it have no mistake, and if the file stays YAML.
func TestCheckFix(t *testing.T) {
	w := wallIn(t, "conf.yaml", conf)
	for text, want := range map[string]string{
		"outputs:":   "",
		"outpusts:":  "conf.yaml:2",
		"outputs: [": "conf.yaml:",
		"":           "conf.yaml:",
	} {
		err := checkFix(w.root, about.Wish{File: "conf.yaml", Line: 2, Was: "outpust:", Text: text})
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
	// After the correction of an error in the syntax, an earlier line is the next mistake.
	w = wallIn(t, "conf.yaml", "outpust: []\n\ngraphics: {resolution: [800, 480]\n")
	m := w.look(about.Facts{})
	if m == nil || m.Line != 3 {
		t.Fatalf("got %+v, want line 3", m)
	}
	wish := about.Wish{File: "conf.yaml", Line: 3, Was: m.Wrong().Text(), Text: "graphics: {resolution: [800, 480]}"}
	if err := checkFix(w.root, wish); err != nil {
		t.Errorf("the syntax is right, but another line is not: got %v", err)
	}
	wish.Text = "graphics: {resolution: [800, 480"
	if err := checkFix(w.root, wish); err == nil {
		t.Error("a file that is still not YAML was accepted")
	}
	w = wallIn(t, "conf.yaml", conf)
	if err := checkFix(w.root, about.Wish{File: "conf.yaml", Line: 2, Was: "other", Text: "outputs:"}); err == nil {
		t.Error("a line that has changed was corrected")
	}
}
