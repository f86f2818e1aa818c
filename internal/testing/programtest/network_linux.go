package programtest

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Cable makes two network namespaces that are joined by a cable, and removes them when the test ends. `word` is the beginning of the
// names of the namespaces. `network` is the beginning of their addresses. If `network` is 10.9.0, the addresses are 10.9.0.1 and
// 10.9.0.2. Without the necessary permission, Cable skips the test.
func Cable(t testing.TB, word, network string) (a, b string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("namespaces are root's")
	}
	a, b = fmt.Sprintf("%s%da", word, os.Getpid()), fmt.Sprintf("%s%db", word, os.Getpid())
	for _, line := range []string{
		"netns add " + a, "netns add " + b, "link add " + a + " netns " + a + " type veth peer name " + b + " netns " + b,
		"-n " + a + " link set lo up", "-n " + b + " link set lo up",
		"-n " + a + " addr add " + network + ".1/24 dev " + a, "-n " + b + " addr add " + network + ".2/24 dev " + b,
		"-n " + a + " link set " + a + " up", "-n " + b + " link set " + b + " up",
	} {
		if out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput(); err != nil {
			t.Skipf("no namespaces here: ip %s: %s", line, out)
		}
		if strings.HasPrefix(line, "netns add") {
			t.Cleanup(func() { exec.Command("ip", "netns", "del", strings.Fields(line)[2]).Run() })
		}
	}
	return a, b
}

// Inside is like Start, but the program runs in a network namespace. The log of the process contains the program's standard output too.
func Inside(t testing.TB, netns, dir string, env []string, program string, args ...string) *Process {
	t.Helper()
	ip, err := exec.LookPath("ip")
	if err != nil {
		t.Skip(err)
	}
	p := Prepare(t, ip, dir, env, append([]string{"netns", "exec", netns, program}, args...)...)
	p.Cmd.Stdout = p.Log
	p.Run()
	return p
}
