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
	"dashboard/tools/command"
)

// sshTime is the maximum time until the machine has a network and its own ssh key. loginTime is the maximum time of one login. Both allow
// for a busy machine.
const sshTime, loginTime = 45 * time.Minute, 5 * time.Minute

// A login is the ssh access to the machine.
type login struct {
	dir  string // folder with the files of the keys "owner" and "other"
	port int    // port of this machine that leads to port 22 of the machine under test
	line string // line of settings.txt with the key
}

// newLogin creates two keys. The card contains only the owner's public key.
func (t *tester) newLogin(ctx context.Context) (l login, err error) {
	if l.dir, err = os.MkdirTemp(t.kit.dir, "ssh-"); err != nil {
		return l, err
	}
	for _, name := range []string{"owner", "other"} {
		if _, err := command.Run(ctx, nil, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(l.dir, name)); err != nil {
			return l, err
		}
	}
	key, err := os.ReadFile(filepath.Join(l.dir, "owner.pub"))
	if err != nil {
		return l, err
	}
	l.line = "ssh_key = " + string(key)
	l.port, err = freePort()
	return l, err
}

// forward() returns the option of QEMU's network that forwards the port `l.port` to the machine's ssh server.
func (l login) forward() string { return fmt.Sprintf(",hostfwd=tcp:127.0.0.1:%d-:22", l.port) }

// run runs a command on the machine. `name` is the key with which it logs in.
func (l login) run(ctx context.Context, name, line string) (string, error) {
	return command.Run(ctx, nil, "ssh", append(l.words(name), line)...)
}

// words() returns the arguments of ssh for a login with the named key.
func (l login) words(name string) []string {
	return []string{
		"-F", "none", "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=" + filepath.Join(l.dir, "known"), "-o", "BatchMode=yes", "-o", "IdentitiesOnly=yes",
		"-o", fmt.Sprintf("ConnectTimeout=%.0f", loginTime.Seconds()), "-o", "LogLevel=ERROR", "-i", filepath.Join(l.dir, name), "-p", fmt.Sprint(l.port), "root@127.0.0.1",
	}
}

// await runs a command as the owner as soon as the machine can be reached.
func (l login) await(ctx context.Context, command string) (out string, err error) {
	for end := time.Now().Add(sshTime); ; time.Sleep(reportPause) {
		if out, err = l.run(ctx, "owner", command); err == nil || time.Now().After(end) {
			return out, err
		}
	}
}

// onDrive returns a command line that changes the card's drive. It repeats the commands, because the keeper (appliance-keep.service)
// makes the drive read-only after each report, and the drive is busy during a report.
func onDrive(change string) string {
	return "until mount -o remount,rw /boot && " + change + "; do sleep 1; done; until mount -o remount,ro /boot; do sleep 1; done"
}

// testSSH writes a key to settings.txt. The owner of the key can log in, another key is refused, and the wall appears. The kernel finds the
// files in the card's folder `firmware`. The machine does not report its root file system as a full disk.
func (t *tester) testSSH(ctx context.Context) error {
	l, err := t.newLogin(ctx)
	if err != nil {
		return err
	}
	d, done, err := t.diskWith(ctx, map[string][]byte{card.SettingsFile: []byte(settingsText + l.line), "firmware/brcmfmac43436-sdio.bin": []byte(radio)})
	if err != nil {
		return err
	}
	defer done()
	on := *t
	on.forward = l.forward()
	m, err := on.startShown(ctx, d, "ssh", "")
	if err != nil {
		return err
	}
	defer m.Stop()
	const command = "cat /etc/hostname; ls /var/lib/private"
	out, err := l.await(ctx, command)
	if err != nil || !strings.HasPrefix(out, "cut-test\n") || !strings.Contains(out, "ssh.key") {
		return fmt.Errorf("the owner of the key: %q, %w", out, err)
	}
	if out, err := l.run(ctx, "other", command); err == nil || !strings.Contains(err.Error(), "Permission denied") {
		return fmt.Errorf("another: %q, %w, want it refused", out, err)
	}
	if out, err := l.run(ctx, "owner", "cat $(cat /sys/module/firmware_class/parameters/path)/brcm/brcmfmac43436-sdio.bin"); err != nil || out != radio {
		return fmt.Errorf("firmware of the card: %q, %w, want %q", out, err, radio)
	}
	if err := l.full(ctx); err != nil {
		return err
	}
	took, err := l.run(ctx, "owner", "systemctl show -p ExecMainStartTimestampMonotonic -p ActiveEnterTimestampMonotonic dashboard.service")
	t.say("      the unit, microseconds of the machine's clock; it is active with the first frame: %s", strings.ReplaceAll(took, "\n", " "))
	return errors.Join(err, t.keep(m, "ssh"))
}

// radio is the content of a file that represents the firmware of a radio.
const radio = "a program for a radio\n"

// freePort returns a port of this machine without a listener.
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
