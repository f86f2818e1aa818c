package main

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dashboard/appliance/card"
	"dashboard/appliance/settings"
	"dashboard/tools/command"
)

//go:embed air/*.sh air/lease
var airFiles embed.FS

// airModules are the kernel's modules for emulated radios. The image has those that its boards need.
var airModules = []string{
	"net/rfkill/rfkill", "net/wireless/cfg80211", "lib/crypto/libarc4", "net/mac80211/mac80211", "crypto/ccm", "crypto/cmac", "crypto/gcm",
	"crypto/ghash-generic", "drivers/net/wireless/virtual/mac80211_hwsim",
}

// airTime bounds the walk of the set-up, which waits for two failures.
const airTime = 15 * time.Minute

// testSetup leads a phone through the first start: the cable is pulled, the access point opens, a phone on an emulated radio joins it and
// opens the page, a wrong password and a network without addresses return to it, and then the wall hangs in the home network. The card
// has the settings afterwards, without the password.
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
	const begin = "cd /tmp/air && (sleep 3; systemctl start appliance-setup; sh walk.sh) >walk.out 2>&1 </dev/null &"
	if _, err := l.run(ctx, "owner", begin); err != nil {
		return err
	}
	if err := m.Do("set_link", map[string]any{"name": "n0", "up": false}); err != nil {
		return err
	}
	t.watchWalk(ctx, m)
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

// carryAir brings the modules and the programs of the other radios into the machine.
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
	line := fmt.Sprintf("ssh -F none -o StrictHostKeyChecking=no -o UserKnownHostsFile=%s -o BatchMode=yes -o IdentitiesOnly=yes -o LogLevel=ERROR -i %s -p %d "+
		"root@127.0.0.1 'busybox tar -C %s -xf -' <%s", filepath.Join(l.dir, "known"), filepath.Join(l.dir, "owner"), l.port, to, packed)
	_, err := command.Run(ctx, nil, "sh", "-c", line)
	return err
}

// watchWalk keeps a picture of each screen of the walk, until the wall is back or time is up.
func (t *tester) watchWalk(ctx context.Context, m *machine) {
	// The walk is over after a time without another picture. A wall with seconds has another one each time, and most bounds them.
	const settle, still, most = 2 * time.Second, 45, 60
	last, same, n := []byte(nil), 0, 0
	for end := time.Now().Add(airTime); time.Now().Before(end) && same < still && n < most && ctx.Err() == nil; time.Sleep(settle) {
		got, err := m.Look()
		if err != nil {
			return
		}
		if same++; string(got.Pix) != string(last) {
			last, same = got.Pix, 0
			n++
			if err := t.keep(m, fmt.Sprintf("setup-%02d", n)); err != nil {
				t.say("%v", err)
			}
		}
	}
}

// checkSetup looks at the card and at what is kept.
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
	mode, err := l.run(ctx, "owner", "stat -c %a /var/lib/private/dashboard-setup/setup.json; hostname")
	if err != nil || !strings.HasPrefix(mode, "600\n") {
		return fmt.Errorf("what is kept: %q, %w", mode, err)
	}
	return nil
}
