package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"dashboard/appliance/card"
	"dashboard/appliance/state"
	"dashboard/tools/command"
)

// soon has the board ask for releases a few seconds after its start, and report often.
const soon = "appliance.update=5 appliance.report=5"

// A shop is a web server with signed releases.
type shop struct {
	dir, key, public string
	server           *http.Server
	port             int
}

func (t *tester) openShop() (*shop, error) {
	dir, err := os.MkdirTemp(t.kit.dir, "shop-")
	if err != nil {
		return nil, err
	}
	s := &shop{dir: filepath.Join(dir, "releases")}
	if s.key, s.public, err = keyPair(dir, "owner"); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err = errors.Join(err, os.Mkdir(s.dir, 0o755)); err != nil {
		return nil, err
	}
	s.port = l.Addr().(*net.TCPAddr).Port
	s.server = &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.FileServer(http.Dir(s.dir))}
	go func() { _ = s.server.Serve(l) }() // until it is closed
	return s, nil
}

// publish offers an update as an urgent release, because a machine without a time server has no window. Each has a higher number.
func (s *shop) publish(ctx context.Context, version, update string) error {
	_, err := command.Run(ctx, nil, "go", "run", "./packaging/release", "-o", s.dir, "-key", s.key, "-urgent",
		"-version", version, "-date", strconv.FormatInt(time.Now().Unix(), 10), "-arch", processor(), update)
	return err
}

// testOnline has a card take a release from a server. A manifest with a stranger's signature is refused before. The release stays.
func (t *tester) testOnline(ctx context.Context) error {
	file, err := t.otherRoot(ctx)
	if err != nil {
		return err
	}
	return t.fromShop(ctx, "9.2", file, func(d *disk) error {
		return t.keptSlot(ctx, d, "online-b", "Slot: b (good b, on trial none, trials failed 0)", longTrial+" "+alone)
	})
}

// otherRoot makes an update of the image's root file system and one more file. A card does not take its own root file system again.
func (t *tester) otherRoot(ctx context.Context) (file string, err error) {
	update, err := os.ReadFile(t.updateFile())
	if err != nil {
		return "", err
	}
	root, _ := partsOf(update)
	more, image := filepath.Join(t.kit.dir, "more"), filepath.Join(t.kit.dir, "other.squashfs")
	err = errors.Join(putFile(filepath.Join(more, "another-release"), []byte("9.2\n"), 0o644), os.WriteFile(image, root, 0o600))
	if err != nil {
		return "", err
	}
	if _, err := command.Run(ctx, nil, "mksquashfs", more, image, "-quiet", "-no-progress", "-no-recovery"); err != nil { // adds to it
		return "", err
	}
	if root, err = os.ReadFile(image); err != nil {
		return "", err
	}
	if update, err = updateOf(root, nil, ""); err != nil {
		return "", err
	}
	file = filepath.Join(t.kit.dir, "other.update")
	return file, os.WriteFile(file, update, 0o600)
}

// testOnlineBroken has a card take a release that does not come up. The old slot is back after the tries of the trial.
func (t *tester) testOnlineBroken(ctx context.Context) error {
	broken, err := t.brokenUpdate(ctx)
	if err != nil {
		return err
	}
	file := filepath.Join(t.kit.dir, "broken.update")
	if err := os.WriteFile(file, broken, 0o600); err != nil {
		return err
	}
	return t.fromShop(ctx, "9.1", file, func(d *disk) error {
		return errors.Join(t.failOnline(ctx, d), t.keptSlot(ctx, d, "online-a", "Slot: a (good a, on trial none, trials failed 1)", alone))
	})
}

// fromShop has a card take a release from a server. then starts the slot with the release.
func (t *tester) fromShop(ctx context.Context, version, update string, then func(*disk) error) error {
	s, err := t.openShop()
	if err != nil {
		return err
	}
	defer s.server.Close()
	l, err := t.newLogin(ctx)
	if err != nil {
		return err
	}
	text := settingsText + l.line + fmt.Sprintf("update_url = http://%s:%d/\r\n", hostInside, s.port)
	d, done, err := t.diskWith(ctx, map[string][]byte{card.SettingsFile: []byte(text)})
	if err != nil {
		return err
	}
	defer done()
	if err := s.publish(ctx, version, update); err != nil {
		return err
	}
	if err := t.takeOnline(ctx, d, l, s, "online-"+version); err != nil {
		return fmt.Errorf("release %s: %w", version, err)
	}
	return then(d)
}

// failOnline starts the slot on trial, which does not come up, until its tries are used up. The next start is the old slot's.
func (t *tester) failOnline(ctx context.Context, d *disk) error {
	const most = 3
	for n := 1; ; n++ {
		if err := t.trial(ctx, d); err != nil {
			return err
		}
		switch r, err := stateOf(d); {
		case err != nil || r.Good != state.A || n > most:
			return fmt.Errorf("after %d starts of the trial the state is %+v: %w", n, r, err)
		case r.Trial == state.None || r.Tries == 0:
			t.say("      %d starts of the trial", n)
			return nil
		}
	}
}

// takeOnline starts slot a to its picture, gives it the key of the releases, and waits for the restart into slot b.
func (t *tester) takeOnline(ctx context.Context, d *disk, l login, s *shop, name string) error {
	on := *t
	on.forward = l.forward()
	m, err := on.start(ctx, d, name, soon)
	if err != nil {
		return err
	}
	defer m.Stop()
	if _, err := m.await(ctx, t.kit.want, paintTolerance, pictureTime); err != nil {
		return err
	}
	if _, err := l.await(ctx, "true"); err != nil {
		return err
	}
	_, stranger, err := keyPair(t.kit.dir, "stranger-"+name)
	if err != nil {
		return err
	}
	const again = "systemctl restart appliance-keep.service"
	if err := l.put(ctx, card.KeyFile, stranger, again); err != nil {
		return err
	}
	const looks = "i=0; while [ $i -lt 300 ] && ! grep -q problem /run/appliance/update; do i=$((i+1)); sleep 1; done; cat /run/appliance/update"
	told, err := l.run(ctx, "owner", looks)
	if err != nil || !strings.Contains(told, `"problem":`) {
		return fmt.Errorf("a stranger's release: %q, %w", told, err)
	}
	t.say("      with the key of a stranger: %s", told)
	if r, err := stateOf(d); err != nil || r.Trial != state.None {
		return fmt.Errorf("a stranger's release is on trial: %+v, %w", r, err)
	}
	if err := l.put(ctx, card.KeyFile, s.public, again); err != nil {
		return err
	}
	if err := t.awaitEnd(ctx, m); err != nil {
		said, _ := l.run(ctx, "owner", "cat /run/appliance/update; journalctl --no-pager -u appliance-keep | tail -40")
		return fmt.Errorf("%w: %s", err, said)
	}
	if r, err := stateOf(d); err != nil || r.Trial != state.B || r.Good != state.A {
		return fmt.Errorf("the release is written, and the state is %+v: %w", r, err)
	}
	return nil
}
