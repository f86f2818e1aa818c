package value

import (
	"errors"
	"fmt"
	"strings"

	"dashboard/config"
)

// MaxLength is the largest length, in pixels of the design size. It is twice the longest possible side of a frame.
const MaxLength = 2 * config.MaxSide

// A Length is a number of pixels of the design size, from 0 to MaxLength.
type Length float64

// TypeName implements config.TypeNamer.
func (*Length) TypeName() string { return "length" }

// JSONSchema implements config.Describer.
func (*Length) JSONSchema() map[string]any {
	return anyOf(numberSchema(0), textSchema(`^[0-9.]+(px)?$`, "A length is in pixels, such as 24."))
}

// SetNode implements config.NodeSetter.
func (l *Length) SetNode(n *config.Node, c *config.Context) error {
	x, err := length(n)
	if err == nil {
		err = c.InRange(n, x)
	}
	if err == nil {
		*l = Length(x)
	}
	return err
}

func length(n *config.Node) (float64, error) {
	const example = "a length in pixels, such as 24"
	text, ok := scalar(n)
	switch {
	case ok && strings.HasSuffix(text, "%"):
		return 0, fmt.Errorf("must be %s: a percentage is no length here", example)
	case ok && hasUnit(text, "em", "rem", "pt", "mm", "cm", "vh", "vw"):
		return 0, fmt.Errorf("must be %s: there is no other unit than px", example)
	}
	x, ok := amount(n)
	if bare, cut := strings.CutSuffix(text, "px"); cut {
		x, ok = number(strings.TrimSpace(bare))
	}
	switch {
	case !ok:
		return 0, mustBe(example, n)
	case x < 0 || x > MaxLength:
		return 0, fmt.Errorf("must be between 0 and %d pixels, not %s", MaxLength, n.Shown())
	}
	return x, nil
}

// hasUnit reports whether a text is a number with one of the units.
func hasUnit(text string, units ...string) bool {
	for _, u := range units {
		if bare, ok := strings.CutSuffix(text, u); ok {
			if _, ok := number(strings.TrimSpace(bare)); ok {
				return true
			}
		}
	}
	return false
}

// A Share is a fraction of a whole, from 0 to 1.
type Share float64

// TypeName implements config.TypeNamer.
func (*Share) TypeName() string { return "share" }

// JSONSchema implements config.Describer.
func (*Share) JSONSchema() map[string]any {
	return anyOf(map[string]any{"type": "number", "minimum": 0, "maximum": 1},
		textSchema(`^([0-9.]+%|0?\.[0-9]+|0|1)$`, "A share is a percentage such as 40%, or a number from 0 to 1."))
}

// SetNode implements config.NodeSetter.
func (s *Share) SetNode(n *config.Node, _ *config.Context) error {
	text, _ := scalar(n)
	x, ok := amount(n)
	if bare, cut := strings.CutSuffix(text, "%"); cut {
		x, ok = number(strings.TrimSpace(bare))
		x /= 100
		if ok && (x < 0 || x > 1) {
			return fmt.Errorf("must be between 0%% and 100%%, not %s", n.Shown())
		}
	}
	switch {
	case !ok:
		return mustBe("a share such as 40%, or a number from 0 to 1", n)
	case x > 1 && x <= 100:
		return wordError{fmt.Sprintf("must be a share such as 40%%, or a number from 0 to 1, not %s", n.Shown()), text + "%"}
	case x < 0 || x > 1:
		return fmt.Errorf("must be a share such as 40%%, or a number from 0 to 1, not %s", n.Shown())
	}
	*s = Share(x)
	return nil
}

// A Size is the length of a widget along the axis of its parent. Exactly one field is set.
type Size struct {
	Length float64 // number of pixels of the design size
	Share  float64 // fraction of the parent's length, from 0 to 1
	Fit    bool    // true for the length of the content
}

// TypeName implements config.TypeNamer.
func (*Size) TypeName() string { return "size" }

// JSONSchema implements config.Describer.
func (*Size) JSONSchema() map[string]any {
	return anyOf(numberSchema(0), textSchema(`^([0-9.]+(px|%)?|fit)$`, "A size is a length such as 240, a percentage of the parent such as 30%, or fit."))
}

// SetNode implements config.NodeSetter.
func (s *Size) SetNode(n *config.Node, _ *config.Context) error {
	size, err := parseSize(n, "a size such as 240, 30% or fit")
	if err == nil {
		*s = size
	}
	return err
}

// parseSize parses a length, a percentage or the word fit. `what` describes the expected value in errors.
func parseSize(n *config.Node, what string) (Size, error) {
	text, ok := scalar(n)
	if bare, cut := strings.CutSuffix(text, "%"); ok && cut {
		x, ok := number(strings.TrimSpace(bare))
		if !ok || x <= 0 || x > 100 {
			return Size{}, fmt.Errorf("must be more than 0%% and at most 100%%, not %s", n.Shown())
		}
		return Size{Share: x / 100}, nil
	}
	if text == "fit" {
		return Size{Fit: true}, nil
	}
	x, err := length(n)
	var near wordError
	switch {
	case err != nil && (n.Kind() == config.String || n.Kind() == config.Bool) && !hasUnit(text, "px", "em", "rem", "pt", "mm", "cm", "vh", "vw"):
		err = unknown(text, []string{"fit"}, "must be %s, not %s", what, n.Shown())
		errors.As(err, &near)
	case err == nil && x == 0:
		err = fmt.Errorf("must be more than 0: %s", what)
	}
	return Size{Length: x}, err
}

// A Track is one column or row of a layout. Exactly one field is set.
type Track struct {
	Weight float64 // fraction of the remaining space, relative to the weights of the other tracks
	Size           // fixed size, if Weight is 0
}

// TypeName implements config.TypeNamer.
func (*Track) TypeName() string { return "track" }

// JSONSchema implements config.Describer.
func (*Track) JSONSchema() map[string]any {
	return anyOf(numberSchema(0), textSchema(`^([0-9.]+(px|%)?|fit)$`, "A track is a number (a share of what is left), a length such as 240px, a percentage such as 30%, or fit."))
}

// SetNode implements config.NodeSetter.
func (t *Track) SetNode(n *config.Node, _ *config.Context) error {
	const what = "a number (a share of what is left), 240px, 30% or fit"
	const most = 1000 // with a larger weight, other tracks would have no width after rounding
	text, _ := scalar(n)
	bare, cut := strings.CutSuffix(text, "fr") // fr is the unit of fractions in CSS
	x, ok := amount(n)
	if cut {
		x, ok = number(bare)
	}
	switch {
	case ok && (x <= 0 || x > most):
		return fmt.Errorf("must be more than 0 and at most %d, or 240px, 30%% or fit, not %s", most, n.Shown())
	case ok:
		*t = Track{Weight: x}
		return nil
	}
	size, err := parseSize(n, what)
	if err == nil {
		*t = Track{Size: size}
	}
	return err
}
