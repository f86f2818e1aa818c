package draft

import (
	"context"
	"image"
	"image/color"
	"math"
	"slices"
	"time"

	"dashboard/config"
	"dashboard/netstream/pngtile"
	"dashboard/render/ink"
	"dashboard/theme/look"
	"dashboard/theme/sun"
	"dashboard/wall/scene"
)

const (
	// settleTime is the maximum time for which a picture waits for the results of formulas that only the draft has.
	settleTime = 60 * time.Millisecond
	// `appear` is the time between the renderer's first step and the step that is drawn. It is long enough that fades have ended in the
	// picture.
	appear = time.Second
	// maxSide is the maximum width and height of a picture in px, if the request sets them.
	maxSide = 4096
)

// `drawn` is the result of drawing the draft.
type drawn struct {
	revision int // revision that the picture shows, or -1 if no revision was valid yet
	checked  int // revision that the problems belong to
	mode     sun.Mode
	modes    []string
	size     image.Point
	frame    *image.RGBA
	ink      ink.Regions
	flip     bool
	rects    map[string]image.Rectangle // rectangles of the widgets on the picture, by the widgets' positions in the files
	problems []config.Diagnostic
	look     *look.Look
	gen      *scene.Generation
	done     bool
}

// A Shot contains the options for a picture.
type Shot struct {
	Theme  string // "day", "night", or "" for the mode on the wall
	Width  int    // width and height in px, or 0 for the wall's size
	Height int
	Effect string
	Sample bool   // true to use sample values instead of missing values
	Widget string // YAML of the only widget to draw, on one line, or "" for the draft's widgets

	valid bool // true to use the last valid text of each file whose text is not valid YAML
}

// maxWidget is the maximum length of the field Widget, in bytes.
const maxWidget = 4 << 10

// contents() returns the working texts of all files.
func (t *Draft) contents() map[string][]byte {
	all := map[string][]byte{}
	for name, f := range t.files {
		if f.there || len(f.work) > 0 {
			all[name] = f.work
		}
	}
	return all
}

// folder returns the draft as a folder that a scene.Builder can load.
func (t *Draft) folder(shot Shot) scene.Folder {
	from, all := t.editor.Folder(), t.contents()
	for name, f := range t.files {
		if shot.valid && f.broken() && f.good != nil {
			all[name] = f.good.Bytes
		}
	}
	if shot.Widget != "" {
		name := t.widgetsFile()
		all[name] = only(t.files[name], shot.Widget)
	}
	from.Files = from.Open().Draft(all)
	from.Only = t.View
	if t.only != "" {
		from.Widgets, from.Theme = t.only, ""
	}
	if !t.frozen.IsZero() {
		from.Now = t.now
	}
	from.Strict = false
	if shot.Width > 0 && shot.Height > 0 {
		from.Size = config.Size{Width: shot.Width, Height: shot.Height}
	}
	from.Mode = sun.Mode(shot.Theme)
	return from
}

// only() returns the text of the widgets file f, in which the parameter `widget` replaces all widgets.
func only(f *file, widget string) []byte {
	text := []byte("widgets: [" + widget + "]\n")
	if f == nil || f.good == nil {
		return text
	}
	e := f.good.Root.Entry("widgets")
	if e == nil {
		return text
	}
	return slices.Concat(f.good.Bytes[:e.Span.Start], text, f.good.Bytes[e.Span.End:])
}

// `alone` returns a scene.Seat for a view that does not run.
var alone = scene.Alone(func() {})

// draw updates the picture, the rectangles of the widgets and the problems, unless they belong to the current revision.
func (t *Draft) draw() {
	if t.drawn.done && t.drawn.checked == t.revision {
		return
	}
	next, g, report, old := t.shoot(Shot{})
	next.problems = report.Diagnostics()
	if g == nil {
		kept := t.drawn
		kept.problems, kept.checked, kept.done = next.problems, t.revision, true
		if kept.frame == nil {
			kept.revision = -1
			kept.size = next.size
		}
		t.drawn = kept
		return
	}
	next.revision, next.checked, next.done = t.revision, t.revision, true
	if old {
		next.revision-- // the picture lacks the newest text of a file
	}
	t.drawn = next
}

// shoot loads the draft and draws its view. If a file is not valid YAML, it draws the file's last valid text, and `old` is true.
func (t *Draft) shoot(shot Shot) (out drawn, g *scene.Generation, report *config.Report, old bool) {
	out, g, report = t.paint(shot)
	for _, f := range t.files {
		old = old || f.broken() && f.good != nil
	}
	if g != nil || !old {
		return out, g, report, false
	}
	shot.valid = true
	out, g, _ = t.paint(shot)
	return out, g, report, true
}

// paint loads the draft and draws its view.
func (t *Draft) paint(shot Shot) (drawn, *scene.Generation, *config.Report) {
	out := drawn{rects: map[string]image.Rectangle{}}
	if w, h := t.editor.Size(t.View); w > 0 {
		out.size = image.Pt(w, h)
	}
	g, report := t.editor.load(t.folder(shot))
	if g == nil || g.Scenes[t.View] == nil {
		return out, nil, report
	}
	t.fillTried(g)
	if shot.Sample {
		t.fillSamples(g, t.now())
	}
	t.settle(g)
	sc := g.Scenes[t.View]
	out.mode, out.modes = modeOf(t.editor.mode(t.View), sc, shot)
	tree := sc.Trees[out.mode]
	if tree == nil {
		return out, nil, report
	}
	r := sc.Renderer(out.mode)
	now := t.now()
	r.Step(now.Add(-appear)) // fades begin in this step, so they have ended in the next step
	r.Step(now)
	for _, a := range tree.Survey.Take(r) {
		if _, ok := out.rects[a.Pos]; !ok && a.Kind != config.ScreenKind {
			out.rects[a.Pos] = a.Bounds
		}
	}
	out.size, out.frame, out.ink, out.flip, out.look, out.gen = sc.Size, r.Frame(), *r.Regions(), sc.Graphics.Flip, tree.Look, g
	return out, g, report
}

// now() returns the time that the pictures show.
func (t *Draft) now() time.Time {
	if !t.frozen.IsZero() {
		return t.frozen
	}
	return t.editor.Now()
}

// settle waits until the formulas that only the draft has are evaluated with the current values. It waits at most settleTime.
func (t *Draft) settle(g *scene.Generation) {
	ctx, cancel := context.WithTimeout(context.Background(), settleTime)
	defer cancel()
	g.Sources.Settle(ctx)
}

// mode returns the current mode of a running view.
func (d *Editor) mode(view string) sun.Mode {
	if d.Mode == nil {
		return ""
	}
	return d.Mode(view)
}

// modeOf returns the mode of a picture, and all modes of the scene. `now` is the mode of the running view.
func modeOf(now sun.Mode, sc *scene.Scene, shot Shot) (sun.Mode, []string) {
	var modes []string
	for _, m := range []sun.Mode{sun.Day, sun.Night} {
		if sc.Trees[m] != nil {
			modes = append(modes, string(m))
		}
	}
	for _, m := range []sun.Mode{sun.Mode(shot.Theme), now, sc.Start, sun.Day, sun.Night} {
		if sc.Trees[m] != nil {
			return m, modes
		}
	}
	return sun.Day, modes
}

// Picture returns a picture of the draft as PNG.
func (t *Draft) Picture(shot Shot) ([]byte, error) {
	if shot.Width < 0 || shot.Height < 0 || shot.Width > maxSide || shot.Height > maxSide {
		return nil, fail(400, "a picture has at most %d pixels on each side", maxSide)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.open() {
		return nil, fail(404, "the draft is closed")
	}
	t.draw()
	picked := t.drawn
	own := shot.Width == 0 && shot.Widget == "" && !shot.Sample && (shot.Theme == "" || shot.Theme == string(picked.mode))
	if !own {
		room := int64(8 * max(shot.Width*shot.Height, picked.size.X*picked.size.Y))
		if err := t.editor.build.Memory.Kept.Change(0, room); err != nil {
			return nil, fail(503, "there is no memory for this picture: %v", err)
		}
		defer t.editor.build.Memory.Kept.Add(-room)
		other, g, report, _ := t.shoot(shot)
		if g == nil {
			return nil, &Error{Status: 422, Text: firstError(report), More: map[string]any{"problems": t.problems(nil)}}
		}
		picked = other
	}
	if picked.frame == nil {
		return nil, fail(422, "there is no picture yet: the files have errors")
	}
	return encode(picked, shot.Effect)
}

func firstError(r *config.Report) string {
	for _, d := range r.Errors() {
		return d.String()
	}
	return "the files have errors"
}

// encode encodes a picture as PNG, with the effect of the given name.
func encode(p drawn, effect string) ([]byte, error) {
	frame := p.frame
	switch effect {
	case "":
	case "eink":
		two, _ := ink.Named("bw")
		q := ink.New(two, p.size, ink.Diffuse)
		pic := q.NewPicture()
		q.Quantize(pic, frame, p.ink.List())
		frame = rgbaOf(pic)
	default:
		f := effects[effect]
		if f == nil {
			return nil, fail(400, "there is no effect '%s'", effect)
		}
		frame = filtered(frame, f)
	}
	e, err := pngtile.New(p.size.X, p.size.Y)
	if err != nil {
		return nil, err
	}
	e.Update(frame, frame.Rect)
	return e.AppendTo(make([]byte, 0, e.Size())), nil
}

func rgbaOf(p *image.Paletted) *image.RGBA {
	out := image.NewRGBA(p.Rect)
	table := make([]color.RGBA, len(p.Palette))
	for i, c := range p.Palette {
		table[i] = color.RGBAModel.Convert(c).(color.RGBA)
	}
	for i, v := range p.Pix {
		c := table[v]
		out.Pix[4*i], out.Pix[4*i+1], out.Pix[4*i+2], out.Pix[4*i+3] = c.R, c.G, c.B, 255
	}
	return out
}

func filtered(in *image.RGBA, f func(r, g, b uint8) (uint8, uint8, uint8)) *image.RGBA {
	out := image.NewRGBA(in.Rect)
	for i := 0; i+3 < len(in.Pix); i += 4 {
		out.Pix[i], out.Pix[i+1], out.Pix[i+2] = f(in.Pix[i], in.Pix[i+1], in.Pix[i+2])
		out.Pix[i+3] = 255
	}
	return out
}

// effects are functions that change the color of a pixel. The matrices for color blindness come from Viénot, Brettel and Mollon (1999)
// and are applied to linear light. The conversion to and from linear light uses a gamma of 2.
var effects = map[string]func(r, g, b uint8) (uint8, uint8, uint8){
	"rgb565": func(r, g, b uint8) (uint8, uint8, uint8) { return r&0xf8 | r>>5, g&0xfc | g>>6, b&0xf8 | b>>5 },
	"dim":    func(r, g, b uint8) (uint8, uint8, uint8) { return r / 4, g / 4, b / 4 },
	"protan": matrix([9]float64{0.11238, 0.88762, 0, 0.11238, 0.88762, 0, 0.00401, -0.00401, 1}),
	"deutan": matrix([9]float64{0.29275, 0.70725, 0, 0.29275, 0.70725, 0, -0.02234, 0.02234, 1}),
	"tritan": matrix([9]float64{1, 0.1446, -0.1446, 0, 0.8592, 0.1408, 0, 0.8592, 0.1408}),
}

func matrix(m [9]float64) func(r, g, b uint8) (uint8, uint8, uint8) {
	return func(r, g, b uint8) (uint8, uint8, uint8) {
		x, y, z := float64(r)*float64(r), float64(g)*float64(g), float64(b)*float64(b)
		return root(m[0]*x + m[1]*y + m[2]*z), root(m[3]*x + m[4]*y + m[5]*z), root(m[6]*x + m[7]*y + m[8]*z)
	}
}

// root converts linear light to a pixel value. With a gamma of 2 this is the square root.
func root(v float64) uint8 { return uint8(math.Sqrt(min(max(v, 0), 255*255)) + 0.5) }
