package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"time"
)

const (
	// handoverPause is the time between two screenshots while the screen changes from one program to another.
	handoverPause = 100 * time.Millisecond
	// handoverTime is the time for which the wall is observed after it has appeared, because programs that start later could take the screen.
	handoverTime = 30 * time.Second
	// handoverMost is the maximum number of screenshots that are stored of one start.
	handoverMost = 100
)

// testHandover takes ten screenshots a second at a first and a second start, from the start screen until some time after the wall has
// appeared. Each screenshot must show the start screen or the wall.
func (t *tester) testHandover(ctx context.Context) error {
	d, done, err := t.disk()
	if err != nil {
		return err
	}
	defer done()
	for _, name := range []string{"handover-first", "handover-second"} {
		if err := t.handover(ctx, d, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

func (t *tester) handover(ctx context.Context, d *disk, name string) error {
	m, err := t.start(ctx, d, name, "")
	if err != nil {
		return err
	}
	defer m.Stop()
	m.pause, m.keeps = handoverPause, &album{tester: t, name: name}
	if _, err := m.await(ctx, t.kit.want, paintTolerance, pictureTime); err != nil {
		return err
	}
	if m.dark > 0 || m.stray > maxTorn || !m.began {
		return fmt.Errorf("before the wall %d looks were black; up to %d pixels belonged to no picture; start screen seen: %v", m.dark, m.stray, m.began)
	}
	at := time.Since(m.Began)
	looks, err := m.stays(ctx, t.kit.want, paintTolerance, handoverTime)
	t.say("      %s: the wall %.1f s after qemu's start, the same in %d looks after it", name, at.Seconds(), looks)
	return errors.Join(err, t.keep(m, name))
}

// stays() takes screenshots until `limit` has passed. Each screenshot must show the picture.
func (m *machine) stays(ctx context.Context, want *image.RGBA, tolerance int, limit time.Duration) (looks int, err error) {
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(m.pause) {
		if ctx.Err() != nil {
			return looks, ctx.Err()
		}
		got, err := m.Look()
		if err != nil {
			return looks, err
		}
		m.keeps.add(m)
		if n := differ(m.kit.wall(got), m.kit.wall(want), tolerance); n > 0 {
			return looks, fmt.Errorf("look %d, with the wall there: %d pixels of %v are others; black: %v", looks, n, got.Rect, black(got))
		}
		looks++
	}
	return looks, nil
}

// An album stores each screenshot that differs from the previous one.
type album struct {
	*tester
	name string
	last []byte
	n    int
}

// add stores the last screenshot. A nil album stores nothing.
func (a *album) add(m *machine) {
	if a == nil || a.n == handoverMost {
		return
	}
	content, err := os.ReadFile(m.Looked())
	if err != nil || bytes.Equal(content, a.last) {
		return
	}
	a.last = content
	a.n++
	path := filepath.Join(a.dir, fmt.Sprintf("%s-%02d-%.1fs.png", a.name, a.n, time.Since(m.Began).Seconds()))
	if err := os.WriteFile(path, content, 0o644); err != nil {
		a.say("%v", err)
	}
}
