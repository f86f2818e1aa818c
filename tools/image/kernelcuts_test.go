package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"slices"
	"strings"
	"testing"

	"dashboard/appliance/card"
	"dashboard/appliance/fat"
	"dashboard/appliance/state"
	"dashboard/tools/command"
)

// `lost` is additional output of fsck.vfat if files were being created during the cut. It reports lost clusters, two different tables,
// and an old count of free clusters. No file loses data.
var lost = []string{"Reclaimed ", "Reclaiming ", "Free cluster summary ", "FATs differ but appear to be intact.", "  Using first FAT.", "  Auto-correcting."}

func onlyLost(out string) bool {
	var rest strings.Builder
	for line := range strings.Lines(out) {
		if !slices.ContainsFunc(lost, func(begin string) bool { return strings.HasPrefix(line, begin) }) {
			rest.WriteString(line)
		}
	}
	return onlyDirty(rest.String()) || strings.Contains(out, "Reclaimed ") && onlyDirty(rest.String()+"Dirty bit is set.")
}

// missing() returns a tester that expects a start screen with the reason why a kernel is not used.
func (t *tester) missing(why state.Missed) *tester {
	on, k := *t, *t.kit
	problem := "The update's kernel is not used: " + why.String()
	k.starts = []*image.RGBA{k.startOf(true, problem), k.startOf(false, problem)}
	on.kit = &k
	return &on
}

// testKernelCuts repeatedly cuts the power while the machine writes a kernel. After each cut, folder a must be intact, and the next start
// must write the kernel from the beginning. The update's root file system paints nothing, so in the end the machine uses the old kernel
// and the old root file system again.
func (t *tester) testKernelCuts(ctx context.Context) error {
	if processor() == amd64 {
		return nil
	}
	dark, err := t.brokenUpdate(ctx)
	if err != nil {
		return err
	}
	root, _ := partsOf(dark)
	n, d, done, err := t.diskWithKernel(ctx, root, longer)
	if err != nil {
		return err
	}
	defer done()
	for round := range *kernelCuts {
		if d, err = t.cutKernel(ctx, d, round, n); err != nil {
			return fmt.Errorf("cut %d: %w", round, err)
		}
	}
	if err := t.asksTryboot(ctx, d, "kernelcuts-a", n); err != nil {
		return err
	}
	if err := t.nothingLost(ctx, d); err != nil {
		return err
	}
	m, err := t.startFirmware(ctx, d, card.TryFile, "kernelcuts-dark", "appliance.trial=60")
	if err != nil {
		return err
	}
	defer m.Stop()
	if err := t.awaitEnd(ctx, m); err != nil {
		return err
	}
	back, err := t.startFirmware(ctx, d, card.FirmwareFile, "kernelcuts-back", "appliance.report=5 "+alone)
	if err != nil {
		return err
	}
	defer back.Stop()
	return t.reports(ctx, back, d, "Slot: a (good a, on trial none, trials failed 1)", "Kernel's folder: a (on trial none)", "KERNEL NOT REPLACED: "+state.NotPainted.String())
}

// cutKernel starts a machine and cuts the power after it has written a random number of bytes of a kernel. It returns a disk with the
// state at one of the recorded moments.
func (t *tester) cutKernel(ctx context.Context, d *disk, round int, n newKernel) (*disk, error) {
	before, _ := d.Written()
	at := t.rand.Int64N(int64(len(n.archive)))
	if round == 0 {
		at += besides
	}
	const each = 2000 // average number of written blocks between two samples
	d.Sample(t.rand, each)
	m, err := t.startFirmware(ctx, d, card.FirmwareFile, fmt.Sprintf("kernelcuts-%d", round), alone)
	if err != nil {
		return nil, err
	}
	defer m.Stop()
	if err := t.awaitWritten(ctx, m, d, before+at); err != nil {
		return nil, err
	}
	m.Stop()
	d.Sample(nil, 0)
	written, _ := d.Written()
	gone, cached := d.Cut(t.rand)
	samples := append(d.Samples(), d)
	for i, s := range samples {
		folder, err := t.bootable(ctx, s, n)
		if r, failed := stateOf(s); err != nil || failed != nil || folder != "a" || r.Trial != state.None || r.Good != state.A {
			return nil, fmt.Errorf("moment %d: folder %q, state %+v: %w", i, folder, r, errors.Join(err, failed))
		}
	}
	t.say("      cut after %.1f of %.1f MB, %d of %d cached blocks lost; %d moments", float64(written-before)/1e6, float64(len(n.archive))/1e6, gone, cached, len(samples))
	return samples[t.rand.IntN(len(samples))], nil
}

func TestOnlyLost(t *testing.T) {
	for out, want := range map[string]bool{
		"fsck.fat 4.2 (2021-01-31)\nFATs differ but appear to be intact.\n  Using first FAT.\nReclaimed 12 unused clusters (24576 bytes).\nFree cluster summary wrong (1 vs. really 2)\n  Auto-correcting.\nDirty bit is set. x\n": true,
		"Dirty bit is set.\n/a/vmlinuz and\n/b/vmlinuz\n  share clusters.\n":            false,
		"Dirty bit is set.\n/b/vmlinuz\n  Contains a free cluster (5). Assuming EOF.\n": false,
	} {
		if got := onlyLost(out); got != want {
			t.Errorf("%q: got %v, want %v", out, got, want)
		}
	}
}

// diskWithKernel returns a disk with an update that contains another kernel, and another root file system unless `root` is nil.
func (t *tester) diskWithKernel(ctx context.Context, root []byte, change func([]byte) []byte) (n newKernel, d *disk, done func(), err error) {
	if n, err = t.otherKernel(root, change); err != nil {
		return n, nil, nil, err
	}
	d, done, err = t.diskWith(ctx, map[string][]byte{card.UpdateFile: n.update})
	return n, d, done, err
}

// nothingLost checks that the first partition has no lost clusters. The start after a cut must have freed them.
func (t *tester) nothingLost(ctx context.Context, d *disk) error {
	partition, err := t.bootOf(d)
	if err != nil {
		return err
	}
	// The error is ignored, because the command also fails if the partition is marked as dirty.
	if out, _ := command.Run(ctx, nil, "fsck.vfat", "-n", partition); strings.Contains(out, "Reclaimed ") {
		return fmt.Errorf("after the start that follows: %s", out)
	}
	return nil
}

// mended() repairs a first partition in the same way as the next start does before it mounts the partition. After the repair, no cluster
// is lost.
func (t *tester) mended(ctx context.Context, partition string) error {
	f, err := os.OpenFile(partition, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	freed, err := fat.Reclaim(f)
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	if freed > 0 {
		t.say("      %d clusters were nobody's", freed)
	}
	if out, err := command.Run(ctx, nil, "fsck.vfat", "-n", partition); strings.Contains(out, "Reclaimed ") || err != nil && !onlyLost(out) {
		return fmt.Errorf("after it was mended: %w: %s", err, out)
	}
	return nil
}
