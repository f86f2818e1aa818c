package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"time"

	"dashboard/appliance/state"
	"dashboard/tools/qemu"
)

// mostRunning bounds the random number of bytes after which a running machine loses its power. The machine writes them in a few seconds.
const mostRunning = 1 << 20

// copy() returns an independent disk with the same content. The caller must not write to d during the copy.
func (d *disk) copy() *disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	return &disk{base: d.base, size: d.size, kept: maps.Clone(d.kept), cached: maps.Clone(d.cached)}
}

// resume() continues a machine whose state was saved in `file`. At the moment of saving, its disk must have had the same content as `d`.
func (t *tester) resume(ctx context.Context, d *disk, file, name, more string) (*machine, error) {
	on := *t
	on.more = append(qemu.Saved(file), t.more...)
	m, err := on.start(ctx, d, name, more)
	if err != nil {
		return nil, err
	}
	if err := m.Resume(ctx); err != nil {
		m.Stop()
		return nil, err
	}
	return m, nil
}

// testRunning cuts the power of a machine that shows its picture and writes all the time. Each round begins with the saved state after
// one start, so a cut takes only seconds. The disk must be intact after each cut. After one in -running-back cuts, the machine starts
// again from this disk until the picture appears.
func (t *tester) testRunning(ctx context.Context) error {
	d, done, err := t.disk()
	if err != nil {
		return err
	}
	defer done()
	file := filepath.Join(t.kit.dir, "running")
	if err := t.saveRunning(ctx, d, file); err != nil {
		return err
	}
	before, err := stateOf(d)
	if err != nil {
		return err
	}
	moments, back := 0, 0
	for round := range *running {
		c := d.copy()
		samples, err := t.cutRunning(ctx, c, file, round)
		if err == nil {
			err = t.soundAll(ctx, samples, before.Clock, true)
		}
		if err == nil && (round+1)%*runningBack == 0 {
			back++
			err = t.startsWith(ctx, c, fmt.Sprintf("running-back-%d", round), alone, "")
		}
		if err != nil {
			return fmt.Errorf("round %d: %w", round, err)
		}
		moments += len(samples)
	}
	t.say("      the power was cut %d times while the picture was shown; %d moments of a cut looked at, %d of them started from", *running, moments, back)
	return nil
}

// testUpdates repeatedly cuts the power of a machine that writes an update. Each round begins with the state saved at the beginning of
// the update. Slot a and its state must be unchanged. After one in -updates-back cuts, the machine starts again. It must write the update
// from the beginning and restart into the update.
func (t *tester) testUpdates(ctx context.Context) error {
	d, size, done, err := t.diskWithUpdate(ctx)
	if err != nil {
		return err
	}
	defer done()
	file := filepath.Join(t.kit.dir, "updates")
	begun, err := t.saveUpdating(ctx, d, file)
	if err != nil {
		return err
	}
	back := 0
	for round := range *updates {
		c := d.copy()
		err := t.cutUpdating(ctx, c, file, begun, size, round)
		if err == nil && (round+1)%*updatesBack == 0 {
			back++
			err = t.takesUpdate(ctx, c, round)
		}
		if err != nil {
			return fmt.Errorf("round %d: %w", round, err)
		}
	}
	t.say("      the power was cut %d times while an update was written, %d of them started from", *updates, back)
	return nil
}

// saveUpdating starts a machine, and saves it in a file when it has begun to write the update. It returns the number of bytes that were
// written to the disk until then.
func (t *tester) saveUpdating(ctx context.Context, d *disk, file string) (begun int64, err error) {
	m, err := t.start(ctx, d, "updates", alone)
	if err != nil {
		return 0, err
	}
	defer m.Stop()
	const first = 2 << 20
	if err := t.awaitWritten(ctx, m, d, besides+first); err != nil {
		return 0, err
	}
	if err := m.Save(ctx, file); err != nil {
		return 0, err
	}
	m.Stop()
	d.Flush()
	written, _ := d.Written()
	return written, nil
}

// cutUpdating continues the update on a disk, and cuts the power after a random part of the remaining bytes is written.
func (t *tester) cutUpdating(ctx context.Context, d *disk, file string, begun, size int64, round int) error {
	m, err := t.resume(ctx, d, file, "updates-on", alone)
	if err != nil {
		return err
	}
	defer m.Stop()
	if err := t.awaitWritten(ctx, m, d, t.rand.Int64N(size-begun)); err != nil {
		return err
	}
	m.Stop()
	written, _ := d.Written()
	lost, cached := d.Cut(t.rand)
	t.say("      round %d: cut after %.1f of %.1f MB, %d of %d cached blocks lost", round, float64(begun+written)/1e6, float64(size)/1e6, lost, cached)
	r, err := stateOf(d)
	if err != nil || r.Trial != state.None || r.Good != state.A {
		return fmt.Errorf("cut, and the state is %+v: %w", r, err)
	}
	return errors.Join(t.configWhole(ctx, d), t.dataWhole(ctx, d))
}

// takesUpdate starts a machine after a cut. It waits for the picture, and then until the update is written and the machine restarts.
func (t *tester) takesUpdate(ctx context.Context, d *disk, round int) error {
	if err := t.untilRestart(ctx, d, fmt.Sprintf("updates-back-%d", round)); err != nil {
		return fmt.Errorf("writing the update: %w", err)
	}
	if r, err := stateOf(d); err != nil || r.Trial != state.B || r.Good != state.A {
		return fmt.Errorf("the update is written, and the state is %+v: %w", r, err)
	}
	return nil
}

// saveRunning starts a machine, and saves it in a file some time after the picture has appeared and the data partition exists.
func (t *tester) saveRunning(ctx context.Context, d *disk, file string) error {
	m, err := t.startShown(ctx, d, "running", often)
	if err != nil {
		return err
	}
	defer m.Stop()
	if _, err := t.awaitReport(ctx, d, "data: mounted", reportTime); err != nil {
		return err
	}
	if err := t.sleep(ctx, writingTime); err != nil {
		return err
	}
	if err := m.Save(ctx, file); err != nil {
		return err
	}
	m.Stop()
	d.Flush()
	return t.dataWhole(ctx, d)
}

// cutRunning continues the saved machine with the disk `d`, and cuts the power after a random number of bytes is written. It returns the
// samples. The last sample is the disk itself.
func (t *tester) cutRunning(ctx context.Context, d *disk, file string, round int) ([]*disk, error) {
	d.Sample(t.rand, sampleEvery)
	limit := int64(1)<<12 + t.rand.Int64N(mostRunning)
	m, err := t.resume(ctx, d, file, "running-on", often)
	if err != nil {
		return nil, err
	}
	defer m.Stop()
	err = t.awaitWritten(ctx, m, d, limit)
	m.Stop()
	d.Sample(nil, 0)
	lost, cached := d.Cut(t.rand)
	samples := append(d.Samples(), d)
	written, _ := d.Written()
	t.say("      round %d: cut after %.2f MB, %.0f s; %d of %d cached blocks lost; %d samples",
		round, float64(written)/1e6, time.Since(m.Began).Seconds(), lost, cached, len(samples))
	return samples, err
}
