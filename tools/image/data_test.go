package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"dashboard/appliance/card"
	"dashboard/tools/qemu"
)

// dataOf copies the data partition of a disk, as it is now, to a file. The image file ends before it.
func (t *tester) dataOf(d *disk) (string, error) {
	p, ok := card.DataPartition(d.Size())
	if !ok {
		return "", errors.New("the card has no room for it")
	}
	path := filepath.Join(t.kit.dir, "data.ext4")
	if err := os.RemoveAll(path); err != nil {
		return "", err
	}
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return path, errors.Join(f.Truncate(p.Size), d.Changes(f, p.Start, p.Size))
}

// dataWhole checks what the power's end has left of the data partition: a file system that is sound once its journal was
// played, and a report with all its bytes if there is one.
func (t *tester) dataWhole(ctx context.Context, d *disk) error {
	path, err := t.dataOf(d)
	if err != nil {
		return err
	}
	// It plays the journal, as a mount does, and counts what is free anew. All else it takes for damage: status 4.
	if out, err := qemu.Command(ctx, nil, "e2fsck", "-f", "-p", path); err != nil && !strings.Contains(err.Error(), "exit status 1:") {
		return fmt.Errorf("%w: %s", err, out)
	}
	report, err := qemu.Command(ctx, nil, "debugfs", "-R", "cat "+card.ReportFile, path)
	if err == nil && report != "" && (!strings.HasPrefix(report, "Report of") || !strings.HasSuffix(report, "\n")) {
		return fmt.Errorf("a report of %d bytes is not whole", len(report))
	}
	return err
}

// testData starts from a card that was never started, once more after the power was cut, and with a data partition that is damaged.
func (t *tester) testData(ctx context.Context) error {
	d, done, err := t.disk()
	if err != nil {
		return err
	}
	defer done()
	if err := t.startsWith(ctx, d, "data-new", "data: made for a card that is new", "data: mounted"); err != nil {
		return err
	}
	d.Cut(t.rand)
	if err := t.dataWhole(ctx, d); err != nil {
		return fmt.Errorf("after a cut: %w", err)
	}
	if err := t.startsWith(ctx, d, "data-again", "The end of the report before this start:", "data: mounted"); err != nil {
		return err
	}
	path, err := t.dataOf(d)
	if err != nil {
		return err
	}
	kept, err := qemu.Command(ctx, nil, "debugfs", "-R", "ls dashboard", path)
	if err != nil || !strings.Contains(kept, "config-") {
		return fmt.Errorf("got %q, %w, want the last good configuration", kept, err)
	}
	d.Cut(t.rand)
	if err := damage(d, t.rand); err != nil {
		return err
	}
	return t.startsWith(ctx, d, "data-damaged", "it is made anew", "data: mounted")
}

// startsWith starts, and wants the picture and a report that says something. Then the machine is switched off.
func (t *tester) startsWith(ctx context.Context, d *disk, name string, says ...string) error {
	m, err := t.start(ctx, d, name, "appliance.report=2 "+alone)
	if err != nil {
		return err
	}
	defer m.Stop()
	if _, err := m.await(ctx, t.kit.want, paintTolerance, pictureTime); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, s := range says {
		report, err := t.awaitReport(ctx, d, s, reportTime)
		if err != nil {
			return errors.Join(fmt.Errorf("%s: %w", name, err), os.WriteFile(filepath.Join(t.dir, name+".txt"), []byte(report), 0o644))
		}
	}
	return t.keep(m, name)
}

// damage writes what is no file system over the beginning of the data partition, and here and there.
func damage(d *disk, r *rand.Rand) error {
	p, _ := card.DataPartition(d.Size())
	rubbish := make([]byte, 64<<10)
	for i := range rubbish {
		rubbish[i] = byte(r.Uint32())
	}
	for _, at := range []int64{2 << 10, 1 << 20, 32 << 20, 64 << 20} { // the superblock stays: e2fsck has something to begin with
		if _, err := d.WriteAt(rubbish, p.Start+at); err != nil {
			return err
		}
	}
	d.Flush()
	return nil
}
