package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"dashboard/appliance/card"
	"dashboard/appliance/state"
	"dashboard/tools/command"
)

// soon contains the parameters that make the board ask for releases a few seconds after its first picture, and report often.
const soon = "appliance.update=5 appliance.report=5 " + longTrial

// mostDelta is the maximum size, in bytes, of an update that changes only the program.
const mostDelta = 3_000_000

// A shop is a web server with signed releases.
type shop struct {
	dir, key, public string
	date             int64 // date of the last release in Unix seconds, which is also its number
	server           *http.Server
	port             int

	mu    sync.Mutex
	asked []string // paths of the requested files
}

func (t *tester) openShop() (*shop, error) {
	s := &shop{dir: filepath.Join(t.kit.dir, "releases"), date: time.Now().Unix()}
	var err error
	if s.key, s.public, err = keyPair(t.kit.dir, "owner"); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err = errors.Join(err, os.MkdirAll(s.dir, 0o755)); err != nil {
		return nil, err
	}
	s.port = l.Addr().(*net.TCPAddr).Port
	files := http.FileServer(http.Dir(s.dir))
	s.server = &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		s.mu.Lock()
		s.asked = append(s.asked, q.URL.Path)
		s.mu.Unlock()
		files.ServeHTTP(w, q)
	})}
	go func() { _ = s.server.Serve(l) }() // runs until the test case closes the server
	return s, nil
}

// publish offers an update and its delta from an older update. The release is urgent, because a machine without a time server does not
// know when its time window for updates begins.
func (s *shop) publish(ctx context.Context, version string, updates ...string) error {
	s.date++
	_, err := command.Run(ctx, nil, "go", append([]string{"run", "./packaging/release", "-o", s.dir, "-key", s.key, "-urgent",
		"-version", version, "-date", strconv.FormatInt(s.date, 10), "-arch", processor()}, updates...)...)
	return err
}

// testOnline offers a signed release to a card. The card refuses the release while the card has a stranger's key. With the owner's key it
// fetches only the delta, writes the release to slot b, restarts, and keeps slot b after its picture. Then the server offers a release
// that never paints. After the failed trials of this release, the machine uses slot b again.
func (t *tester) testOnline(ctx context.Context) error {
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
	on := *t
	on.forward = l.forward()
	other, err := t.otherRoot(ctx)
	if err != nil {
		return err
	}
	if err := s.publish(ctx, "9.2", other, t.updateFile()); err != nil {
		return err
	}
	if err := on.takeOnline(ctx, d, l, s, "online-a", "Slot: a", true); err != nil {
		return fmt.Errorf("release 9.2: %w", err)
	}
	if err := s.tookDelta(); err != nil {
		return err
	}
	if err := t.publishBroken(ctx, s); err != nil {
		return err
	}
	if err := on.takeOnline(ctx, d, l, s, "online-b", "Slot: b (good b, on trial none, trials failed 0)", false); err != nil {
		return fmt.Errorf("release 9.3: %w", err)
	}
	if err := t.failOnline(ctx, d); err != nil {
		return err
	}
	return t.keptSlot(ctx, d, "online-back", "Slot: b (good b, on trial none, trials failed 1)", alone)
}

// takeOnline starts the machine, which must run `slot`, and waits for its picture. It gives the machine the key of the releases, and
// waits for the restart into the other slot. If `stranger` is true, the machine first gets another key, with which it must refuse the
// release.
func (t *tester) takeOnline(ctx context.Context, d *disk, l login, s *shop, name, slot string, stranger bool) error {
	m, err := t.startShown(ctx, d, name, soon)
	if err != nil {
		return err
	}
	defer m.Stop()
	if report, err := t.awaitReport(ctx, d, slot, reportTime); err != nil {
		return fmt.Errorf("%w but %q", err, field(report, "Slot"))
	}
	before, err := stateOf(d)
	if err != nil {
		return err
	}
	if _, err := l.await(ctx, "true"); err != nil {
		return err
	}
	t.say("      %s: picture and login after %.0f s", name, time.Since(m.Began).Seconds())
	if stranger {
		if err := t.refuseStranger(ctx, d, l); err != nil {
			return err
		}
	}
	if err := l.put(ctx, card.KeyFile, s.public, keepAgain); err != nil {
		return err
	}
	if err := t.awaitEnd(ctx, m); err != nil {
		said, _ := l.run(ctx, "owner", "cat /run/appliance/update; journalctl --no-pager -u appliance-keep | tail -40")
		return fmt.Errorf("%w: %s", err, said)
	}
	t.say("      %s: restart after %.0f s", name, time.Since(m.Began).Seconds())
	if r, err := stateOf(d); err != nil || r.Trial != before.Good.Other() || r.Good != before.Good {
		return fmt.Errorf("the release is written, and the state is %+v: %w", r, err)
	}
	return nil
}

// keepAgain is a command that restarts the unit that asks for releases, so that the unit reads the key again.
const keepAgain = "systemctl restart appliance-keep.service"

// refuseStranger gives the machine a key that did not sign the release. The machine must name the problem and must not change the other
// slot.
func (t *tester) refuseStranger(ctx context.Context, d *disk, l login) error {
	_, public, err := keyPair(t.kit.dir, "stranger")
	if err != nil {
		return err
	}
	if err := l.put(ctx, card.KeyFile, public, keepAgain); err != nil {
		return err
	}
	const problem = "i=0; while [ $i -lt 300 ] && ! grep -q problem /run/appliance/update; do i=$((i+1)); sleep 1; done\n" +
		"cat /run/appliance/update"
	told, err := l.run(ctx, "owner", problem)
	if err != nil || !strings.Contains(told, `"problem":`) {
		return fmt.Errorf("a stranger's release: %q, %v", told, err)
	}
	t.say("      with the key of a stranger: %s", told)
	if r, err := stateOf(d); err != nil || r.Trial != state.None {
		return fmt.Errorf("a stranger's release is on trial: %+v, %v", r, err)
	}
	return nil
}

// tookDelta checks that the machine fetched the delta, that it was small, and that the complete file was not fetched.
func (s *shop) tookDelta() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := func(n string) string { return fmt.Sprintf("dashboard-9.2-%s%s.delta", processor(), n) }
	if !slices.Contains(s.asked, "/"+name("-1")) || slices.Contains(s.asked, "/"+name("")) {
		return fmt.Errorf("the machine fetched %v, want only the delta", s.asked)
	}
	info, err := os.Stat(filepath.Join(s.dir, name("-1")))
	if err == nil && info.Size() > mostDelta {
		err = fmt.Errorf("the delta has %d bytes, want at most %d", info.Size(), mostDelta)
	}
	return err
}

// otherRoot makes an update of the image's root file system with one additional file. Without this file, the card would not install the
// update, because the card already has this root file system.
func (t *tester) otherRoot(ctx context.Context) (file string, err error) {
	update, err := os.ReadFile(t.updateFile())
	if err != nil {
		return "", err
	}
	root, _ := partsOf(update)
	more := filepath.Join(t.kit.dir, "more")
	file = filepath.Join(t.kit.dir, "other.update") // the publishing tool also accepts a root file system alone
	err = errors.Join(putFile(filepath.Join(more, "another-release"), []byte("9.2\n"), 0o644), os.WriteFile(file, root, 0o600))
	if err != nil {
		return "", err
	}
	_, err = command.Run(ctx, nil, "mksquashfs", more, file, "-quiet", "-no-progress", "-no-recovery") // appends the new file
	return file, err
}

// publishBroken offers a release that starts and never paints.
func (t *tester) publishBroken(ctx context.Context, s *shop) error {
	broken, err := t.brokenUpdate(ctx)
	if err != nil {
		return err
	}
	file := filepath.Join(t.kit.dir, "broken.update")
	if err := os.WriteFile(file, broken, 0o600); err != nil {
		return err
	}
	return s.publish(ctx, "9.3", file)
}

// failOnline starts the slot on trial until its tries are used up.
func (t *tester) failOnline(ctx context.Context, d *disk) error {
	const most = 3
	for n := 1; n <= most; n++ {
		if err := t.trial(ctx, d); err != nil {
			return err
		}
		switch r, err := stateOf(d); {
		case err != nil || r.Good != state.B:
			return fmt.Errorf("after %d starts of the trial the state is %+v: %w", n, r, err)
		case r.Trial == state.None || r.Tries == 0:
			t.say("      %d starts of the trial", n)
			return nil
		}
	}
	return errors.New("the trial does not end")
}
