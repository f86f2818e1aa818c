package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"dashboard/appliance/card"
	"dashboard/appliance/state"
	kept "dashboard/internal/state"
)

// refusals lists updates that a machine with a key must refuse, each with the expected message. The test offers the updates in this
// order.
var refusals = []struct{ file, says string }{
	{"damaged.img", "update.img: the file is damaged: copy it onto the card again"},
	{"unsigned.img", "update.img: the update is not signed, and this image takes only signed updates"},
	{"stranger.img", "update.img: the update is not signed with the key of this image, or was changed later"},
}

// updatesOf returns the content of updates by file name: one that is signed with `key`, and updates that the machine must refuse.
func (t *tester) updatesOf(key, stranger string) (map[string][]byte, error) {
	whole, err := os.ReadFile(t.updateFile())
	if err != nil {
		return nil, err
	}
	// The machine refuses these updates before it uses their root file system, so the root file system can be any short text.
	small := bytes.Repeat([]byte("no root file system "), 1000)
	all := map[string][]byte{}
	for name, of := range map[string]struct {
		root []byte
		key  string
	}{"signed.img": {whole[:len(whole)-card.TrailerSize], key}, "stranger.img": {small, stranger}, "unsigned.img": {small, ""}, "damaged.img": {small, key}} {
		content, err := signed(of.root[:len(of.root):len(of.root)], of.key)
		if err != nil {
			return nil, err
		}
		all[name] = append(content, card.Trailer(sha256.Sum256(content))...)
	}
	all["damaged.img"][7] ^= 1
	return all, nil
}

// testSigned gives a machine a public key, which an image would contain if it was built with a key. The machine refuses some updates with
// a message on the screen and in the report, and installs the signed update. After the new slot is kept, it starts once more and paints
// nothing. Then the machine uses the old slot again.
func (t *tester) testSigned(ctx context.Context) error {
	dir, err := os.MkdirTemp(t.kit.dir, "keys-")
	if err != nil {
		return err
	}
	key, public, err := keyPair(dir, "owner")
	if err != nil {
		return err
	}
	stranger, _, err := keyPair(dir, "stranger")
	if err != nil {
		return err
	}
	files, err := t.updatesOf(key, stranger)
	if err != nil {
		return err
	}
	l, err := t.newLogin(ctx)
	if err != nil {
		return err
	}
	if files[card.ConfigZip], err = zipOf("words"); err != nil {
		return err
	}
	files[card.SettingsFile] = []byte(settingsText + l.line)
	d, done, err := t.diskWith(ctx, files)
	if err != nil {
		return err
	}
	defer done()
	if err := t.refuseAndTake(ctx, d, l, public); err != nil {
		return err
	}
	if r, err := stateOf(d); err != nil || r.Trial != state.B || r.Good != state.A {
		return fmt.Errorf("the signed update is written, and the state is %+v: %w", r, err)
	}
	if err := t.keptSlot(ctx, d, "signed-b", "Slot: b (good b, on trial none, trials failed 0)", longTrial+" "+alone); err != nil {
		return err
	}
	return t.darkSlot(ctx, d)
}

// refuseAndTake starts a machine, offers the updates one after the other, and waits until the
// machine restarts to install the last update.
func (t *tester) refuseAndTake(ctx context.Context, d *disk, l login, public string) error {
	on := *t
	on.forward = l.forward()
	m, err := on.startShown(ctx, d, "signed-a", "")
	if err != nil {
		return err
	}
	defer m.Stop()
	token, err := l.await(ctx, "cat /var/lib/private/dashboard/"+kept.Name("control-token", ""))
	if err != nil {
		return err
	}
	if err := l.put(ctx, card.KeyFile, public, "true"); err != nil {
		return err
	}
	try := func(file string) error {
		_, err := l.run(ctx, "owner", onDrive("mv -f /boot/"+file+" /boot/update.img")+" && systemctl restart appliance-keep.service")
		return err
	}
	for _, r := range refusals {
		if err := try(r.file); err != nil {
			return err
		}
		if report, err := t.awaitReport(ctx, d, "UPDATE NOT TAKEN: "+r.says, reportTime); err != nil {
			return fmt.Errorf("%s: %w but %q", r.file, err, field(report, "UPDATE NOT TAKEN"))
		}
		wrong := []string{"The update was not taken: " + r.says}
		err := m.awaitNote(ctx, stepTime, t.kit.noteOf(token, true, wrong, nil), t.kit.noteOf("", true, wrong, nil))
		if err := errors.Join(err, t.keep(m, "signed-"+r.file[:len(r.file)-len(".img")])); err != nil {
			return fmt.Errorf("%s: %w", r.file, err)
		}
		t.say("      %s: told on the screen and in the report", r.says)
	}
	if err := try("signed.img"); err != nil {
		return err
	}
	return t.awaitEnd(ctx, m)
}

// awaitEnd waits until a machine restarts.
func (t *tester) awaitEnd(ctx context.Context, m *machine) error {
	select {
	case <-m.Dead:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(pictureTime):
		return errors.New("it does not restart")
	}
}

// keptSlot starts a machine, and expects the picture and the name of the slot in the report.
func (t *tester) keptSlot(ctx context.Context, d *disk, name, slot, more string) error {
	m, err := t.startShown(ctx, d, name, "appliance.report=5 "+more)
	if err != nil {
		return err
	}
	defer m.Stop()
	report, err := t.awaitReport(ctx, d, slot, reportTime)
	if err != nil {
		return fmt.Errorf("%s: %w but %q", name, err, field(report, "Slot"))
	}
	return t.keep(m, name)
}

// darkSlot starts a kept slot without the unit dashboard.service, so nothing is painted. The machine must end this start automatically,
// and the other slot must show the picture.
func (t *tester) darkSlot(ctx context.Context, d *disk) error {
	m, err := t.start(ctx, d, "dark", "systemd.mask=dashboard.service appliance.dark=60 "+alone)
	if err != nil {
		return err
	}
	defer m.Stop()
	if err := t.awaitEnd(ctx, m); err != nil {
		return fmt.Errorf("a slot that paints nothing: %w", err)
	}
	if r, err := stateOf(d); err != nil || r.Good != state.A || r.Trial != state.None || r.Failed != 1 {
		return fmt.Errorf("after a start without a picture the state is %+v: %w", r, err)
	}
	return t.keptSlot(ctx, d, "dark-back", "Slot: a (good a, on trial none, trials failed 1)", alone)
}

// testHeadless writes an update to the card of a wall that is only streamed. The update is installed and kept, although no screen shows
// anything.
func (t *tester) testHeadless(ctx context.Context) error {
	update, err := os.ReadFile(t.updateFile())
	if err != nil {
		return err
	}
	const conf = "graphics:\n  resolution: [1280, 720]\noutputs:\n  - type: stream\n"
	d, done, err := t.diskWith(ctx, map[string][]byte{card.UpdateFile: update, card.ConfigFolder + "/" + confName: []byte(conf)})
	if err != nil {
		return err
	}
	defer done()
	m, err := t.start(ctx, d, "headless-a", alone)
	if err != nil {
		return err
	}
	defer m.Stop()
	if err := t.awaitEnd(ctx, m); err != nil {
		return fmt.Errorf("writing the update: %w", err)
	}
	if r, err := stateOf(d); err != nil || r.Trial != state.B || r.Good != state.A {
		return fmt.Errorf("the update is written, and the state is %+v: %w", r, err)
	}
	if m, err = t.start(ctx, d, "headless-b", "appliance.report=5 "+longTrial+" "+alone); err != nil {
		return err
	}
	defer m.Stop()
	report, err := t.awaitReport(ctx, d, "Slot: b (good b, on trial none, trials failed 0)", pictureTime)
	if err != nil {
		return fmt.Errorf("%w but %q", err, field(report, "Slot"))
	}
	return nil
}

// keyPair writes a private key without a password. It returns the key's path and the public key.
func keyPair(dir, name string) (key, public string, err error) {
	key = filepath.Join(dir, name+".key")
	if err := writeKey(key); err != nil {
		return "", "", err
	}
	root := filepath.Join(dir, name)
	if err := publicKey(root, key); err != nil {
		return "", "", err
	}
	text, err := os.ReadFile(filepath.Join(root, card.KeyFile))
	return key, string(text), err
}

// Each refused update has the fault that the name of its file describes.
func TestUpdatesOf(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile((&tester{out: dir}).updateFile(), bytes.Repeat([]byte("x"), 5000), 0o600); err != nil {
		t.Fatal(err)
	}
	key, _, err := keyPair(dir, "owner")
	if err != nil {
		t.Fatal(err)
	}
	all, err := (&tester{out: dir}).updatesOf(key, key)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range all {
		body := content[:len(content)-card.TrailerSize]
		sum, err := card.ParseTrailer(content[len(body):])
		_, hasSignature := card.ParseSignature(body[len(body)-card.SignatureSize:])
		if whole := sum == sha256.Sum256(body); err != nil || whole == (name == "damaged.img") || hasSignature == (name == "unsigned.img") {
			t.Errorf("%s: got sum %v, signature %v, %v", name, whole, hasSignature, err)
		}
	}
}
