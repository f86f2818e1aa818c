package main

import (
	"bufio"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dashboard/appliance/card"
	"dashboard/appliance/settings"
	"dashboard/tools/command"
	"dashboard/tools/qemu"
)

//go:embed air/*.sh air/lease
var airFiles embed.FS

// airModules lists the kernel's modules for emulated radios. The image has only the modules that its boards need.
var airModules = []string{
	"net/rfkill/rfkill", "net/wireless/cfg80211", "lib/crypto/libarc4", "net/mac80211/mac80211", "crypto/ccm", "crypto/cmac", "crypto/gcm",
	"crypto/ghash-generic", "drivers/net/wireless/virtual/mac80211_hwsim",
}

// airTime is the maximum time of the setup test on a busy machine. The test waits until two attempts to join a network have failed.
const airTime = 2 * time.Hour

// testSetup plays a user with a phone at the first start. The network cable is unplugged, so the access point opens. The phone has an
// emulated radio and joins the access point. The phone's browser is Chromium on the host, and opens the page of the setup. After a wrong
// password and after a network without addresses, the access point opens again. Then the wall and the phone join the home network. In the
// end the card contains the settings without the password.
func (t *tester) testSetup(ctx context.Context) error {
	l, err := t.newLogin(ctx)
	if err != nil {
		return err
	}
	d, done, err := t.diskWith(ctx, map[string][]byte{card.SettingsFile: []byte(settingsText + l.line)})
	if err != nil {
		return err
	}
	defer done()
	on := *t
	on.forward = l.forward()
	port, err := freePort()
	if err != nil {
		return err
	}
	on.more = append(on.more, "-netdev", fmt.Sprintf("user,id=door,net=10.0.9.0/24,hostfwd=tcp:127.0.0.1:%d-10.0.9.15:8080", port), "-device", "virtio-net-pci,netdev=door,romfile=")
	if !*icount { // a clock that counts instructions does not depend on the load of the host, so the setup and the radios do not time out
		on.more = append(on.more, countInstructions...)
	}
	m, err := on.start(ctx, d, "setup", "")
	if err != nil {
		return err
	}
	defer m.Stop()
	if err := t.carryAir(ctx, l); err != nil {
		return err
	}
	if out, err := l.run(ctx, "owner", "cd /tmp/air && sh start.sh"); err != nil || !strings.Contains(out, "ready") {
		return fmt.Errorf("radios: %q, %w", out, err)
	}
	if _, err := l.run(ctx, "owner", "cd /tmp/air && sh walk.sh >walk.out 2>&1 </dev/null &"); err != nil {
		return err
	}
	if err := m.Do("set_link", map[string]any{"name": "n0", "up": false}); err != nil {
		return err
	}
	p, err := t.newPhone(ctx, port)
	if err != nil {
		return err
	}
	defer p.end()
	if err := t.watchWalk(ctx, m, p); err != nil {
		return err
	}
	if err := m.Do("set_link", map[string]any{"name": "n0", "up": true}); err != nil {
		return err
	}
	log, err := l.await(ctx, "cat /tmp/air/log")
	t.say("%s", log)
	if err != nil || strings.Contains(log, "FAILED") || !strings.HasSuffix(log, "end\n") {
		more, _ := l.run(ctx, "owner", "cat /tmp/air/walk.out /tmp/air/wpa.log; journalctl --no-pager -u appliance-setup -u wpa_supplicant@wlan0 -u systemd-networkd | tail -80")
		return errors.Join(fmt.Errorf("the walk did not end:\n%s", more), err)
	}
	return t.checkSetup(ctx, l)
}

// carryAir copies the modules and programs for the emulated radios to the machine.
func (t *tester) carryAir(ctx context.Context, l login) error {
	dir, err := os.MkdirTemp(t.kit.dir, "air-")
	if err != nil {
		return err
	}
	env := []string{"GOOS=linux", "GOARCH=" + processor(), "CGO_ENABLED=0"}
	if _, err := command.Run(ctx, env, "go", "test", "-c", "-trimpath", "-ldflags", "-s -w", "-o", filepath.Join(dir, "air"), "./tools/image/air"); err != nil {
		return err
	}
	entries, err := airFiles.ReadDir("air")
	if err != nil {
		return err
	}
	for _, e := range entries {
		text, err := airFiles.ReadFile("air/" + e.Name())
		if err = errors.Join(err, os.WriteFile(filepath.Join(dir, e.Name()), text, 0o600)); err != nil {
			return err
		}
	}
	for _, name := range airModules {
		found, err := filepath.Glob(filepath.Join(os.Getenv("HOME"), ".cache/dashboard-image/*/usr/lib/modules/*/kernel", name+".ko.xz"))
		if err != nil || len(found) == 0 {
			return fmt.Errorf("the kernel has no module %s: %w", name, err)
		}
		plain, err := command.Run(ctx, nil, "xz", "-dc", found[0])
		if err = errors.Join(err, os.WriteFile(filepath.Join(dir, filepath.Base(name)+".ko"), []byte(plain), 0o600)); err != nil {
			return err
		}
	}
	if _, err := l.await(ctx, "mkdir -p /tmp/air"); err != nil {
		return err
	}
	return l.copyTo(ctx, dir, "/tmp/air")
}

// copyTo copies the files of a folder into a folder of the machine.
func (l login) copyTo(ctx context.Context, from, to string) error {
	packed := from + ".tar"
	if _, err := command.Run(ctx, nil, "tar", "-C", from, "-cf", packed, "."); err != nil {
		return err
	}
	line := fmt.Sprintf("ssh %s 'busybox tar -C %s -xf -' <%s", strings.Join(l.words("owner"), " "), to, packed)
	_, err := command.Run(ctx, nil, "sh", "-c", line)
	return err
}

// Words of the setup test on the serial line. At each moment of the test, the machine writes a line that begins with momentWord, and
// waits for keptWord. If the moment begins with tapWord, the person does a step on the phone.
const momentWord, keptWord, tapWord = "walk: ", "kept\n", "tap "

// watchWalk stores a screenshot of each moment of the setup test. The machine announces each moment on its serial line, and waits until the
// screenshot is stored. At a moment that begins with tapWord, the person first does a step on the phone.
func (t *tester) watchWalk(ctx context.Context, m *machine, p *phone) error {
	ctx, cancel := context.WithTimeout(ctx, airTime)
	defer cancel()
	line, err := qemu.Dial(ctx, m.line(), m.Dead)
	if err != nil {
		return err
	}
	defer line.Close()
	defer context.AfterFunc(ctx, func() { line.Close() })() // makes Scan return
	for n, in := 1, bufio.NewScanner(line); in.Scan(); {
		moment, ok := strings.CutPrefix(strings.TrimSpace(in.Text()), momentWord)
		if !ok {
			continue
		}
		if moment == "end" {
			return nil
		}
		t.say("      %s", moment)
		if step, ok := strings.CutPrefix(moment, tapWord); ok {
			if err := errors.Join(p.tap(step), p.keep(t.phonePicture(n))); err != nil {
				return err
			}
		}
		if _, err := m.Look(); err != nil {
			return err
		}
		_, err := io.WriteString(line, keptWord)
		if err = errors.Join(err, t.keep(m, fmt.Sprintf("setup-%02d", n))); err != nil {
			return err
		}
		n++
	}
	return errors.Join(errors.New("the walk was not seen to its end"), ctx.Err())
}

// checkSetup checks the settings on the card and the data that the machine has stored.
func (t *tester) checkSetup(ctx context.Context, l login) error {
	text, err := l.run(ctx, "owner", "cat /boot/settings.txt; ls /boot/dashboard")
	if err != nil {
		return err
	}
	for _, want := range []string{
		"hostname = kitchen", "timezone = Europe/Berlin", "wifi_country = DE", "locale = en-DE", "wifi_name = Home Net", "wifi_password = " + settings.Inside, "providers.yaml",
	} {
		if !strings.Contains(text, want) {
			return fmt.Errorf("the card lacks %q: %s", want, text)
		}
	}
	if strings.Contains(text, "Kirschbaum") {
		return errors.New("the password is on the card")
	}
	mode, err := l.run(ctx, "owner", "stat -c %a /var/lib/private/dashboard-setup/setup.json")
	if err != nil || mode != "600\n" {
		return fmt.Errorf("what is kept: %q, %w", mode, err)
	}
	return nil
}
