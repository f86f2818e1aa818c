//go:build linux

package appliance

import (
	"bufio"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// resolverWith returns the socket of a resolver that always gives the same answer.
func resolverWith(t *testing.T, answer string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "socket")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			question, err := bufio.NewReader(c).ReadString(0)
			if err == nil && strings.Contains(question, `"method":"io.systemd.Resolve.ResolveHostname"`) {
				_, _ = c.Write([]byte(answer + "\x00")) // the test fails if the answer is incomplete
			}
			c.Close()
		}
	}()
	return path
}

// A name server in settings.txt that does not answer is reported as a problem. When it answers, the problem disappears.
func TestSilentNameServer(t *testing.T) {
	file := filepath.Join(t.TempDir(), "settings.conf")
	if err := os.WriteFile(file, []byte("[Resolve]\nDNS=192.168.1.9\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	dead, alive := resolverWith(t, `{"error":"io.systemd.Resolve.QueryTimedOut"}`), resolverWith(t, `{"error":"io.systemd.Resolve.DNSError","parameters":{"rcode":3}}`)
	w := newNamesWatch(file, dead)
	await := func(now time.Duration) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); !w.look(now, true); time.Sleep(time.Millisecond) { // wait until the answer has arrived
			if time.Now().After(deadline) {
				t.Fatal("the problem has not changed")
			}
		}
	}
	if w.look(0, false) || w.answer != nil {
		t.Error("got a check without a network")
	}
	await(0)
	if want := "No answer from the name server 192.168.1.9: "; !strings.HasPrefix(w.problem, want) {
		t.Errorf("got %q, want %q", w.problem, want)
	}
	if w.look(resolverPause-1, true); w.answer != nil {
		t.Error("got a second check at once")
	}
	w.socket = alive
	await(resolverPause)
	if w.problem != "" {
		t.Errorf("got %q, want nothing: a server that does not know a name does answer", w.problem)
	}
	w.socket = dead
	await(2 * resolverPause)
	if err := os.WriteFile(file, []byte("[Resolve]\nDNS=192.168.1.1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if !w.look(2*resolverPause, true) || w.problem != "" { // a corrected server counts as working until its check
		t.Errorf("after a correction: got %q, want nothing", w.problem)
	}
	await(2 * resolverPause)
	if want := "No answer from the name server 192.168.1.1: "; !strings.HasPrefix(w.problem, want) {
		t.Errorf("got %q, want %q", w.problem, want)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if !w.look(2*resolverPause, true) || w.problem != "" || w.look(9*resolverPause, true) || w.answer != nil {
		t.Errorf("without servers: got %q, or another check", w.problem)
	}
}

// TestSilentAnswers checks which answers of systemd-resolved mean that no name server has answered.
func TestSilentAnswers(t *testing.T) {
	for answer, want := range map[string]bool{
		`{"error":"io.systemd.System","parameters":{"errno":113}}`:           true, // no machine has the address
		`{"error":"io.systemd.System","parameters":{"errno":111}}`:           true, // the machine with the address refuses the request
		`{"error":"io.systemd.System","parameters":{"errno":12}}`:            false,
		`{"error":"io.systemd.Resolve.MaxAttemptsReached","parameters":{}}`:  true,
		`{"error":"io.systemd.Resolve.DNSError","parameters":{"rcode":2}}`:   false,
		`{"parameters":{"addresses":[{"ifindex":2,"family":2}],"name":"x"}}`: false,
	} {
		if err := askResolver(resolverWith(t, answer), askedName); errors.Is(err, errNoServer) != want {
			t.Errorf("%s: got %v, want silent %v", answer, err, want)
		}
	}
}

// If settings.txt has no name servers, a namesWatch starts no check.
func TestNoNameServers(t *testing.T) {
	w := newNamesWatch("/nowhere", "/nowhere")
	if w.look(0, true) || w.answer != nil {
		t.Error("got a check")
	}
}
