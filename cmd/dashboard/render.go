package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"log/slog"
	"time"

	"dashboard/config"
	"dashboard/output"
	"dashboard/render"
	"dashboard/render/ink"
	"dashboard/wall"
	"dashboard/wall/daemon"
	"dashboard/wall/outputs"
	"dashboard/wall/scene"
	"dashboard/wall/view"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/speech"
)

// toStdout is the file name that means the standard output.
const toStdout = "-"

// `appear` is the time between the renderer's first step and the step that is drawn. It is long enough that fades have ended in the
// picture.
const appear = time.Second

// renderOnce draws the wall once, after the first values have arrived.
func renderOnce(ctx context.Context, o *options, stdout, stderr io.Writer) error {
	log := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	wake := make(chan struct{}, 1)
	awake := func() {
		select {
		case wake <- struct{}{}:
		default:
		}
	}
	// Only errors are logged, because TellMissing below prints the reasons for missing values.
	b := scene.NewBuilder(scene.Parts{Version: version, Wake: awake, Log: slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelError}))})
	defer b.Providers.Close()
	g, report := b.Load(o.wall, scene.Alone(awake))
	if err := report.Pretty(stderr, daemon.IsTerminal(stderr)); err != nil {
		return err
	}
	if g == nil {
		return wall.ErrWrong
	}
	b.Providers.Commit(g.Sources)
	b.Await(ctx, wake)
	b.TellMissing(stderr)
	a := view.NewAppearance(log, nil, func() bool { return true })
	sc := g.Scenes[config.MainView]
	mode := a.Adopt(g, sc.Single(), sc.Start, time.Now())
	r := sc.Renderer(mode)
	now := time.Now()
	r.Step(now.Add(-appear)) // fades begin in this step, so they have ended in the next step
	r.Step(now)
	if o.Text {
		return printText(stdout, sc.Trees[mode].Root, sc, now)
	}
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
	fmt.Fprintf(stdout, "%s: %dx%d\n", o.Output, sc.Size.X, sc.Size.Y)
	return nil
}

// printText prints the text of a wall for a screen reader.
func printText(w io.Writer, root render.Widget, sc *scene.Scene, now time.Time) error {
	var s speech.Speech
	s.Begin(sc.Region.Locale, sc.Region.Zone, now, false)
	kit.SpeakOf(&s, root)
	_, err := w.Write(s.AppendText(nil))
	return err
}

// picture returns the frame of a scene. If the options name a panel or a palette, the picture has its ink colors.
func (o *options) picture(r *render.Renderer, sc *scene.Scene) (image.Image, error) {
	switch {
	case o.wall.Panel != nil && !o.wall.Panel.Fits(sc.Size):
		s := o.wall.Panel.Upright()
		return nil, fmt.Errorf("panel %s is %dx%d, or %dx%d upright; the picture is %dx%d", o.wall.Panel.Name, s.X, s.Y, s.Y, s.X, sc.Size.X, sc.Size.Y)
	case o.wall.Panel != nil:
		return outputs.InInks(o.wall.Panel.Quantizer(sc.Size), r, sc.Graphics.Flip), nil
	case o.palette != nil:
		return outputs.InInks(ink.New(o.palette, sc.Size, ink.Diffuse), r, sc.Graphics.Flip), nil
	case sc.Graphics.Flip:
		return output.Turned(r.Frame()), nil
	}
	return r.Frame(), nil
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
