package look_test

import (
	"image/color"
	"testing"

	"dashboard/theme"
	"dashboard/theme/look"
)

// TestBuiltinThemes checks that every built-in theme has all roles and styles, and that its colors have enough contrast.
func TestBuiltinThemes(t *testing.T) {
	for _, name := range look.Names() {
		for _, night := range []bool{false, true} {
			l, ok := look.Named(name, night)
			if !ok {
				t.Fatalf("no theme %s", name)
			}
			for _, style := range look.StyleNames() {
				if l.Styles[style].Size == 0 {
					t.Errorf("%s: no style %s", name, style)
				}
			}
			for _, role := range theme.Roles() {
				c, ok := l.Colors[role]
				if !ok {
					t.Errorf("%s, night %v: no color %s", name, night, role)
				}
				for _, under := range grounds(role, l) {
					if got, want := look.Contrast(c, under), floor(name, role); got < want {
						t.Errorf("%s, night %v: %s on %v has a contrast of %.2f, want %.1f", name, night, role, under, got, want)
					}
				}
			}
		}
	}
	if _, ok := look.Named("clam", true); ok {
		t.Error("there is no theme clam")
	}
}

// grounds() returns the opaque colors on which a role is drawn. It returns nil for roles of backgrounds and lines, because the test does
// not check their contrast.
func grounds(role string, l *look.Look) []color.NRGBA {
	switch role {
	case "background", "surface", "raised", "line":
		return nil
	}
	all := []color.NRGBA{l.Colors["background"]}
	if s := l.Colors["surface"]; s.A == 255 {
		all = append(all, s)
	}
	return all
}

func floor(name, role string) float64 {
	switch {
	case name == "contrast":
		return 7
	case role == "text", role == "muted":
		return 4.5
	case role == "faint":
		return 2.5
	case role == "sun": // this color is used only in drawings that are next to text
		return 2.2
	}
	return 3
}

// TestColorsAreApart checks that the colors of the series differ from each other, and that the colors of the states good, warn and bad
// differ from each other. Black-and-white themes are not checked.
func TestColorsAreApart(t *testing.T) {
	const least = 24 // distance in RGB. Black and white have the distance 441
	groups := [][]string{{"series1", "series2", "series3", "series4", "series5", "series6"}, {"good", "warn", "bad"}}
	for _, name := range look.Names() {
		for _, night := range []bool{false, true} {
			l, _ := look.Named(name, night)
			if l.Ink {
				continue
			}
			for _, group := range groups {
				for i, a := range group {
					for _, b := range group[:i] {
						if d := distance(l.Colors[a], l.Colors[b]); d < least*least {
							t.Errorf("%s, night %v: %s and %s are nearly the same", name, night, a, b)
						}
					}
				}
			}
		}
	}
}

func distance(a, b color.NRGBA) int {
	r, g, bl := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B)
	return r*r + g*g + bl*bl
}
