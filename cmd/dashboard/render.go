package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"log/slog"
	"slices"
	"time"

	"dashboard/cmd/shared/daemon"
	"dashboard/config"
	"dashboard/output"
	"dashboard/render"
	"dashboard/render/ink"
	"dashboard/wall/outputs"
)

// toStdout is the output file that stands for the standard output.
const toStdout = "-"

// settle bounds how long render waits for the first values of all providers.
const settle = 5 * time.Second

// appear is longer than the first picture of a camera takes to appear.
const appear = time.Second

// renderOnce writes one picture of the dashboard, as it looks once its first values are there.
func renderOnce(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	log := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	wake := make(chan struct{}, 1)
	awake := func() {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
	b := newBuilder(awake, slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelError}))) // what is missing is told below
	defer b.providers.Close()
	g, report := b.load(o, alone(awake))
	if err := report.Pretty(stderr, daemon.IsTerminal(stderr)); err != nil {
		return err
	}
	if g == nil {
		return errWrong
	}
	b.providers.Commit(g.sources)
	b.await(ctx, wake)
	b.tellMissing(stderr)
	a := newAppearance(log, nil, func() bool { return true })
	sc := g.scenes[config.MainView]
	r := sc.renderer(a.adopt(g, sc.single(), sc.start, time.Now()))
	now := time.Now()
	r.Step(now.Add(-appear)) // what appears by and by is there
	r.Step(now)
	pic, err := o.picture(r, sc)
	if err != nil {
		return err
	}
	if o.Output == toStdout {
		return png.Encode(stdout, pic)
	}
	if err := writePNG(o.out, pic); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: %dx%d\n", o.Output, sc.size.X, sc.size.Y)
	return nil
}

// picture is the frame of a scene, in the inks that were asked for.
func (o *options) picture(r *render.Renderer, sc *scene) (image.Image, error) {
	switch {
	case o.panel != nil && !o.panel.Fits(sc.size):
		s := o.panel.Upright()
		return nil, fmt.Errorf("panel %s is %dx%d, or %dx%d upright; the picture is %dx%d", o.panel.Name, s.X, s.Y, s.Y, s.X, sc.size.X, sc.size.Y)
	case o.panel != nil:
		return outputs.InInks(o.panel.Quantizer(sc.size), r, sc.graphics.Flip), nil
	case o.palette != nil:
		return outputs.InInks(ink.New(o.palette, sc.size, ink.Diffuse), r, sc.graphics.Flip), nil
	case sc.graphics.Flip:
		return output.Turned(r.Frame()), nil
	}
	return r.Frame(), nil
}

// resettle is how often it is asked whether programs have run over what came: one that gives what it gave wakes nobody.
const resettle = 10 * time.Millisecond

// await waits until every provider has answered, and every program has run over the answers, for settle at most.
func (b *builder) await(ctx context.Context, wake <-chan struct{}) {
	ctx, cancel := context.WithTimeout(ctx, settle)
	defer cancel()
	again := time.NewTicker(resettle)
	defer again.Stop()
	b.providers.LookAll(time.Now())
	for !b.answered() || !b.providers.Settled() {
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case <-again.C:
		}
	}
}

// tellMissing says which values the picture will not have, and why: each reason once, with the provider's name if it has one.
func (b *builder) tellMissing(stderr io.Writer) {
	told := map[string]bool{}
	for _, s := range slices.Backward(b.providers.Status(time.Now())) { // those with a name come last
		reason := fmt.Sprint("no answer within ", settle)
		switch {
		case s.Err != nil:
			reason = s.Err.Error()
		case !s.At.IsZero():
			continue
		}
		if !told[reason] || s.Name != "" {
			told[reason] = true
			fmt.Fprintf(stderr, "dashboard: %s: %s\n", cmp.Or(s.Name, s.Kind), reason)
		}
	}
}

// answered reports whether every provider has tried at least once.
func (b *builder) answered() bool {
	for _, s := range b.providers.Status(time.Now()) {
		if s.Tried.IsZero() {
			return false
		}
	}
	return true
}

func writePNG(path string, img image.Image) error {
	var buf bytes.Buffer
	if err := png.Encode(&buf, img); err != nil {
		return err
	}
	if err := output.ReplaceFile(path, buf.Bytes()); err != nil {
		return fmt.Errorf("%s: %w", path, errors.Unwrap(err))
	}
	return nil
}
