package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/internal/testing/programtest"
)

// TestAsksOwnWall: `reload` and `health` accept only the wall of their folder, because two folders may have the same port. A link to the
// folder and --url are accepted.
func TestAsksOwnWall(t *testing.T) {
	own, other, port := t.TempDir(), t.TempDir(), programtest.FreePort(t)
	for _, dir := range []string{own, other} {
		files{
			"conf.yaml":    fmt.Sprintf("graphics: {resolution: [16, 9]}\noutputs: [{type: stream}]\nserver: {port: %d, auth: {control_token: c}}\n", port),
			"widgets.yaml": "widgets: [{widget: clock}]\n",
		}.write(t, dir)
	}
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, []string{own, "--state-dir", "none"}, io.Discard, io.Discard, nil) }()
	defer func() { end(); <-ended }()
	ask := func(args ...string) string {
		var out bytes.Buffer
		run(t.Context(), args, &out, &out, nil)
		return out.String()
	}
	programtest.Eventually(t, "the wall", func() bool { return ask("health", own) == "well\n" })
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(own, link); err != nil {
		t.Fatal(err)
	}
	url := fmt.Sprintf("http://127.0.0.1:%d/", port)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"reload", own}, "Reloaded."}, {[]string{"health", link}, "well"}, {[]string{"health", other, "--url", url}, "well"},
		{[]string{"health", other}, "does not show " + other}, {[]string{"reload", other}, "does not show " + other},
		{[]string{"reload", other, "--url", url}, "Reloaded."},
	} {
		if got := ask(c.args...); !strings.Contains(got, c.want) {
			t.Errorf("%v: got %q, want %q", c.args, got, c.want)
		}
	}
}
