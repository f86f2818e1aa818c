package main

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"time"

	"dashboard/tools/qemu"
)

const (
	// mostRunning bounds the bytes after which the power of a running machine is cut: some seconds of its writing.
	mostRunning = 1 << 20
	// runningBack is how many such cuts have one that is started from.
	runningBack = 20
)

// copy is a disk that has the same on it, and goes its own way. Nothing may be under way.
func (d *disk) copy() *disk {
	d.mu.Lock()
	defer d.mu.Unlock()
	return &disk{base: d.base, size: d.size, kept: maps.Clone(d.kept), cached: maps.Clone(d.cached)}
}

// testRunning cuts the power of a machine that shows its picture and writes all the time, again and again from where it was after one
// start: a cut takes seconds so. What each leaves must be whole, and one in runningBack is started from, to the picture.
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
		if err == nil && (round+1)%runningBack == 0 {
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

// saveRunning starts and, some time after the picture, when there is a data partition, keeps the machine in a file.
func (t *tester) saveRunning(ctx context.Context, d *disk, file string) error {
	m, err := t.start(ctx, d, "running", often)
	if err != nil {
		return err
	}
	defer m.Stop()
	if _, err := m.await(ctx, t.kit.want, paintTolerance, pictureTime); err != nil {
		return err
	}
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

// cutRunning has the machine go on with a disk, until any number of bytes was written, and cuts the power. It returns the samples, the
// disk itself the last.
func (t *tester) cutRunning(ctx context.Context, d *disk, file string, round int) ([]*disk, error) {
	on := *t
	on.more = append(qemu.Saved(file), t.more...)
	d.Sample(t.rand, sampleEvery)
	limit := int64(1)<<12 + t.rand.Int64N(mostRunning)
	m, err := on.start(ctx, d, "running-on", often)
	if err != nil {
		return nil, err
	}
	defer m.Stop()
	if err := m.Resume(ctx); err != nil {
		return nil, err
	}
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
