package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dashboard/appliance/card"
	"dashboard/tools/qemu"
)

// sshTime is for the network and a first key of the machine's own.
const sshTime = 10 * time.Minute

// testSSH writes a key into settings.txt: its owner gets in, another does not, and the wall is there.
func (t *tester) testSSH(ctx context.Context) error {
	dir, err := os.MkdirTemp(t.kit.dir, "ssh-")
	if err != nil {
		return err
	}
	for _, name := range []string{"owner", "other"} {
		if _, err := qemu.Command(ctx, nil, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	key, err := os.ReadFile(filepath.Join(dir, "owner.pub"))
	if err != nil {
		return err
	}
	d, done, err := t.diskWith(ctx, card.SettingsFile, []byte(settingsText+"ssh_key = "+string(key)))
	if err != nil {
		return err
	}
	defer done()
	port, err := freePort()
	if err != nil {
		return err
	}
	on := *t
	on.forward = fmt.Sprintf(",hostfwd=tcp:127.0.0.1:%d-:22", port)
	m, err := on.start(ctx, d, "ssh", "")
	if err != nil {
		return err
	}
	defer m.Stop()
	if _, err := m.await(ctx, t.kit.want, paintTolerance, pictureTime); err != nil {
		return err
	}
	login := func(name string) (string, error) {
		return qemu.Command(ctx, nil, "ssh", "-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile="+filepath.Join(dir, "known"), "-o", "BatchMode=yes",
			"-o", "ConnectTimeout=20", "-o", "IdentitiesOnly=yes", "-i", filepath.Join(dir, name), "-p", fmt.Sprint(port), "root@127.0.0.1", "cat /etc/hostname; ls /var/lib/private")
	}
	out := ""
	for end := time.Now().Add(sshTime); ; time.Sleep(reportPause) {
		if out, err = login("owner"); err == nil || time.Now().After(end) {
			break
		}
	}
	if err != nil || !strings.HasPrefix(out, "cut-test\n") || !strings.Contains(out, "ssh.key") {
		return fmt.Errorf("the owner of the key: %q, %w", out, err)
	}
	if out, err := login("other"); err == nil || !strings.Contains(err.Error(), "Permission denied") {
		return fmt.Errorf("another: %q, %w, want it refused", out, err)
	}
	return t.keep(m, "ssh")
}

// freePort is a port of this machine that nobody listens at.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	at, ok := l.Addr().(*net.TCPAddr)
	if err := l.Close(); err != nil || !ok {
		return 0, errors.Join(errors.New("no port"), err)
	}
	return at.Port, nil
}
