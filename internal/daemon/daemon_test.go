package daemon

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/config"
)

func TestEnter(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	if err := Enter(""); err != nil {
		t.Error(err)
	}
	if got, _ := os.Getwd(); got != here {
		t.Errorf("got %s, want to stay in %s", got, here)
	}
	if err := os.Mkdir("wall", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := Enter("wall"); err != nil {
		t.Error(err)
	}
	if got, _ := os.Getwd(); got != filepath.Join(here, "wall") {
		t.Errorf("got %s, want the folder", got)
	}
	if err := Enter("gone"); err == nil || err.Error() != "--config-dir gone: no such file or directory" {
		t.Errorf("got %v", err)
	}
}

func TestComplain(t *testing.T) {
	t.Chdir("/")
	for given, want := range map[bool]string{
		false: "clock: it stands\n",
		true:  "clock: it stands\nclock: config paths are relative to /\n",
	} {
		var b strings.Builder
		if Complain(&b, "clock", errors.New("it stands"), given); b.String() != want {
			t.Errorf("given %v: got %q, want %q", given, b.String(), want)
		}
	}
}

func TestEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			name  string
			stop  time.Duration
			ended bool
			took  time.Duration
		}{
			{"at once", 0, true, 0},
			{"soon", time.Second, true, time.Second},
			{"it hangs", time.Minute, false, stopTime},
		} {
			began := time.Now()
			if ended := End(func() { time.Sleep(c.stop) }); ended != c.ended {
				t.Errorf("%s: got %v, want %v", c.name, ended, c.ended)
			}
			if took := time.Since(began); took != c.took {
				t.Errorf("%s: took %v, want %v", c.name, took, c.took)
			}
		}
		time.Sleep(time.Minute) // until the one that hung has ended too
	})
}

func TestLevel(t *testing.T) {
	for name, want := range map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warning": slog.LevelWarn, "": slog.LevelInfo} {
		if got := Level(name); got != want {
			t.Errorf("%q: got %v, want %v", name, got, want)
		}
	}
}

// report has one mistake of each kind, or as many as are asked for.
func report(errs, warnings int) *config.Report {
	r := &config.Report{}
	for range errs {
		r.Add(config.Diagnostic{File: "a.yaml", Line: len(r.Diagnostics()) + 1, Message: "bad"})
	}
	for range warnings {
		r.Add(config.Diagnostic{File: "a.yaml", Line: len(r.Diagnostics()) + 1, Message: "odd", Severity: config.Warning})
	}
	return r
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		errs, warnings int
		json           bool
		status         int
		want           string
	}{
		{0, 0, false, 0, "The configuration is right.\n"},
		{0, 1, false, 0, "0 errors, 1 warning.\n"},
		{1, 0, false, 1, "1 error, 0 warnings.\n"},
		{2, 2, false, 1, "2 errors, 2 warnings.\n"},
		{0, 0, true, 0, `"ok":true`},
		{0, 1, true, 0, `"message":"odd"`},
		{1, 0, true, 1, `"message":"bad"`},
	} {
		var b bytes.Buffer
		if status := Check(&b, report(c.errs, c.warnings), c.json); status != c.status || !strings.Contains(b.String(), c.want) {
			t.Errorf("%d errors, %d warnings: got status %d, %q; want %d, %q", c.errs, c.warnings, status, b.String(), c.status, c.want)
		}
	}
}

func TestLog(t *testing.T) {
	var b bytes.Buffer
	Log(slog.New(slog.NewTextHandler(&b, nil)), report(1, 1))
	for _, want := range []string{`level=ERROR msg="a.yaml:1:0: bad"`, `level=WARN msg="a.yaml:2:0: odd"`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("got %s, want %s", b.String(), want)
		}
	}
}

func TestIsTerminal(t *testing.T) {
	if IsTerminal(&bytes.Buffer{}) {
		t.Error("a buffer is none")
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if IsTerminal(f) {
		t.Error("a file is none")
	}
}
