package widgets

import (
	"fmt"
	"image"
	"strings"
	"testing"
	"time"

	"dashboard/provider"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/screen"
	"dashboard/widgets/walltest"

	"pgregory.net/rapid"
)

// fickle panics in every seventh second. In all other seconds, it shows a block that moves each second.
type fickle struct {
	size image.Point
	at   image.Rectangle
}

func (f *fickle) Update(t render.Tick) {
	sec := int(t.Now().Unix())
	if sec%7 == 3 {
		panic("fickle")
	}
	if at := image.Rect(0, 0, 5, 5).Add(image.Pt(sec%f.size.X, sec%f.size.Y)); at != f.at {
		t.Damage(f.at)
		t.Damage(at)
		f.at = at
	}
	t.Wake(t.Now().Add(time.Second))
}

func (f *fickle) Paint(c render.Canvas) { c.Fill(f.at, kit.PanelText) }

// randomTree generates random widgets in the form of the configuration.
type randomTree struct {
	*rapid.T
	film string
}

func (t *randomTree) flag(name string) bool { return rapid.Bool().Draw(t.T, name) }

func (t *randomTree) number(name string, lo, hi int) int {
	return rapid.IntRange(lo, hi).Draw(t.T, name)
}

func (t *randomTree) color(name string) any {
	return rapid.SampledFrom([]any{nil, "red", "#00ff0080", "#2040ff", "#ffffff20"}).Draw(t.T, name)
}

func (t *randomTree) text() string {
	return rapid.SampledFrom([]string{"", "8", "gjpqy", "Kitchen 21.4", "two\nlines", "many words that do not fit", "مرحبا", "日本語"}).Draw(t.T, "text")
}

func (t *randomTree) widget(depth int) map[string]any {
	kinds := []string{"dateclock", "fickle", "image", "text", "empty"}
	if depth > 0 {
		kinds = append([]string{"grid", "flip", "pill", "scheduleflip", "label", "grid"}, kinds...)
	}
	kind := rapid.SampledFrom(kinds).Draw(t.T, "kind")
	w := map[string]any{"widget": kind, "name": fmt.Sprint("w", t.number("name", 0, 3))}
	switch kind {
	case "text":
		w["text"], w["wrap"], w["ellipsis"], w["padding"] = t.text(), t.flag("wrap"), t.flag("ellipsis"), t.number("padding", 0, 8)
		w["align"] = rapid.SampledFrom([]string{"left", "center", "right"}).Draw(t.T, "align")
		w["background_color"], w["corner_radius"] = t.color("background"), t.number("radius", 0, 20)
	case "dateclock":
		w["time_format"] = rapid.SampledFrom([]string{"%H:%M", "%T", "%S"}).Draw(t.T, "format")
		w["background_color"], w["corner_radius"] = t.color("background"), t.number("radius", 0, 20)
	case "image":
		w["path"], w["corner_radius"] = t.film, t.number("radius", 0, 20)
		w["fit"] = rapid.SampledFrom([]string{"contain", "cover", "stretch"}).Draw(t.T, "fit")
	case "empty":
		w["color"], w["corner_radius"] = t.color("color"), t.number("radius", 0, 20)
	default:
		t.container(w, depth)
	}
	return w
}

func (t *randomTree) container(w map[string]any, depth int) {
	n := t.number("children", 1, 3)
	switch w["widget"] {
	case "grid":
		w["rows"], w["columns"], w["padding"] = n, t.number("columns", 1, 2), t.number("padding", 0, 4)
		w["drop_shadow"], w["corner_radius"] = t.flag("shadow"), t.number("radius", 0, 30)
		w["background_color"], w["widget_background_color"] = t.color("background"), t.color("cells")
		w["widget_corner_radius"] = t.number("cell radius", 0, 12)
	case "label":
		n, w["text"] = 1, t.text()
	case "pill":
		n, w["circular_mask"] = 2, t.flag("circle")
		w["widget_background_color"], w["pill_background_color"] = t.color("base"), t.color("badge")
	case "flip":
		w["interval"], w["transition"] = t.number("interval", 0, 3), t.number("transition", 0, 2)
	case "scheduleflip":
		w["transition"] = t.number("transition", 0, 2)
	}
	var children []any
	for range n {
		children = append(children, t.widget(depth-1))
	}
	w["children"] = children
	if w["widget"] == "scheduleflip" {
		schedule := map[string]any{}
		for i, c := range children {
			schedule[fmt.Sprintf("12:%02d", 34+i)] = c.(map[string]any)["name"]
		}
		w["schedule"] = schedule
	}
}

// TestDamageIsEnough checks random trees at many times. Painting only the damage gives the same picture as painting everything, and no
// pixel outside the damage changes.
func TestDamageIsEnough(t *testing.T) {
	path := walltest.GifFile(t, image.Pt(16, 9))
	env := walltest.TestEnv()
	rapid.Check(t, func(rt *rapid.T) {
		tree := &randomTree{rt, path}
		size := rapid.SampledFrom([]image.Point{{160, 120}, {97, 61}, {60, 150}, {24, 16}, {1, 1}}).Draw(rt, "size")
		env.Banner = provider.NewCell(nil)
		b := walltest.Builder(env, kit.Define("fickle", "", 0, 0, func(_ *kit.Builder, _ *kit.Spec, _ *struct{}, size image.Point) render.Widget {
			return &fickle{size: size}
		}))
		yaml := walltest.Flow(map[string]any{"background_color": "#405060", "drop_shadow": tree.flag("shadow"), "widgets": []any{tree.widget(3)}})
		spec, report := walltest.Parse(t, yaml)
		root := screen.Build(b, spec, size)
		if report.Failed() && !strings.Contains(report.String(), "padding") {
			rt.Fatalf("%s\n%v", yaml, report)
		}
		r := render.New(root, size)
		now := walltest.T0
		for range rapid.SampledFrom([]int{4, 8, 12}).Draw(rt, "steps") {
			now = now.Add(time.Duration(rapid.SampledFrom([]int{0, 16, 100, 500, 1000, 7000, 60000, -30000}).Draw(rt, "ms")) * time.Millisecond)
			if rapid.IntRange(0, 5).Draw(rt, "banner") == 0 {
				env.Banner.Publish(kit.Banner{Words: tree.text()}, now)
			}
			checkStep(rt, r, root, now)
		}
	})
}

// checkStep draws one frame. It compares the frame with a frame that is painted completely, and with a frame that is painted in tiles.
func checkStep(t *rapid.T, r *render.Renderer, root *screen.Screen, now time.Time) {
	before := append([]uint8(nil), r.Frame().Pix...)
	damage, _ := r.Step(now)
	frame := r.Frame()
	whole, tiles := image.NewRGBA(frame.Rect), image.NewRGBA(frame.Rect)
	root.Paint(render.NewCanvas(whole))
	const tile = 37
	for y := 0; y < frame.Rect.Dy(); y += tile {
		for x := 0; x < frame.Rect.Dx(); x += tile {
			c := render.NewCanvas(tiles)
			c.Clip = image.Rect(x, y, x+tile, y+tile).Intersect(c.Clip)
			root.Paint(c)
		}
	}
	if p, ok := differ(frame, whole); ok {
		t.Fatalf("at %v: %v was not repainted; damage %v", now, p, damage)
	}
	if p, ok := differ(frame, tiles); ok {
		t.Fatalf("at %v: %v depends on how the frame is cut", now, p)
	}
	for i := range before {
		p := image.Pt(i%frame.Stride/4, i/frame.Stride)
		if before[i] != frame.Pix[i] && !inAny(p, damage) {
			t.Fatalf("at %v: %v changed outside of the damage %v", now, p, damage)
		}
	}
}

func inAny(p image.Point, rects []image.Rectangle) bool {
	for _, r := range rects {
		if p.In(r) {
			return true
		}
	}
	return false
}
