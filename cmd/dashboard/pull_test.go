package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
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
