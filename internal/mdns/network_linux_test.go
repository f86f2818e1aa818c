package mdns

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"dashboard/internal/testing/programtest"
)

// in() runs a program in a network namespace until the test ends. The program has priority, because a host that does not answer a probe
// within a second loses its name.
func in(t *testing.T, netns string, env []string, args ...string) *programtest.Process {
	t.Helper()
	return programtest.Inside(t, netns, "", env, "nice", append([]string{"-n", "-20"}, args...)...)
}

// wall() announces a wall in a namespace and waits until the wall has a name.
func wall(t *testing.T, netns, name, host, want string) *programtest.Process {
	t.Helper()
	p := in(t, netns, []string{"MDNS_ROLE=announce", "MDNS_NAME=" + name, "MDNS_HOST=" + host}, self(t))
	p.Says("named " + want + "\n")
	return p
}

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// look() repeats a search in a namespace until the result is right. Each search is longer than the previous search, because a busy machine
// answers late.
func look(t *testing.T, netns, service, want string) {
	t.Helper()
	var got []byte
	defer func() {
		if t.Failed() {
			t.Logf("found:\n%swant:\n%s", got, want)
		}
	}()
	limit := 2 * time.Second
	programtest.Eventually(t, "found", func() bool {
		c := exec.Command("ip", "netns", "exec", netns, self(t))
		c.Env = append(os.Environ(), "MDNS_ROLE=find", "MDNS_TYPE="+service, "MDNS_LIMIT="+limit.String())
		limit += time.Second
		got, _ = c.CombinedOutput()
		return string(got) == want
	})
}

// TestNetwork finds walls over a cable. Three walls are configured with the same host name, and two of them are on one machine.
func TestNetwork(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	t.Parallel() // the test mostly waits
	a, b := programtest.Cable(t, "mdns", "10.9.0")
	wall(t, a, "The Wall", "Kitchen", "kitchen.local")
	const first = "The Wall|kitchen.local|http://10.9.0.1:5000|main,kitchen\n"
	look(t, b, "_dashboard._tcp", first)
	look(t, a, "_dashboard._tcp", first) // search on the machine that announces the service
	look(t, b, "_printer._tcp", "")
	second := wall(t, b, "The Wall", "Kitchen", "kitchen-2.local")
	const both = first + "The Wall (2)|kitchen-2.local|http://10.9.0.2:5000|main,kitchen\n"
	look(t, a, "_dashboard._tcp", both)
	wall(t, a, "Another", "Kitchen", "kitchen.local") // two walls of one machine have the same host name
	look(t, b, "_dashboard._tcp", "Another|kitchen.local|http://10.9.0.1:5000|main,kitchen\n"+both)
	second.Signal(syscall.SIGINT)
	look(t, a, "_dashboard._tcp", "Another|kitchen.local|http://10.9.0.1:5000|main,kitchen\n"+first)
}

const busConf = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path=BUS</listen><auth>EXTERNAL</auth><policy context="default"><allow own="*"/><allow user="*"/>
<allow send_type="method_call"/><allow send_type="signal"/><allow send_requested_reply="true" send_type="method_return"/>
<allow send_requested_reply="true" send_type="error"/><allow receive_type="method_call"/><allow receive_type="method_return"/>
<allow receive_type="error"/><allow receive_type="signal"/></policy></busconfig>`

// avahi() runs avahi-daemon in a namespace. It returns the environment that avahi's tools need.
func avahi(t *testing.T, netns, host string) (env string) {
	t.Helper()
	for _, tool := range []string{"avahi-daemon", "avahi-browse", "dbus-daemon"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	dir := t.TempDir()
	bus := filepath.Join(dir, "bus")
	for name, data := range map[string]string{
		"bus.conf":   strings.Replace(busConf, "BUS", bus, 1),
		"avahi.conf": "[server]\nhost-name=" + host + "\n[publish]\npublish-workstation=no\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env = "DBUS_SYSTEM_BUS_ADDRESS=unix:path=" + bus
	in(t, netns, nil, "dbus-daemon", "--nofork", "--config-file="+filepath.Join(dir, "bus.conf"))
	programtest.Eventually(t, "the bus", func() bool { _, err := os.Stat(bus); return err == nil })
	p := in(t, netns, []string{env}, "unshare", "--mount", "sh", "-c",
		"mount -t tmpfs none /run && exec avahi-daemon --no-drop-root --no-chroot --no-rlimits -f "+filepath.Join(dir, "avahi.conf"))
	programtest.Eventually(t, "avahi", func() bool {
		if p.Log.Count("exiting") > 0 {
			t.Skipf("avahi does not run here: %s", p.Log)
		}
		return p.Log.Count("Server startup complete") > 0
	})
	t.Cleanup(func() {
		if p.Log.Count("conflict") > 0 {
			t.Errorf("avahi had to give way:\n%s", p.Log)
		}
	})
	return env
}

// TestAvahi checks that avahi finds the wall, on another machine and on the same machine.
func TestAvahi(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	t.Parallel() // the test mostly waits
	a, b := programtest.Cable(t, "avahi", "10.9.0")
	env := avahi(t, b, "stranger")
	wall(t, a, "The Wall", "Kitchen", "kitchen.local")
	tool := func(netns, env string, args ...string) string {
		c := exec.Command("ip", append([]string{"netns", "exec", netns, "timeout", "20"}, args...)...)
		c.Env = append(os.Environ(), env)
		out, _ := c.CombinedOutput()
		return string(out)
	}
	for _, service := range []string{"_dashboard._tcp", "_http._tcp"} {
		programtest.Eventually(t, service, func() bool {
			got := tool(b, env, "avahi-browse", "-t", "-r", "-p", service)
			return strings.Contains(got, `;The\032Wall;`) && strings.Contains(got, ";kitchen.local;10.9.0.1;5000;")
		})
	}
	programtest.Eventually(t, "the host", func() bool {
		return strings.Contains(tool(b, env, "avahi-resolve", "-4", "-n", "kitchen.local"), "10.9.0.1")
	})
	// avahi already announces a name for this machine and keeps this name.
	wall(t, b, "Beside", "stranger", "stranger.local")
	look(t, a, "_dashboard._tcp", "Beside|stranger.local|http://10.9.0.2:5000|main,kitchen\nThe Wall|kitchen.local|http://10.9.0.1:5000|main,kitchen\n")
}
