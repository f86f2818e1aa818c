package wall

import (
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dashboard/internal/testing/programtest"
)

// TestAddressWaits checks the messages to systemd. If a reload sets an address that needs a restart, the service sends a status about the
// restart. If a later reload restores the old address, the service sends the usual status again. On an appliance, the keeper program
// restarts the wall for a new address.
func TestAddressWaits(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "notify")
	c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	port := freePort(t)
	b := &binary{site: site{t, t.TempDir(), port}}
	b.Process = programtest.Prepare(t, executable(t, "dashboard"), b.dir, []string{"NOTIFY_SOCKET=" + path}, "--config-dir", b.dir)
	conf := wallConf(port, "")
	files{"conf.yaml": conf, "widgets.yaml": plainWall("red")}.write(t, b.dir)
	b.Run()
	awaitTold(t, c, "STATUS=on the screen")
	b.change(files{"conf.yaml": strings.Replace(conf, fmt.Sprintf("port: %d", port), "port: 9", 1)})
	awaitTold(t, c, "STATUS="+nextStart)
	b.change(files{"conf.yaml": conf})
	awaitTold(t, c, "STATUS=on the screen")
}

// awaitTold waits until systemd receives a message.
func awaitTold(t *testing.T, c *net.UnixConn, want string) {
	t.Helper()
	buf := make([]byte, 4096)
	for {
		if err := c.SetReadDeadline(time.Now().Add(patience)); err != nil {
			t.Fatal(err)
		}
		n, err := c.Read(buf)
		if err != nil {
			t.Fatalf("%v, want %q", err, want)
		}
		if string(buf[:n]) == want {
			return
		}
	}
}
