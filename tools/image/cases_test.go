package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"dashboard/appliance/state"
	"dashboard/tools/qemu"
)

const (
	// pictureTime bounds the time until a machine shows its picture. An idle host needs 50 s, and a busy host needs many times longer.
	pictureTime = 45 * time.Minute
	// reportTime bounds the time from the picture to a line of the report. The services that start after the picture need a long time on
	// a busy host.
	reportTime = 20 * time.Minute
	// paintTolerance allows for floating point on two processors. When a product is added to a number, arm64 rounds once, and amd64
	// rounds twice.
	paintTolerance = 3
	// often contains the parameters that make the appliance write all the time instead of every few minutes, so that power cuts interrupt
	// writes.
	often = "appliance.report=500ms appliance.clock=1 " + alone
	// alone contains the parameters that disable the services that need a network. In cases without a network, these services would cost
	// half of the time of a start.
	alone = "systemd.mask=systemd-networkd.service systemd.mask=systemd-networkd.socket " +
		"systemd.mask=systemd-resolved.service systemd.mask=systemd-timesyncd.service"
)

// disk returns a new copy of the test's card, as it is after a user has written the configuration with a laptop.
func (t *tester) disk() (*disk, func(), error) {
	f, err := os.Open(t.kit.image)
	if err != nil {
		return nil, nil, err
	}
	return newDisk(f, cardSize), func() { f.Close() }, nil
}

// testBoot boots a machine, waits for the picture, and reads the report.
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
	defer m.Stop()
	took, err := m.await(ctx, t.kit.want, paintTolerance, pictureTime)
	busy := m.Processor()
	if err := errors.Join(err, t.keep(m, "boot")); err != nil {
		return err
	}
	if m.stray > maxTorn {
		return fmt.Errorf("there were %d pixels on the screen that belong to no picture", m.stray)
	}
	if !m.began {
		return errors.New("no start screen was seen")
	}
	if err := m.awaitAnyNote(ctx); err != nil {
		return errors.Join(err, t.keep(m, "boot"))
	}
	report, err := t.awaitReport(ctx, d, "the kernel's start", reportTime)
	if err != nil {
		return err
	}
	t.say("      picture %.0f s after qemu's start, %.0f s of a processor; %s", took.Seconds(), busy.Seconds(), field(report, "First frame"))
	if err := os.WriteFile(t.dir+"/report.txt", []byte(report), 0o644); err != nil {
		return err
	}
	if host := field(report, "Host name"); host != "cut-test" {
		return fmt.Errorf("host name: got %q, want %q", host, "cut-test")
	}
	if p := field(report, "Problems with the settings"); p != "" {
		return errors.New(p)
	}
	if *board == qemu.Pi4().Machine {
		return nil // this machine has no network
	}
	return t.awaitName(m)
}

// nameTime is the maximum time until the network is up and the name is announced.
const nameTime = 20 * time.Minute

func (t *tester) awaitName(m *machine) error {
	for end := time.Now().Add(nameTime); time.Now().Before(end); time.Sleep(lookPause) {
		if ok, err := m.announced("cut-test"); ok || err != nil {
			return err
		}
	}
	return fmt.Errorf("after %v nothing said cut-test.local", nameTime)
}

// testCuts cuts the power many times. Usually it cuts while the machine writes during its start, after a random number of bytes. In one
// of -picture-each rounds and in the last round, it cuts while the machine shows its picture and writes all the time.
//
// The disk also records how its content would look after a cut at other moments. In each of these samples the configuration, the data
// partition and the machine's stored state must be intact. The next round starts from one of these samples, chosen at random.
func (t *tester) testCuts(ctx context.Context) error {
	d, done, err := t.disk()
	if err != nil {
		return err
	}
	defer done()
	moments, pictures, known := 0, 0, int64(0)
	for round := range *cuts {
		before, err := stateOf(d)
		if err != nil {
			return err
		}
		whole := before.Seq > 0 && t.dataWhole(ctx, d) == nil // a new card is formatted at its first start
		limit := int64(1)<<16 + t.rand.Int64N(mostWritten)
		if round%*pictureEach == 0 || round == *cuts-1 {
			limit = 0
			pictures++
		}
		samples, err := t.roundOfCuts(ctx, d, round, limit)
		if err != nil {
			return fmt.Errorf("round %d: %w", round, err)
		}
		if err := t.soundAll(ctx, samples, known, whole); err != nil {
			return fmt.Errorf("round %d: %w", round, err)
		}
		moments += len(samples)
		d = samples[t.rand.IntN(len(samples))]
		r, err := stateOf(d)
		if err != nil {
			return err
		}
		known = r.Clock
	}
	t.say("      the power was cut %d times, %d of them with the picture; %d moments of a cut looked at, %d of them started from", *cuts, pictures, moments, *cuts-1)
	return nil
}

const (
	// mostWritten bounds the random number of bytes before a cut during the start. A new card writes about 8 MB, including the
	// formatting, until half a minute after its picture. A used card writes less until its picture.
	mostWritten = 3 << 19
	// sampleEvery is the average number of written blocks between two samples. The machine writes each report to two places, with 128
	// blocks in each place.
	sampleEvery = 400
	// writingTime is the time for which the machine writes after the picture.
	writingTime = 30 * time.Second
)

// roundOfCuts starts a machine. If `limit` is positive, it waits until `limit` bytes are written. Otherwise it waits for the picture and
// lets the machine write for writingTime. Then it cuts the power. It returns the samples of the whole round. The last sample is the disk
// after the cut.
func (t *tester) roundOfCuts(ctx context.Context, d *disk, round int, limit int64) ([]*disk, error) {
	before, _ := d.Written()
	d.Sample(t.rand, sampleEvery)
	m, err := t.start(ctx, d, fmt.Sprintf("cuts-%d", round), often)
	if err != nil {
		return nil, err
	}
	what := "picture"
	if limit > 0 {
		what = fmt.Sprintf("%.2f MB", float64(limit)/1e6)
		err = t.awaitWritten(ctx, m, d, before+limit)
	} else if _, err = m.await(ctx, t.kit.want, paintTolerance, pictureTime); err == nil {
		err = errors.Join(t.keep(m, fmt.Sprintf("cuts-%d", round)), t.sleep(ctx, writingTime))
	}
	took := time.Since(m.Began)
	m.Stop()
	d.Sample(nil, 0)
	lost, cached := d.Cut(t.rand)
	samples := append(d.Samples(), d)
	written, _ := d.Written()
	t.say("      round %d: cut at the %s, %.0f s after the start, %.2f MB written; %d of %d cached blocks lost; %d samples",
		round, what, took.Seconds(), float64(written-before)/1e6, lost, cached, len(samples))
	return samples, err
}

// awaitWritten waits until the given number of bytes is written to a disk.
func (t *tester) awaitWritten(ctx context.Context, m *machine, d *disk, bytes int64) error {
	for end := time.Now().Add(pictureTime); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if written, _ := d.Written(); written >= bytes {
			return nil
		}
		select {
		case <-m.Dead:
			return errEnded
		case <-ctx.Done():
			return ctx.Err()
		default:
		}
	}
	return fmt.Errorf("after %v there were no %d bytes written", pictureTime, bytes)
}

// soundAll checks samples, which are states of a disk after a cut. No stored clock may be earlier than `known`, the clock that was stored
// before the start. `whole` is true if the data partition was intact before the start. Then it must be intact in every sample. Otherwise
// a cut may have come while the partition was created, and the next start creates it again.
func (t *tester) soundAll(ctx context.Context, samples []*disk, known int64, whole bool) error {
	for i, s := range samples {
		if err := t.dataWhole(ctx, s); err != nil && whole {
			return fmt.Errorf("sample %d: data: %w", i, err)
		}
		if err := t.configWhole(ctx, s); err != nil {
			return fmt.Errorf("sample %d: %w", i, err)
		}
		r, err := stateOf(s)
		if err != nil || r.Clock < known || r.Good != state.A || r.Trial != state.None {
			return fmt.Errorf("sample %d: state %+v, the clock was %d: %w", i, r, known, err)
		}
	}
	return nil
}

func (t *tester) sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
