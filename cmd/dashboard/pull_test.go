package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"dashboard/cmd/shared/cli"
)

// Files are accepted if they give a wall without errors. Otherwise, the error contains the file and the line.
func TestWallIsRight(t *testing.T) {
	t.Parallel()
	const screen = "graphics: {resolution: [80, 48]}\noutputs: [{type: window}]\n"
	for _, tt := range []struct {
		name, file, text string
		client           bool
		want             string
	}{
		{"a wall", "widgets.yaml", "widgets: [{widget: clock}]", false, ""},
		{"a mistake", "widgets.yaml", "widgets:\n- {widget: clokc}\n", false, "widgets.yaml:2:"},
		{"no wall", "client.yaml", screen, false, "there is no widgets.yaml"},
		{"a remote screen", "client.yaml", screen, true, ""},
		{"a mistake in it", "client.yaml", screen + "colour: red\nserver: 1\n", true, "client.yaml:"},
		{"no remote screen", "widgets.yaml", "widgets: [{widget: clock}]", true, "client.yaml"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range map[string]string{"conf.yaml": screen, tt.file: tt.text} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			err := wallIsRight(dir, tt.client)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// pond returns a folder with a wall that uses the recipe pond. The files are like files from a laptop: they have byte order marks and
// carriage returns, and there are hidden files.
func pond(t *testing.T, widget string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{
		"conf.yaml":                    "\ufeffgraphics: {resolution: [80, 48]}\r\noutputs: [{type: window}]\r\n",
		"widgets.yaml":                 "\ufeffwidgets:\r\n- {widget: use, recipe: pond}\r\n",
		"._widgets.yaml":               "\x00\x05\x16\x07",
		"recipes/pond/recipe.yaml":     "\ufeff" + strings.ReplaceAll(pondRecipe, "\n", "\r\n"),
		"recipes/pond/providers.yaml":  "\ufeffproviders:\r\n  seen:\r\n    url: https://pond.example/{depth}\r\n    jq_expression: |\r\n      .level\r\n      + $depth\r\n",
		"recipes/pond/widgets.yaml":    utf16(widget),
		"recipes/pond/._widgets.yaml":  "\x00\x05\x16\x07",
		"recipes/pond/Thumbs.db":       "\x00",
		"recipes/pond/answers/._x.txt": "\x00",
		"recipes/._pond":               "\x00",
		"recipes/desktop.ini":          "\x00",
	} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o750), os.WriteFile(path, []byte(text), 0o440)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const pondRecipe = `name: pond
title: Pond
about: Level of the pond.
version: "1.0"
license: CC0-1.0
author: the family
hosts: [pond.example]
parameters:
  depth: {type: number, help: Depth., default: 2}
`

// utf16 returns an ASCII text in UTF-16 with a byte order mark and carriage returns.
func utf16(text string) string {
	var b strings.Builder
	b.WriteString("\xff\xfe")
	for _, r := range []byte(strings.ReplaceAll(text, "\n", "\r\n")) {
		b.Write([]byte{r, 0})
	}
	return b.String()
}

// The program can read a recipe that a laptop has copied to the memory card. An error in the recipe names the file of the recipe and the
// file of the wall.
func TestRecipeOfALaptop(t *testing.T) {
	t.Parallel()
	const right = "widgets:\n- {widget: text, text: !data .seen}\n"
	if err := wallIsRight(pond(t, right), false); err != nil {
		t.Error(err)
	}
	err := wallIsRight(pond(t, strings.Replace(right, "text", "txet", 1)), false)
	const want = "recipes/pond/widgets.yaml:2:12: widgets[0].widgets[0].widget: unknown widget type 'txet'; is 'text' meant? (used at widgets.yaml:2:3)"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// If the folder of the wall is read-only, as on a memory card, the error contains the next step.
func TestRecipeOnACard(t *testing.T) {
	t.Parallel()
	if err := notWritten(&fs.PathError{Op: "mkdir", Path: "recipes", Err: syscall.EROFS}); !strings.Contains(err.Error(), "the card's drive DASHBOARD") {
		t.Errorf("got %v", err)
	}
	if err := notWritten(fs.ErrPermission); err.Error() != fs.ErrPermission.Error() {
		t.Errorf("got %v", err)
	}
}

// An address is rejected if other machines in the network could change the answer.
func TestPullWantsHTTPS(t *testing.T) {
	t.Parallel()
	address := filepath.Join(t.TempDir(), "address")
	if err := os.WriteFile(address, []byte("http://127.0.0.1:1/wall.zip\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ file, state, want string }{
		{address, t.TempDir(), "https"}, {address, "", "--state-dir"}, {address + "2", t.TempDir(), "address2"},
	} {
		err := pullWall(context.Background(), &options{Options: cli.Options{AddressFile: tt.file, StateDir: tt.state}})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got %v, want %q", err, tt.want)
		}
	}
}
