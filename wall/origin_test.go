package wall

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"dashboard/internal/folder"
	"dashboard/wall/outputs"
	"dashboard/wall/scene"
)

// An addressed serves an archive with the files of a wall.
type addressed struct{ archive atomic.Pointer[[]byte] }

// serve replaces the archive. The new archive contains the files in its folder kitchen.
func (a *addressed) serve(t *testing.T, files map[string]string) {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.Create("walls-main/kitchen/" + name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	data := b.Bytes()
	a.archive.Store(&data)
}

// server starts a server that sends the archive to clients with the token. It returns the server's
// address and the path of its certificate.
func (a *addressed) server(t *testing.T, token string) (address, own string) {
	t.Helper()
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer "+token {
			_, _ = w.Write(*a.archive.Load())
			return
		}
		w.WriteHeader(http.StatusUnauthorized)
	}))
	t.Cleanup(s.Close)
	own = filepath.Join(t.TempDir(), "own.crt")
	if err := os.WriteFile(own, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return s.URL, own
}

// TestWallFromAddress checks a wall that shows the files of an address instead of the files in its folder. If new files have an error,
// the wall does not change, and /healthz names the error. The answer to a request for new files contains their revision.
func TestWallFromAddress(t *testing.T) {
	t.Parallel()
	var wall addressed
	serve := func(files map[string]string) { wall.serve(t, files) }
	serve(map[string]string{"widgets.yaml": plainWall("'#ff0000'")})
	server, own := wall.server(t, "geheim-4711-4xq")
	port := freePort(t)
	where := fmt.Sprintf("config_url: {url: %s/main.zip, token: !secret git, folder: kitchen, ca_file: %s}\n", server, own)
	f := files{"conf.yaml": wallConf(port, where), "secrets.yaml": "git: geheim-4711-4xq\n"}
	p := start(t, port, f, "--state-dir", t.TempDir())
	get := func(path string) string {
		answer, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d%s", port, path))
		if err != nil {
			return err.Error()
		}
		defer answer.Body.Close()
		var b bytes.Buffer
		_, _ = b.ReadFrom(answer.Body)
		return b.String()
	}
	health := func() (h struct {
		Config struct {
			OK  bool
			URL struct{ Revision, Refused, Problem string }
		}
	}) {
		_ = json.Unmarshal([]byte(get("/healthz")), &h)
		return h
	}
	eventually(t, "the first files are on the wall", func() bool { h := health(); return h.Config.URL.Revision != "" && h.Config.OK })
	first := health().Config.URL.Revision
	var report struct{ Config struct{ URL map[string]any } }
	if err := json.Unmarshal([]byte(get("/healthz")), &report); err != nil {
		t.Fatal(err)
	}
	_, row, _ := strings.Cut(healthPage(t), "\n| `config.url` |")
	row, _, _ = strings.Cut(row, "\n")
	for name := range report.Config.URL {
		if !strings.Contains(row, "`"+name+"`") {
			t.Errorf("docs/health.md does not describe config.url.%s", name)
		}
	}
	eventually(t, "the wall shows them", func() bool { return strings.Contains(get("/widgets"), `"empty"`) })
	takeOver := func() string {
		answer, err := http.Post(fmt.Sprintf("http://127.0.0.1:%d/take_over", port), "application/json", strings.NewReader("{}"))
		if err != nil {
			return err.Error()
		}
		defer answer.Body.Close()
		var b bytes.Buffer
		_, _ = b.ReadFrom(answer.Body)
		return b.String()
	}
	for _, tt := range []struct {
		name, problem string
		files         map[string]string
	}{
		{"a mistake", "widgets.yaml:2:", map[string]string{"widgets.yaml": "widgets:\n  - {widget: emtpy}\n"}},
	} {
		serve(tt.files)
		got, h := takeOver(), health()
		if !strings.Contains(got, tt.problem) || h.Config.URL.Revision != first || !h.Config.OK || !strings.Contains(h.Config.URL.Problem, tt.problem) {
			t.Errorf("%s: got %s and %+v", tt.name, got, h)
		}
	}
	serve(map[string]string{"widgets.yaml": "widgets:\n  - {widget: clock}\n"})
	if got := takeOver(); !strings.Contains(got, `"revision"`) || strings.Contains(got, first) {
		t.Errorf("got %s", got)
	}
	eventually(t, "the next files are on the wall", func() bool { return strings.Contains(get("/widgets"), `"clock"`) })
	if s := get("/source"); strings.Contains(s, "geheim") || !strings.Contains(s, `"token_end":"4xq"`) {
		t.Errorf("got %s", s)
	}
	if strings.Contains(p.log.String(), "geheim") {
		t.Error("the log has the token")
	}
	p.end()
}

// TestFilesOfANewerProgram checks files for a newer program. The wall reports only one clear error,
// although this program does not understand other parts of the files either.
func TestFilesOfANewerProgram(t *testing.T) {
	for _, tt := range []struct{ version, requires, want string }{
		{"1.6.0", "1.7.0", "the files require version 1.7.0 of the program, and this is 1.6.0: update the program first"},
		{"v1.6.0-3-gabc", "1.6.1", "the files require version 1.6.1 of the program, and this is 1.6.0: update the program first"},
		{"1.10.0", "1.9.0", ""}, {"1.6.0", "1.6.0", ""}, {"dev", "99.0.0", ""}, {"1.6.0", "", ""},
	} {
		dir := t.TempDir()
		more := "widgets:\n  - {widget: clock}\n"
		if tt.want != "" {
			more = "widgets:\n  - {widget: hologram}\n"
		}
		files{"conf.yaml": "requires: \"" + tt.requires + "\"\n", "widgets.yaml": more}.write(t, dir)
		s := newService(parts{opts: Options{Version: tt.version, Folder: scene.Folder{Home: dir, Widgets: "widgets.yaml"}}, stderr: io.Discard, devices: outputs.ThisMachine()})
		got := ""
		if err := s.checkFiles(folder.Dir(dir)); err != nil {
			got = err.Error()
		}
		s.builder.Providers.Close()
		if got != tt.want {
			t.Errorf("program %s, files for %q: got %q, want %q", tt.version, tt.requires, got, tt.want)
		}
	}
}
