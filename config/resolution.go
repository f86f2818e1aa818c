package config

import "regexp"

// ScreenWord is the value of the key resolution for frames in the size of the screen.
const ScreenWord = "screen"

// sides matches a size that is written as a text, such as 800x480.
var sides = regexp.MustCompile(`^\s*(\d{1,5})\s*[xX×]\s*(\d{1,5})\s*$`)

// Resolution is the value of the key resolution: the size of frames.
type Resolution struct {
	Screen bool // true for frames in the size of the screen. Size is then zero
	Size
}

// SetValue implements Setter.
func (s *Resolution) SetValue(v any) error {
	if v == ScreenWord {
		*s = Resolution{Screen: true}
		return nil
	}
	if word, ok := v.(string); ok {
		err := meant{text: "must be screen, or a list of two numbers, [width, height]"}
		if m := sides.FindStringSubmatch(word); m != nil {
			err.near = "[" + m[1] + ", " + m[2] + "]"
		}
		return err
	}
	*s = Resolution{}
	return s.Size.SetValue(v)
}

// TypeName implements TypeNamer.
func (*Resolution) TypeName() string { return "screen or [width, height]" }

// JSONSchema implements Describer.
func (*Resolution) JSONSchema() map[string]any {
	side := map[string]any{"type": "integer", "minimum": 1, "maximum": MaxSide}
	return map[string]any{"anyOf": []any{
		map[string]any{"const": ScreenWord},
		map[string]any{"type": "array", "items": side, "minItems": 2, "maxItems": 2},
	}}
}

// usualDesignWidth and usualDesignHeight are the default design size in px.
const usualDesignWidth, usualDesignHeight = 1280, 720

// DesignSize returns the size to which the lengths in the widgets file refer. If there is no screen, it is also the size of the frames.
func (g *Graphics) DesignSize() Size {
	switch {
	case !g.Resolution.Screen:
		return g.Resolution.Size
	case g.Design != nil:
		return *g.Design
	}
	return Size{usualDesignWidth, usualDesignHeight}
}

// checkDesign warns if the file sets a design size that has no effect.
func (g *Graphics) checkDesign(n *Node, r *Report) {
	if g.Design != nil && !g.Resolution.Screen && n.Has("resolution") {
		r.Warnf(n.At("design"), "has no effect beside 'resolution' in pixels, which is the size that lengths are written in; 'resolution: screen' takes the screen's size")
	}
}
