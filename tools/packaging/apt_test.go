package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// ownerKey creates a key as an owner would. It returns the key's name and the public key. gpg finds the key by GNUPGHOME.
func ownerKey(t *testing.T) (name string, public []byte) {
	t.Helper()
	t.Setenv("GNUPGHOME", t.TempDir())
	t.Cleanup(func() { _ = exec.Command("gpgconf", "--kill", "all").Run() })
	name = "owner@wall.home.arpa"
	if out, err := exec.Command("gpg", "--batch", "--passphrase", "", "--quick-generate-key", name, "ed25519", "sign", "never").CombinedOutput(); err != nil {
		t.Fatalf("gpg: %v: %s", err, out)
	}
	public, err := exec.Command("gpg", "--export", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return name, public
}

// publish creates a repository of packages at /srv/apt in the machine. If `key` is not empty, it signs the repository.
func (m *machine) publish(key string, debs ...string) {
	m.t.Helper()
	for _, deb := range debs {
		m.write("srv/"+filepath.Base(deb), string(read(m.t, deb)), 0o644)
	}
	cmd := exec.Command("../../packaging/repository", filepath.Join(m.root, "srv"), "1700000000")
	cmd.Env = append(os.Environ(), "KEY="+key)
	if out, err := cmd.CombinedOutput(); err != nil {
		m.t.Fatalf("%v: %s", err, out)
	}
}

// refused() checks that apt refuses the current repository.
func (m *machine) refused(why string) {
	m.t.Helper()
	if out, err := m.try("apt-get", "update", "--error-on=any"); err == nil {
		m.t.Errorf("%s: apt takes the repository: %s", why, out)
	}
}

// TestAptUpgrade tests the steps of docs/install.md. apt installs the package from a repository with the owner's signature. `apt upgrade`
// updates it without a question and keeps the wall's files. apt refuses anything without the owner's signature.
func TestAptUpgrade(t *testing.T) {
	deb := packageOf(t, "dashboard", "amd64")
	key, public := ownerKey(t)
	m := boot(t, cleanRoot(t))
	m.run("rm", "-f", "/etc/apt/sources.list")
	m.write("etc/apt/keyrings/yours.gpg", string(public), 0o644)
	m.write("etc/apt/sources.list.d/dashboard.list", "deb [signed-by=/etc/apt/keyrings/yours.gpg] file:/srv/apt stable main\n", 0o644)

	m.publish("", deb)
	m.refused("without a signature")

	m.publish(key, deb)
	m.run("apt-get", "update", "--error-on=any")
	m.run("sh", "-c", "apt-get install --yes dashboard </dev/null")
	m.checkRunning("dashboard.service")
	m.eventually("/healthz answers", func() bool { return m.health() != nil })

	m.write("etc/dashboard/conf.yaml", wall, 0o644)
	m.write("etc/dashboard/secrets.yaml", "stream: "+token+"\n", 0o600)
	next := newer(t, deb)
	m.publish(key, deb, next)
	m.run("apt-get", "update", "--error-on=any")
	m.run("sh", "-c", "apt-get upgrade --yes </dev/null")
	if got := m.run("dpkg-query", "--show", "--showformat", "${Version} ${db:Status-Status}", "dashboard"); got != "99 installed" {
		t.Errorf("after the upgrade: got %q, want 99 installed", got)
	}
	m.checkRunning("dashboard.service")
	if got := string(read(t, filepath.Join(m.root, "etc/dashboard/conf.yaml"))); got != wall {
		t.Errorf("after the upgrade: got %q, want the wall as it was", got)
	}

	release := filepath.Join(m.root, "srv/apt/dists/stable/InRelease")
	if err := os.WriteFile(release, []byte(strings.Replace(string(read(t, release)), "Origin: dashboard", "Origin: somebody", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	m.refused("with a release that was changed")
}
