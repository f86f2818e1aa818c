package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dashboard/appliance/card"
	"dashboard/appliance/state"
	"dashboard/tools/command"
)

// diskWith returns the test's card with additional files, as if a user had copied them with a laptop.
func (t *tester) diskWith(ctx context.Context, files map[string][]byte) (*disk, func(), error) {
	path := filepath.Join(t.kit.dir, "with.img")
	if _, err := command.Run(ctx, nil, "cp", "--sparse=always", t.kit.image, path); err != nil {
		return nil, nil, err
	}
	k := *t.kit
	k.image = path
	for name, content := range files {
		if err := k.write(ctx, name, content); err != nil {
			return nil, nil, err
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	return newDisk(f, cardSize), func() { f.Close(); os.Remove(path) }, nil
}

// diskWithUpdate returns a disk with an update of the image. The update contains the kernel that is already running. `size` is the size
// of its root file system in bytes: only this part is written.
func (t *tester) diskWithUpdate(ctx context.Context) (d *disk, size int64, done func(), err error) {
	update, err := os.ReadFile(t.kit.update)
	if err != nil {
		return nil, 0, nil, err
	}
	root, _ := partsOf(update)
	d, done, err = t.diskWith(ctx, map[string][]byte{card.UpdateFile: update})
	return d, int64(len(root)), done, err
}

// testUpdate writes an update to the card. If the power is cut during the installation, slot a must show its picture again and restart
// the installation. Then slot b must show the picture, and must be kept.
func (t *tester) testUpdate(ctx context.Context) error {
	d, size, done, err := t.diskWithUpdate(ctx)
	if err != nil {
		return err
	}
	defer done()
	for n := range *updateCuts {
		if err := t.cutUpdate(ctx, d, n, size); err != nil {
			return fmt.Errorf("cut %d: %w", n, err)
		}
	}
	if err := t.untilRestart(ctx, d, "update-a"); err != nil {
		return fmt.Errorf("writing the update: %w", err)
	}
	if r, err := stateOf(d); err != nil || r.Trial != state.B || r.Good != state.A {
		return fmt.Errorf("the update is written, and the state is %+v: %w", r, err)
	}
	err = t.keptSlot(ctx, d, "update-b", "Slot: b (good b, on trial none, trials failed 0)", longTrial+" "+alone)
	return errors.Join(err, t.configWhole(ctx, d))
}

// longTrial gives a slot on trial more time than a board needs, because an emulated machine is slow.
const longTrial = "appliance.trial=2700"

// cutUpdate cuts the power when about half of the update is written. In later rounds it cuts at a random position.
func (t *tester) cutUpdate(ctx context.Context, d *disk, round int, size int64) error {
	before, _ := d.Written()
	at := size / 2
	if round > 0 {
		at = t.rand.Int64N(size - besides) // the files of the first start already exist, so less is written before the update
	}
	m, err := t.start(ctx, d, fmt.Sprintf("update-cut-%d", round), alone)
	if err != nil {
		return err
	}
	defer m.Stop()
	if err := t.awaitWritten(ctx, m, d, before+at+besides); err != nil {
		return err
	}
	m.Stop()
	written, _ := d.Written()
	lost, cached := d.Cut(t.rand)
	t.say("      cut after %.1f of %.1f MB, %d of %d cached blocks lost", float64(written-before)/1e6, float64(size)/1e6, lost, cached)
	r, err := stateOf(d)
	if err != nil || r.Trial != state.None || r.Good != state.A {
		return fmt.Errorf("cut, and the state is %+v: %w", r, err)
	}
	return errors.Join(t.configWhole(ctx, d), t.dataWhole(ctx, d))
}

// besides is the approximate number of bytes that a machine writes before an update, for the data partition and its content.
const besides = 4 << 20

// untilRestart starts a machine. It waits until the machine shows the picture, and then until the machine restarts.
func (t *tester) untilRestart(ctx context.Context, d *disk, name string) error {
	m, err := t.start(ctx, d, name, alone)
	if err != nil {
		return err
	}
	defer m.Stop()
	if _, err := m.await(ctx, t.kit.want, paintTolerance, pictureTime); err != nil && !errors.Is(err, errEnded) {
		return err
	}
	return t.awaitEnd(ctx, m)
}

// testBroken copies an update to the card. The first process of this update does nothing and never ends. The trial must end
// automatically, and the machine must use slot a again.
func (t *tester) testBroken(ctx context.Context) error {
	update, err := t.brokenUpdate(ctx)
	if err != nil {
		return err
	}
	d, done, err := t.diskWith(ctx, map[string][]byte{card.UpdateFile: update})
	if err != nil {
		return err
	}
	defer done()
	if err := t.untilRestart(ctx, d, "broken-a"); err != nil {
		return fmt.Errorf("writing the update: %w", err)
	}
	if err := t.trial(ctx, d); err != nil {
		return err
	}
	if r, err := stateOf(d); err != nil || r.Trial != state.None || r.Failed != 1 {
		return fmt.Errorf("after the trial the state is %+v: %w", r, err)
	}
	return t.keptSlot(ctx, d, "broken-back", "Slot: a (good a, on trial none, trials failed 1)", alone)
}

// trial() boots the broken slot. The machine must end the trial without help.
func (t *tester) trial(ctx context.Context, d *disk) error {
	m, err := t.start(ctx, d, "broken-trial", "appliance.trial=60")
	if err != nil {
		return err
	}
	defer m.Stop()
	return t.awaitEnd(ctx, m)
}

// hang is the program that replaces systemd in the broken update.
const hang = "package main\n\nimport \"time\"\n\nfunc main() {\n\tfor {\n\t\ttime.Sleep(time.Hour)\n\t}\n}\n"

// brokenUpdate creates an update that is complete, can be mounted, starts, and never paints.
func (t *tester) brokenUpdate(ctx context.Context) ([]byte, error) {
	dir, err := os.MkdirTemp(t.kit.dir, "broken-")
	if err != nil {
		return nil, err
	}
	source, root := filepath.Join(dir, "hang.go"), filepath.Join(dir, "root")
	if err := os.WriteFile(source, []byte(hang), 0o644); err != nil {
		return nil, err
	}
	env := []string{"GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0"}
	if _, err := command.Run(ctx, env, "go", "build", "-o", filepath.Join(root, "usr/lib/systemd/systemd"), source); err != nil {
		return nil, err
	}
	for _, f := range append(emptyFolders, "var", "etc") {
		if err := os.MkdirAll(filepath.Join(root, f), 0o755); err != nil {
			return nil, err
		}
	}
	file := filepath.Join(dir, "broken.squashfs")
	if _, err := command.Run(ctx, nil, "mksquashfs", root, file, "-noappend", "-quiet", "-no-progress"); err != nil {
		return nil, err
	}
	content, err := os.ReadFile(file)
	return append(content, card.Trailer(sha256.Sum256(content))...), err
}
