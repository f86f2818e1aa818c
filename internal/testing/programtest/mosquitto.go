package programtest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// Mosquitto prepares Debian's MQTT broker. It returns the broker's address and a function that starts it. If `password` is set, the broker
// accepts only the user "wall". If the broker is not installed, Mosquitto skips the test, unless DASHBOARD_CI is set.
func Mosquitto(t testing.TB, password string) (at string, serve func() (stop func())) {
	t.Helper()
	const path = "/usr/sbin/mosquitto"
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("DASHBOARD_CI") != "" {
			t.Fatal("mosquitto is missing")
		}
		t.Skip("needs mosquitto: apt install mosquitto")
	}
	port, dir := FreePort(t), t.TempDir()
	who := "allow_anonymous true"
	if password != "" {
		users := filepath.Join(dir, "users")
		if out, err := exec.Command("mosquitto_passwd", "-b", "-c", users, "wall", password).CombinedOutput(); err != nil {
			t.Fatalf("mosquitto_passwd: %v: %s", err, out)
		}
		who = "password_file " + users
	}
	// Without the line "user root", mosquitto would give up the rights of root, and could not read the test's folder.
	conf := fmt.Sprintf("user root\nlistener %d 127.0.0.1\n%s\npersistence false\nmax_queued_messages 0\n", port, who)
	Write(t, dir, map[string]string{"mosquitto.conf": conf})
	return fmt.Sprintf("127.0.0.1:%d", port), func() (stop func()) {
		cmd := exec.Command(path, "-c", filepath.Join(dir, "mosquitto.conf"))
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		Eventually(t, "mosquitto listens", func() bool {
			c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
			if err == nil {
				c.Close()
			}
			return err == nil
		})
		return sync.OnceFunc(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	}
}
