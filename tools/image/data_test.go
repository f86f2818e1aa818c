package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"dashboard/appliance/card"
	"dashboard/appliance/ext4"
	kept "dashboard/internal/state"
	"dashboard/tools/command"
)

const dataFile = "data.ext4"

// dataOf copies the current data partition of a disk to a file. The partition is behind the end of the image file.
func (t *tester) dataOf(d *disk) (string, error) {
	p, ok := card.DataPartition(d.Size())
	if !ok {
		return "", errors.New("the card has no room for it")
	}
	path := filepath.Join(t.kit.dir, dataFile)
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

// dataWhole checks the data partition after a power cut. After its journal is replayed, the file system must have no errors. If there is
// a report, it must be complete.
func (t *tester) dataWhole(ctx context.Context, d *disk) error {
	path, err := t.dataOf(d)
	if err != nil {
		return err
	}
	if err := t.mendTorn(path); err != nil {
		return err
	}
	// With -p, e2fsck replays the journal, as a mount does, and makes only safe repairs, such as the count of free blocks (status 1). Any
	// other damage gives status 4.
	if out, err := command.Run(ctx, nil, "e2fsck", "-f", "-p", path); err != nil && !strings.Contains(err.Error(), "exit status 1:") {
		return fmt.Errorf("%w: %s", err, out)
	}
	report, err := command.Run(ctx, nil, "debugfs", "-R", "cat "+card.ReportFile, path)
	if err == nil && report != "" && (!strings.HasPrefix(report, "Report of") || !strings.HasSuffix(report, "\n")) {
		return fmt.Errorf("a report of %d bytes is not whole", len(report))
	}
	return err
}

// mendTorn repairs a half-written superblock as the machine does.
func (t *tester) mendTorn(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	torn, err := ext4.MendSuper(f)
	if torn {
		t.say("      the cut has left half a superblock: mended")
	}
	if errors.Is(err, ext4.ErrNone) {
		return nil // e2fsck reports this
	}
	return err
}

// testData starts a machine several times: from a new card, after a power cut, with half a superblock, and with a damaged data partition.
// The first start stores some files before the data partition exists. These files must still exist at the second start, so the control
// token is the same.
func (t *tester) testData(ctx context.Context) error {
	conf, err := wordsFiles.ReadFile("words/" + confName)
	if err != nil {
		return err
	}
	conf, _, _ = bytes.Cut(conf, []byte("appearance:")) // without the theme, because the test's wall uses another theme
	d, done, err := t.lateData(ctx, conf)
	if err != nil {
		return err
	}
	defer done()
	d.Cut(t.rand)
	if err := t.dataWhole(ctx, d); err != nil {
		return fmt.Errorf("after a cut: %w", err)
	}
	token, err := t.keptIn(ctx, "dashboard/"+kept.Name("control-token", ""))
	if err != nil || len(token) < 20 {
		return fmt.Errorf("the token of the first start: got %q, %w", token, err)
	}
	if err := t.startsWith(ctx, d, "data-again", "", token, "The end of the report before this start:", "data: mounted"); err != nil {
		return err
	}
	d.Cut(t.rand)
	if err := t.dataWhole(ctx, d); err != nil {
		return fmt.Errorf("after another cut: %w", err)
	}
	for name, want := range map[string]string{kept.Name("control-token", ""): token, kept.Name("config", "/etc/dashboard"): "widgets.yaml"} {
		if got, err := t.keptIn(ctx, "dashboard/"+name); err != nil || !strings.Contains(got, want) {
			return fmt.Errorf("%s: got %d bytes, %w, want %q in it", name, len(got), err, want)
		}
	}
	if err := tearSuper(d); err != nil {
		return err
	}
	if err := t.startsWith(ctx, d, "data-torn", alone, "", "repaired a half-written superblock", "data: mounted"); err != nil {
		return err
	}
	d.Cut(t.rand)
	if err := t.dataWhole(ctx, d); err != nil {
		return fmt.Errorf("after half a superblock: %w", err)
	}
	if got, err := t.keptIn(ctx, "dashboard/"+kept.Name("control-token", "")); err != nil || got != token {
		return fmt.Errorf("after half a superblock: got a token of %d bytes, %w, want that of the first start", len(got), err)
	}
	if err := damage(d, t.rand); err != nil {
		return err
	}
	return t.startsWith(ctx, d, "data-damaged", alone, "", "formatting the partition again", "data: mounted")
}

// leastLate is the first delay of the data partition, in seconds.
const leastLate = 150

// lateData starts a machine from a new card whose data partition is late, so that the wall starts before the partition exists. On a busy
// host, the first frame can still come after the partition. In this case, lateData tries again with a new card and twice the delay.
func (t *tester) lateData(ctx context.Context, conf []byte) (*disk, func(), error) {
	for late := leastLate; ; late *= 2 {
		d, done, err := t.diskWith(ctx, map[string][]byte{card.ConfigFolder + "/" + confName: conf})
		if err != nil {
			return nil, nil, err
		}
		before, err := t.movesEarly(ctx, d, late)
		if before || err != nil || ctx.Err() != nil {
			return d, done, errors.Join(err, ctx.Err())
		}
		done()
		if 2*late > int(reportTime.Seconds()) {
			return nil, nil, fmt.Errorf("the wall has no frame before a data partition that is %d s late", late)
		}
	}
}

// movesEarly starts a new card whose data partition is late. It reports whether the first frame came before the partition. In this case
// the machine must move the wall's state from memory to the partition.
func (t *tester) movesEarly(ctx context.Context, d *disk, late int) (before bool, err error) {
	m, err := t.startShown(ctx, d, "data-new", fmt.Sprintf("appliance.report=2 appliance.data=%d %s", late, alone))
	if err != nil {
		return false, err
	}
	defer m.Stop()
	report, err := t.awaitReport(ctx, d, "s after the kernel's start", reportTime)
	if err != nil {
		return false, err
	}
	var frame float64
	if _, err := fmt.Sscanf(field(report, "First frame"), "%f s", &frame); err != nil {
		return false, err
	}
	if frame >= float64(late) {
		t.say("      the first frame came after %.0f s, later than the data partition", frame)
		return false, nil
	}
	for _, line := range []string{"data: formatting the partition of a new card", "data: mounted", "data: moved dashboard from memory"} {
		if report, err = t.awaitReport(ctx, d, line, reportTime); err != nil {
			return false, errors.Join(err, os.WriteFile(filepath.Join(t.dir, "data-new.txt"), []byte(report), 0o644))
		}
	}
	return true, t.keep(m, "data-new")
}

const confName = "conf.yaml"

// keptIn() reads a file from the data partition that dataWhole has copied and repaired.
func (t *tester) keptIn(ctx context.Context, name string) (string, error) {
	return command.Run(ctx, nil, "debugfs", "-R", "cat "+name, filepath.Join(t.kit.dir, dataFile))
}

// startsWith starts a machine with additional kernel parameters. It expects the picture, the QR code of the address if `token` is set,
// and reports that contain the given texts. Then it switches the machine off.
func (t *tester) startsWith(ctx context.Context, d *disk, name, more, token string, says ...string) error {
	m, err := t.startShown(ctx, d, name, "appliance.report=2 "+more)
	if err != nil {
		return err
	}
	defer m.Stop()
	if token != "" {
		if err := m.awaitCode(token); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", name, err), t.keep(m, name))
		}
	}
	for _, s := range says {
		report, err := t.awaitReport(ctx, d, s, reportTime)
		if err != nil {
			return errors.Join(fmt.Errorf("%s: %w", name, err), os.WriteFile(filepath.Join(t.dir, name+".txt"), []byte(report), 0o644))
		}
	}
	return t.keep(m, name)
}

// tearSuper changes the data partition as if the power failed in the middle of a write to its superblock, which has two sectors. The
// first sector is new and contains an increased number of mounts (Documentation/filesystems/ext4/super.rst, s_mnt_count). The second
// sector, with the checksum, is old.
func tearSuper(d *disk) error {
	p, _ := card.DataPartition(d.Size())
	var mounts [1]byte
	const at = 1024 + 0x34
	if _, err := d.ReadAt(mounts[:], p.Start+at); err != nil {
		return err
	}
	mounts[0]++
	_, err := d.WriteAt(mounts[:], p.Start+at)
	d.Flush()
	return err
}

// damage overwrites the beginning of the data partition, and some other places.
func damage(d *disk, r *rand.Rand) error {
	p, _ := card.DataPartition(d.Size())
	rubbish := make([]byte, 64<<10)
	for i := range rubbish {
		rubbish[i] = byte(r.Uint32())
	}
	for _, at := range []int64{2 << 10, 1 << 20, 32 << 20, 64 << 20} { // the superblock stays, because e2fsck needs it
		if _, err := d.WriteAt(rubbish, p.Start+at); err != nil {
			return err
		}
	}
	d.Flush()
	return nil
}
