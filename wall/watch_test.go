package wall

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dashboard/wall/address"
	"dashboard/wall/outputs"
	"dashboard/wall/reload"
	"dashboard/wall/scene"
)

// startWatched runs a configuration as if a person had started the program with the folder as its
// argument. Saved files are then reloaded automatically.
func startWatched(t *testing.T, port int, f files) *program {
	t.Helper()
	p := &program{site: site{t, t.TempDir(), port}, log: &logbook{}, reload: make(chan os.Signal, 1), ended: make(chan int, 1)}
	f.write(t, p.dir)
	var ctx context.Context
	ctx, p.cancel = context.WithCancel(context.Background())
	o := optionsOf(t, p.dir)
	o.Watch = true
	go func() { p.ended <- runWall(ctx, o, p.log, p.reload) }()
	t.Cleanup(func() {
		p.end()
		if t.Failed() {
			t.Logf("log:\n%s", p.log)
		}
	})
	return p
}

// save replaces a file in one step. If the file were emptied first, the wall could read it before the new content is written.
func (p *program) save(name, text string) {
	p.t.Helper()
	next := filepath.Join(p.t.TempDir(), "next")
	if err := os.WriteFile(next, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
	if err := os.Rename(next, filepath.Join(p.dir, name)); err != nil {
		p.t.Fatal(err)
	}
}

// The wall soon shows saved changes, however an editor saves them. An error is reported, and unchanged files are not read again.
func TestSavedFiles(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	f := files{"conf.yaml": wallConf(port, "appearance: {themes: {day: themes/day.yaml, night: themes/day.yaml}}\n"),
		"widgets.yaml": plainWall("!color wall") + "theme: {colors: {wall: white}}\n", "themes/day.yaml": "colors: {wall: red}\n"}
	p := startWatched(t, port, f)
	p.shows(1, 1, red)
	files{"themes/day.yaml": "colors: {wall: blue}\n"}.write(t, p.dir) // like editors that empty a file first
	p.shows(1, 1, blue)
	p.save("widgets.yaml", plainWall("white")) // like editors that rename a file
	p.shows(1, 1, white)
	p.save("widgets.yaml", "widgets: [")
	eventually(t, "the mistake is told", func() bool { return strings.Contains(p.log.String(), "reload refused") })
	p.save("widgets.yaml", plainWall("red"))
	p.shows(1, 1, red)
	eventually(t, "the reloads are told", func() bool { // the last log line of a reload comes after the reload's frame
		return strings.Count(p.log.String(), "configuration reloaded") >= 3 && strings.LastIndex(p.log.String(), "configuration reloaded") > strings.LastIndex(p.log.String(), "reload refused")
	})
	before := reloads(p.log)
	p.save("widgets.yaml", plainWall("red"))
	p.save("notes.txt", "something else")
	time.Sleep(3 * reload.SettleTime)
	if n := reloads(p.log); n != before {
		t.Errorf("got %d reloads for the same contents, want none", n-before)
	}
	p.save("conf.yaml", f["conf.yaml"]+"reload: signal\n")
	eventually(t, "the files are watched no more", func() bool { return reloads(p.log) > before })
	p.save("widgets.yaml", plainWall("blue"))
	time.Sleep(3 * reload.SettleTime)
	if n := reloads(p.log); n != before+1 {
		t.Errorf("got %d reloads after 'reload: signal', want 1", n-before)
	}
	p.reload <- os.Interrupt
	p.shows(1, 1, blue)
}

// With --config-dir, which systemd units use, saved files are read only on request. A request is a
// signal, POST /reload, or the command reload, which prints the errors.
func TestReloadWhenAsked(t *testing.T) {
	port := freePort(t)
	conf := strings.Replace(wallConf(port, ""), "server:\n", "server:\n  auth: {control_token: c}\n", 1)
	p := start(t, port, files{"conf.yaml": conf, "widgets.yaml": plainWall("red")})
	p.shows(1, 1, red)
	p.serves("/frame", http.StatusOK)
	files{"widgets.yaml": plainWall("blue")}.write(t, p.dir)
	if status, said, errs := command(t, "reload", p.dir); status != 0 || said != "Reloaded.\n" {
		t.Errorf("got %d, %q, %q", status, said, errs)
	}
	p.shows(1, 1, blue)
	files{"widgets.yaml": "widgets:\n  - {widget: emtpy}\n"}.write(t, p.dir)
	status, said, errs := command(t, "reload", p.dir)
	if status != 1 || !strings.Contains(said, "widgets.yaml:2:14") || !strings.Contains(errs, "keeps the earlier one") {
		t.Errorf("got %d, %q, %q, want the place of the mistake", status, said, errs)
	}
	req, _ := http.NewRequest(http.MethodPost, p.url("/reload"), nil)
	if a := exchange(http.DefaultClient, req); a.status != http.StatusUnauthorized {
		t.Errorf("without a token: got %d", a.status)
	}
	req.Header.Set("Authorization", "Bearer c")
	if a := exchange(http.DefaultClient, req); a.status != http.StatusUnprocessableEntity || !strings.Contains(a.body, `"line":2`) || !strings.Contains(a.body, `"success":false`) {
		t.Errorf("got %d %s, want the place of the mistake", a.status, a.body)
	}
	files{"widgets.yaml": plainWall("blue")}.write(t, p.dir)
	if a := exchange(http.DefaultClient, req); a.status != http.StatusOK || a.body != `{"diagnostics":[],"success":true}`+"\n" {
		t.Errorf("got %d %s, want an empty list", a.status, a.body)
	}
}

// The exit status of the command health is 0 if the wall is painted, and otherwise 1.
func TestHealthCommand(t *testing.T) {
	port := freePort(t)
	p := start(t, port, files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red")})
	p.serves("/frame", http.StatusOK)
	if said := answers(t, 0, "well\n", "health", p.dir); said != "well\n" {
		t.Errorf("got %q, want one word", said)
	}
	sick := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		io.WriteString(w, `{"success":false}`)
	}))
	defer sick.Close()
	for url, want := range map[string]string{sick.URL: "answers 503", fmt.Sprintf("http://127.0.0.1:%d", freePort(t)): "no wall runs at", "wall": "want an address"} {
		answers(t, 1, want, "health", "--url", url)
	}
}

func TestReachable(t *testing.T) {
	for host, want := range map[string]string{"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1", "192.168.1.2": "192.168.1.2", "wall.local": "wall.local"} {
		if got := address.Reachable(host); got != want {
			t.Errorf("%q: got %s, want %s", host, got, want)
		}
	}
}

// If another program uses the port of the built-in wall, the wall uses the next free port and
// reports its address. --listen sets another address.
func TestWhereItListens(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if got := freeAddress(t.Context(), l.Addr().String()); got == l.Addr().String() || !strings.HasPrefix(got, "127.0.0.1:") {
		t.Errorf("got %s, want the next port that is free", got)
	}
	port := freePort(t)
	p := start(t, port, files{"conf.yaml": wallConf(freePort(t), ""), "widgets.yaml": plainWall("red")}, "--listen", fmt.Sprintf("127.0.0.1:%d", port))
	p.serves("/frame", http.StatusOK)
	eventually(t, "the log has the address", func() bool { return strings.Contains(p.log.String(), fmt.Sprintf("http://127.0.0.1:%d/", port)) })
	if hint := "level=INFO msg=\"only this machine can reach the server; set server.host"; !strings.Contains(p.log.String(), hint) || strings.Contains(p.log.String(), "level=WARN") {
		t.Errorf("a laptop's wall is warned of, or not told how others see it:\n%s", p.log.String())
	}
	for address, want := range map[string]string{
		"here": "want HOST:PORT", "127.0.0.1:65536": "between 0 and 65535", ":80a": "between 0 and 65535",
	} {
		if status, _, errs := command(t, "--listen", address); status != 2 || !strings.Contains(errs, want) {
			t.Errorf("--listen %s: got %d, %q, want %q", address, status, errs, want)
		}
	}
}

// A person has started a wall, and another program uses its port. The wall uses the next free port, unless conf.yaml sets the port.
func TestPortOfAnotherProgram(t *testing.T) {
	for name, more := range map[string]string{"no port": "", "named": "server: {port: 5000}\n"} {
		s := newService(parts{opts: Options{Folder: scene.Folder{Home: t.TempDir(), Widgets: "widgets.yaml"}, Watch: true}, stderr: io.Discard, devices: outputs.ThisMachine()})
		defer s.builder.Providers.Close()
		files{"conf.yaml": more + "graphics: {resolution: [16, 9]}\noutputs: [{type: stream}]\n", "widgets.yaml": plainWall("red")}.write(t, s.opts.Home)
		g, report := s.load()
		if g == nil {
			t.Fatal(report.Err())
		}
		s.web.configure(g)
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		s.web.address = l.Addr().String()
		if got := s.web.free(t.Context()); (got == l.Addr().String()) != (name == "named") {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// If two programs use the same folder, the log names the folder, and both programs continue.
func TestTwoProgramsOnAFolder(t *testing.T) {
	port := freePort(t)
	first := start(t, port, files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red")})
	first.shows(1, 1, red)
	second := startAt(first.site, files{})
	eventually(t, "the second one warns", func() bool { return second.log.Count("another dashboard runs with this folder") == 1 })
	if first.log.Count("another dashboard") > 0 {
		t.Error("the first one warns as well")
	}
}
