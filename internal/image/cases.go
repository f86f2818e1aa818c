package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"dashboard/internal/image/nbd"
	"dashboard/internal/image/state"
)

const (
	// pictureTime is for a machine to come to its picture: 50 s when nothing else runs here, many times that
	// when much does.
	pictureTime = 15 * time.Minute
	reportTime  = 5 * time.Minute
	// paintTolerance is for the floating point of two processors: arm64 rounds once where amd64 rounds twice.
	paintTolerance = 3
	// often has the appliance write all the time, not every few minutes: there shall be something to cut.
	often = "appliance.report=2 appliance.clock=1 " + alone
	// alone leaves out what needs a network: where nothing of it is tested it costs half of the start.
	alone = "systemd.mask=systemd-networkd.service systemd.mask=systemd-networkd.socket " +
		"systemd.mask=systemd-resolved.service systemd.mask=systemd-timesyncd.service"
)

// disk returns the test's card, as it comes out of the laptop.
func (t *tester) disk() (*nbd.Disk, func(), error) {
	f, err := os.Open(t.kit.image)
	if err != nil {
		return nil, nil, err
	}
	return nbd.NewDisk(f, cardSize), func() { f.Close() }, nil
}

// testBoot boots, looks, and reads the report.
func (t *tester) testBoot(ctx context.Context) error {
	d, done, err := t.disk()
	if err != nil {
		return err
	}
	defer done()
	m, err := t.start(ctx, d, "boot", "appliance.report=5")
	if err != nil {
		return err
	}
	defer m.stop()
	took, err := m.await(ctx, t.kit.want, paintTolerance, pictureTime)
	if err := errors.Join(err, t.keep(m, "boot")); err != nil {
		return err
	}
	report, err := t.awaitReport(ctx, d, "the kernel's start", reportTime)
	if err != nil {
		return err
	}
	t.say("      picture %.0f s after qemu's start, %s", took.Seconds(), field(report, "First frame"))
	if err := os.WriteFile(t.dir+"/report.txt", []byte(report), 0o644); err != nil {
		return err
	}
	if host := field(report, "Host name"); host != "cut-test" {
		return fmt.Errorf("host name: got %q, want %q", host, "cut-test")
	}
	if p := field(report, "Problems with the settings"); p != "" {
		return errors.New(p)
	}
	return t.awaitName(m)
}

// nameTime is for the network to come up and the name to be announced.
const nameTime = 5 * time.Minute

func (t *tester) awaitName(m *machine) error {
	for end := time.Now().Add(nameTime); time.Now().Before(end); time.Sleep(lookPause) {
		if ok, err := m.announced("cut-test"); ok || err != nil {
			return err
		}
	}
	return fmt.Errorf("after %v nothing said cut-test.local", nameTime)
}

// testCuts cuts the power, twice a round: once while the machine starts, and once while it shows its picture
// and writes all the time. After each, the configuration is whole and the next start comes to the picture.
func (t *tester) testCuts(ctx context.Context) error {
	d, done, err := t.disk()
	if err != nil {
		return err
	}
	defer done()
	known := int64(0)
	lost, cached := 0, 0
	for round := range t.test.cuts {
		took, err := t.roundToPicture(ctx, d, round)
		if err != nil {
			return fmt.Errorf("round %d: %w", round, err)
		}
		l, c, err := t.cutSoon(ctx, d, took)
		if err != nil {
			return fmt.Errorf("round %d, second cut: %w", round, err)
		}
		lost, cached = lost+l, cached+c
		r, err := stateOf(d)
		if err != nil || r.Clock < known || r.Good != state.A {
			return fmt.Errorf("round %d: state %+v, clock was %d: %w", round, r, known, err)
		}
		known = r.Clock
	}
	written, flushes := d.Written()
	t.say("      %d cuts, %d of %d cached blocks lost, %.1f MB written, %d flushes, state %v written",
		2*t.test.cuts, lost, cached, float64(written)/1e6, flushes, mustState(d).Seq)
	return nil
}

func mustState(d *nbd.Disk) state.Record {
	r, _ := stateOf(d) // it has just been read
	return r
}

// roundToPicture starts, waits for the picture, lets the machine write for a while, and cuts.
func (t *tester) roundToPicture(ctx context.Context, d *nbd.Disk, round int) (time.Duration, error) {
	m, err := t.start(ctx, d, "cuts", often)
	if err != nil {
		return 0, err
	}
	took, err := m.await(ctx, t.kit.want, paintTolerance, pictureTime)
	if err == nil {
		err = t.sleep(ctx, time.Duration(t.rand.Int64N(int64(writingTime))))
	}
	m.stop()
	lost, cached := d.Cut(t.rand)
	t.say("      round %d: picture after %.0f s; cut, %d of %d cached blocks lost", round, took.Seconds(), lost, cached)
	return took, errors.Join(err, t.keep(m, "cuts"), t.configWhole(ctx, d))
}

// writingTime is how long at most the power stays on after the picture.
const writingTime = 20 * time.Second

// cutSoon starts and cuts before the picture.
func (t *tester) cutSoon(ctx context.Context, d *nbd.Disk, took time.Duration) (lost, cached int, err error) {
	m, err := t.start(ctx, d, "cuts", often)
	if err != nil {
		return 0, 0, err
	}
	err = t.sleep(ctx, time.Duration(t.rand.Int64N(int64(took))))
	m.stop()
	lost, cached = d.Cut(t.rand)
	return lost, cached, errors.Join(err, t.configWhole(ctx, d))
}

func (t *tester) sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
