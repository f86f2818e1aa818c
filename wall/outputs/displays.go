package outputs

import (
	"context"
	"image"
	"log/slog"
	"math"
	"runtime/debug"
	"sync/atomic"
	"time"

	"dashboard/config"
	"dashboard/control/switches"
	"dashboard/fb"
	"dashboard/netstream"
	"dashboard/output"
	"dashboard/output/window"
	"dashboard/render/ink"
)

// open() creates an output of a plan and starts it. If this fails, open logs the error and returns nil, so the other outputs still work.
func (o *Set) open(c config.Output, p Plan) *Member {
	m := &Member{Conf: c, size: p.Size, sizing: p.Sizing, flip: p.Flip}
	var ctx context.Context
	ctx, m.end = context.WithCancel(context.Background())
	var err error
	switch {
	case c.Window != nil:
		err = o.openWindow(ctx, m, c.Window, c.Window == FirstWindow(p.Outputs))
	case c.File != nil:
		err = openFile(ctx, m, fileOptions(c.File, o.Log))
	case c.Post != nil:
		err = openPost(ctx, m, postOptions(c.Post, o.Agent, o.Log))
	case c.Stream != nil:
		o.openStream(ctx, m, c.Stream)
	case c.Panel != nil:
		err = o.openPanel(ctx, m, c.Panel, p.Zone)
	}
	if err != nil {
		o.Log.Error("output not opened", "output", c.Type, "error", err)
		m.end()
		return nil
	}
	return m
}

// start stores the pacer of a member, and calls `run` in a goroutine that ends when the member is closed.
func (m *Member) start(ctx context.Context, p *output.Pacer, run func(context.Context)) {
	p.Turn(m.flip)
	p.Expect(m.size)
	m.Pacer = p
	m.done.Go(func() { run(ctx) })
}

// validOutput returns an error if the settings of an output cannot work on any machine.
func validOutput(c config.Output, size image.Point) error {
	var err error
	switch {
	case c.Window != nil:
		_, err = window.Options(c.Window, size)
	case c.File != nil:
		_, err = output.NewFile(fileOptions(c.File, nil))
	case c.Post != nil:
		_, err = output.NewPost(postOptions(c.Post, "", nil))
	case c.Panel != nil:
		err = validPanel(c.Panel, size)
	}
	return err
}

// FirstWindow returns the first window of a list of outputs. Only this window uses the console,
// because a console can be leased only once.
func FirstWindow(list []config.Output) *config.WindowOutput {
	for _, o := range list {
		if o.Window != nil {
			return o.Window
		}
	}
	return nil
}

func (o *Set) openWindow(ctx context.Context, m *Member, c *config.WindowOutput, console bool) error {
	opts, err := window.Options(c, m.size)
	if err != nil {
		return err
	}
	opts.Log, opts.Shift = o.Log, m.sizing.Shift
	if !console {
		opts.TTY = fb.NoTTY
	}
	if opts.Connector != nil {
		opts.Connector.Cards, opts.Connector.Log = o.Devices.Cards, o.Log
	}
	// After a change of the screen's size, the old frames are scaled until frames of the new size arrive.
	opts.Fullscreen = opts.Fullscreen || m.sizing.Follows
	var front atomic.Pointer[output.Pacer] // nil until the pacer exists, because the Keeper may call OnRepaint earlier
	opts.OnRepaint = func() {
		if l := front.Load(); l != nil {
			if !l.Invalidate() {
				o.Repaint()
			}
			m.Window.Renewed()
			o.Again()
			o.follow(m, m.screen)
		}
	}
	keeper, err := o.Devices.Keeper(opts)
	if err != nil {
		return err
	}
	latest := output.NewPacer(output.Pacing{Name: keeper.String(), Draw: o.noted(keeper, m).DrawFrame, Absent: keeper.Absent, Close: keeper.Halt, Log: o.Log})
	m.screen = keeper
	m.Window = switches.New(keeper, o.Devices.Hardware, c.Driver == config.DriverVirtual, c.Connects())
	m.Window.Log = o.Log
	if o.Dark() {
		_ = m.Window.Power(false) // if this fails, the owner of the screens tries again and reports the error
	}
	front.Store(latest)
	o.follow(m, keeper) // the screen's size may have changed since the frames got their size
	m.state = func() any { return deviceHealth(keeper.State()) }
	m.start(ctx, latest, latest.Run)
	m.done.Go(func() { _ = keeper.Run(ctx) }) // the error appears again when Halt is called
	return nil
}

func fileOptions(c *config.FileOutput, log *slog.Logger) output.FileOptions {
	palette, _ := ink.Named(c.Palette)
	return output.FileOptions{
		Dir: c.OutputPath, RenderInterval: time.Duration(c.RenderInterval) * time.Second, Format: c.ImageFormat,
		Pattern: c.Pattern, Keep: c.KeepImages, Latest: c.LatestSymlink, Encoder: encoderOf(c.ImageFormat, c.ImageOptions), Palette: palette, Log: log,
	}
}

func openFile(ctx context.Context, m *Member, opts output.FileOptions) error {
	f, err := output.NewFile(opts)
	if err != nil {
		return err
	}
	m.start(ctx, f.Pacer, f.Run)
	return nil
}

func postOptions(c *config.PostOutput, agent string, log *slog.Logger) output.PostOptions {
	p := output.PostOptions{
		URL: c.URL, Secret: c.URLSecret, UserAgent: agent, Format: c.ImageFormat, Trigger: output.Trigger(c.Trigger),
		MinInterval: time.Duration(c.MinInterval * float64(time.Second)), Encoder: encoderOf(c.ImageFormat, c.ImageOptions), Log: log,
	}
	p.Palette, _ = ink.Named(c.Palette)
	if c.Auth != nil {
		if c.Auth.Bearer != nil {
			p.Auth.Bearer = *c.Auth.Bearer
		}
		if b := c.Auth.Basic; b != nil {
			p.Auth.Username, p.Auth.Password = b.Username, b.Password
		}
	}
	if c.Multipart != nil {
		p.Multipart = &output.Multipart{FieldName: c.Multipart.FieldName, Filename: c.Multipart.Filename}
	}
	// An invalid URL was reported when the files were read. The uploads continue, but without AfterPost.
	if c.AfterPost != nil && output.CheckURL("url", c.AfterPost.URL) == nil {
		p.AfterPost = &output.AfterPost{URL: c.AfterPost.URL, Secret: c.AfterPost.URLSecret, Method: c.AfterPost.Method}
	}
	return p
}

func openPost(ctx context.Context, m *Member, opts output.PostOptions) error {
	p, err := output.NewPost(opts)
	if err != nil {
		return err
	}
	m.start(ctx, p.Pacer, p.Run)
	return nil
}

func (o *Set) openStream(ctx context.Context, m *Member, c *config.StreamOutput) {
	o.Stream.Configure(netstream.Options{
		Format: c.ImageFormat, Quality: c.Quality, Chroma: c.Chroma,
		Debounce: debounce(c), CacheBytes: cacheBytes(c.CacheMB),
	})
	latest := output.NewLatest(lasting{o.Stream}, o.Log)
	m.start(ctx, latest, latest.Run)
}

// debounce returns debounce_ms of a stream, or zero.
func debounce(c *config.StreamOutput) time.Duration {
	if c.DebounceMS == nil {
		return 0
	}
	return time.Duration(*c.DebounceMS) * time.Millisecond
}

// cacheShare limits the size of cached frames to the program's memory limit divided by cacheShare. The rest of the memory is needed for
// new frames, garbage and all other data.
const cacheShare = 8

// cacheBytes converts the value of cache_mb to bytes. The result is at most the memory limit divided by cacheShare.
func cacheBytes(mb int) int {
	return int(min(int64(mb)<<20, debug.SetMemoryLimit(-1)/cacheShare, math.MaxInt32))
}

// `lasting` is a stream whose clients stay connected when a reload replaces its output. If no stream
// output is left, the server disconnects the clients.
type lasting struct{ *netstream.Stream }

// Halt implements conn.Resource. It does nothing, because the clients stay connected.
func (lasting) Halt() error { return nil }
