package wall

import (
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"dashboard/internal/testing/programtest"
)

var executable, removeExecutable = programtest.Builder("dashboard")

// A binary is the built program in a separate process.
type binary struct {
	site
	*programtest.Process
}

// launch starts the built program with a configuration in a temporary folder. The program ends when the test ends.
func launch(t *testing.T, port int, f files, args ...string) *binary {
	t.Helper()
	b := prepare(t, port, f, args...)
	b.Run()
	return b
}

// prepare is like launch, but does not start the program.
func prepare(t *testing.T, port int, f files, args ...string) *binary {
	t.Helper()
	b := &binary{site: site{t, t.TempDir(), port}}
	b.Process = programtest.Prepare(t, executable(t, "dashboard"), b.dir, nil, append([]string{"--config-dir", b.dir}, args...)...)
	f.write(t, b.dir)
	return b
}

// launchWall starts the built program with a plain red wall and a stream, and waits for the first frame. If `edit` is not nil, `edit`
// changes the configuration first.
func launchWall(t *testing.T, edit func(f files)) *binary {
	t.Helper()
	port := freePort(t)
	f := files{"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red")}
	if edit != nil {
		edit(f)
	}
	b := launch(t, port, f)
	b.shows(1, 1, red)
	eventually(t, "the stream has its frame too", func() bool {
		for _, token := range []string{"", "Bearer s", "Bearer "} { // a wall of these tests has no token, the token "s" or an empty token
			status := b.ask("HEAD /frame", append(bearer(token), having("*")...), "").status // this request encodes no frame
			if status == 0 || status == http.StatusServiceUnavailable {
				return false
			}
		}
		return true
	})
	return b
}

// change writes files, requests a reload and waits until the reload has ended.
func (b *binary) change(f files) {
	b.t.Helper()
	f.write(b.t, b.dir)
	b.reload()
}

// reload requests one reload and waits until the reload has ended. It does not repeat the request, because a request during a slow reload
// would start the reload again.
func (b *binary) reload() {
	b.t.Helper()
	before := reloads(b.Log)
	b.Signal(syscall.SIGUSR1)
	eventually(b.t, "reload", func() bool { return reloads(b.Log) > before })
}

func TestBinary(t *testing.T) {
	t.Parallel()
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP) // so that the program does not inherit an ignored SIGHUP when the tests run under nohup
	defer signal.Stop(hangups)
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP} { // a closed terminal sends SIGHUP
		b := launchWall(t, nil)
		b.serves("/frame", 200)
		if status, took := b.End(s); status != 0 || took > endsWithin {
			t.Errorf("%v: got status %d after %v, want 0 soon", s, status, took)
		}
	}
}
