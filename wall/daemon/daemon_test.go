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

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "wall")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ path, name, want string }{
		"none":           {"", "", ""},
		"a folder":       {dir, "here", ""},
		"gone":           {dir + "/gone", "gone", "--config-dir gone: no such file or directory"},
		"not a folder":   {path, "my/wall", "my/wall is a file: name its folder, my"},
		"not named gone": {dir + "/gone", "", ""},
	} {
		got := ""
		if err := Folder(c.path, c.name); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestComplain(t *testing.T) {
	for given, want := range map[string]string{
		"":     "clock: it stands\n",
		"wall": "clock: it stands\nclock: config paths are relative to /wall\n",
	} {
		var b strings.Builder
		if Complain(&b, "clock", errors.New("it stands"), given, "/wall"); b.String() != want {
			t.Errorf("given %q: got %q, want %q", given, b.String(), want)
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
			{"it hangs", time.Minute, false, StopTime},
		} {
			began := time.Now()
			if ended := End(func() { time.Sleep(c.stop) }); ended != c.ended {
				t.Errorf("%s: got %v, want %v", c.name, ended, c.ended)
			}
			if took := time.Since(began); took != c.took {
				t.Errorf("%s: took %v, want %v", c.name, took, c.took)
			}
		}
		time.Sleep(time.Minute) // let the function of the last row end too
	})
}

func TestLevel(t *testing.T) {
	for name, want := range map[string]slog.Level{"debug": slog.LevelDebug, "info": slog.LevelInfo, "warning": slog.LevelWarn, "": slog.LevelInfo} {
		if got := Level(name); got != want {
			t.Errorf("%q: got %v, want %v", name, got, want)
		}
	}
}

// report returns a report with the given number of errors, followed by the given number of warnings.
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
