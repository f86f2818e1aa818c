package theme

import (
	"errors"
	"fmt"
	"image/color"
	"strings"
	"testing"

	"dashboard/config"
)

func TestColorAccepted(t *testing.T) {
	tests := []struct {
		name string
		in   any
		want color.NRGBA
	}{
		{"list", []any{100, 149, 237}, color.NRGBA{100, 149, 237, 255}},
		{"list with alpha", []any{1, 2, 3, 0}, color.NRGBA{1, 2, 3, 0}},
		{"hex", "#ff8800", color.NRGBA{255, 136, 0, 255}},
		{"hex upper case", "#FF8800", color.NRGBA{255, 136, 0, 255}},
		{"hex with alpha", "#ff880040", color.NRGBA{255, 136, 0, 64}},
		{"short hex", "#f80", color.NRGBA{255, 136, 0, 255}},
		{"short hex with alpha", "#f804", color.NRGBA{255, 136, 0, 68}},
		{"blanks around", "  #f80\n", color.NRGBA{255, 136, 0, 255}},
		{"0x", "0xff8800", color.NRGBA{255, 136, 0, 255}},
		{"0x upper case with alpha", "0XFF880080", color.NRGBA{255, 136, 0, 128}},
		{"name", "orange", color.NRGBA{255, 165, 0, 255}},
		{"name upper case", "Red", color.NRGBA{255, 0, 0, 255}},
		{"X11 green", "green", color.NRGBA{0, 255, 0, 255}},
		{"X11 gray", "gray", color.NRGBA{190, 190, 190, 255}},
		{"X11 grey", "grey", color.NRGBA{190, 190, 190, 255}},
		{"X11 maroon", "maroon", color.NRGBA{176, 48, 96, 255}},
		{"X11 purple", "purple", color.NRGBA{160, 32, 240, 255}},
		{"CSS 4", "rebeccapurple", color.NRGBA{102, 51, 153, 255}},
		{"transparent", "transparent", color.NRGBA{}},
		{"X11 blank inside", "light blue", color.NRGBA{173, 216, 230, 255}},
		{"X11 grey", "grey50", color.NRGBA{127, 127, 127, 255}},
		{"X11 gray upper", "Gray 51", color.NRGBA{130, 130, 130, 255}},
		{"X11 gray90", "gray90", color.NRGBA{229, 229, 229, 255}},
		{"X11 gray100", "gray100", color.NRGBA{255, 255, 255, 255}},
		{"X11 gray0", "gray0", color.NRGBA{0, 0, 0, 255}},
		{"X11 shade", "LightGoldenrod1", color.NRGBA{255, 236, 139, 255}},
		{"X11 last shade", "yellow4", color.NRGBA{139, 139, 0, 255}},
		{"X11 single", "Light Slate Blue", color.NRGBA{132, 112, 255, 255}},
		{"X11 violet red", "violetred", color.NRGBA{208, 32, 144, 255}},
		{"a color", Color{color.NRGBA{1, 2, 3, 4}}, color.NRGBA{1, 2, 3, 4}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := ColorOf(test.in)
			if err != nil || got.NRGBA != test.want {
				t.Fatalf("got %v, %v, want %v", got, err, test.want)
			}
			again, err := ParseColor(got.String())
			if err != nil || again != got {
				t.Errorf("its text %s gives %v, %v", got, again, err)
			}
		})
	}
}

func TestColorRejected(t *testing.T) {
	tests := []struct {
		name string
		in   any
		near string
	}{
		{"5 digits", "#ff880", ""},
		{"no hex digits", "#gg8800", ""},
		{"sign for a digit", "#+f8800", ""},
		{"underscore", "#f_8800", ""},
		{"no hash", "ff8800", "#ff8800"},
		{"unknown name", "ornage", "orange"},
		{"unknown X11 name", "violetrad", "violetred"},
		{"nothing like it", "qqqqqqqq", ""},
		{"empty", "", ""},
		{"blank", "  ", ""},
		{"only a hash", "#", ""},
		{"0x short", "0xfff", ""},
		{"gray over 100", "gray101", ""},
		{"gray with zeros", "gray007", ""},
		{"shade 5", "yellow5", "yellow"},
		{"shade 0", "yellow0", "yellow"},
		{"2 parts", []any{1, 2}, ""},
		{"5 parts", []any{1, 2, 3, 4, 5}, ""},
		{"300", []any{300, 0, 0}, ""},
		{"negative", []any{0, -1, 0}, ""},
		{"text part", []any{0, "1", 0}, ""},
		{"float part", []any{0, 1.0, 0}, ""},
		{"bool part", []any{0, true, 0}, ""},
		{"number", 42, ""},
		{"bool", true, ""},
		{"nothing", nil, ""},
		{"mapping", map[string]any{"r": 1}, ""},
		{"long", strings.Repeat("a", 1000), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := Color{color.NRGBA{9, 9, 9, 9}}
			err := c.SetValue(test.in)
			var e *ColorError
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want a ColorError", err)
			}
			if e.Near() != test.near {
				t.Errorf("near: got %q, want %q", e.Near(), test.near)
			}
			if c != (Color{color.NRGBA{9, 9, 9, 9}}) {
				t.Errorf("the color was changed to %v", c)
			}
		})
	}
}

func TestColorOfJSON(t *testing.T) {
	got, err := ColorOfJSON([]any{255.0, 136.0, 0.0})
	if want := (color.NRGBA{255, 136, 0, 255}); err != nil || got.NRGBA != want {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	for _, bad := range []any{[]any{1.5, 0.0, 0.0}, []any{-1.0, 0.0, 0.0}, []any{256.0, 0.0, 0.0}, []any{true, 0.0, 0.0}, make([]any, 1<<20), 5.0} {
		if got, err := ColorOfJSON(bad); err == nil {
			t.Errorf("got %v, want an error", got)
		}
	}
}

// TestColorNames checks the tables of colors. Each family of X11 has four shades. Every name that may be suggested for a misspelled name
// is valid.
func TestColorNames(t *testing.T) {
	if got, want := len(x11Families), 78; got != want {
		t.Errorf("got %d families, want %d", got, want)
	}
	for name, shades := range x11Families {
		for i, want := range shades {
			shade := name + string(rune('1'+i))
			if c, err := ParseColor(strings.ToUpper(shade)); err != nil || c != rgb(want) {
				t.Errorf("%s: got %v, %v, want %06x", shade, c, err, want)
			}
		}
	}
	for _, name := range colorNames() {
		if _, err := ParseColor(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestColorInFile(t *testing.T) {
	var r config.Report
	n := config.Parse("w.yaml", []byte("color: ornage\nedge: [1, 2]\nfill: !secret x\n"), &r, func(string) (any, error) { return "hunter2", nil })
	var params struct {
		Color Color  `yaml:"color" default:"white"`
		Edge  *Color `yaml:"edge"`
		Fill  Color  `yaml:"fill"`
		Text  Color  `yaml:"text" default:"[1, 2, 3]"`
		None  *Color `yaml:"none"`
	}
	if n.Decode(&params, &r, nil) {
		t.Error("got ok, want errors")
	}
	want := `w.yaml:1:8: color: "ornage" is no color; near: orange
w.yaml:2:7: edge: a color has 3 or 4 parts, red, green, blue and alpha, not 2
w.yaml:3:7: fill: the secret's value is not right here
`
	if got := r.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if want := (color.NRGBA{1, 2, 3, 255}); params.Text.NRGBA != want || params.None != nil {
		t.Errorf("got %v and %v, want %v and nil", params.Text, params.None, want)
	}
}

func ExampleParseColor() {
	c, err := ParseColor("Light Blue")
	fmt.Println(c, err)
	_, err = ParseColor("ornage")
	fmt.Println(err)
	// Output:
	// #add8e6 <nil>
	// "ornage" is no color
}

func FuzzParseColor(f *testing.F) {
	for _, s := range []string{"#fff", "#ff8800aa", "0x123456", "red", "grey50", "LightGoldenrod1", "light blue", "#", "gray", "\xff", "1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := ParseColor(s)
		if err != nil {
			return
		}
		if again, err := ParseColor(c.String()); err != nil || again != c {
			t.Errorf("%q is %v, whose text gives %v, %v", s, c, again, err)
		}
	})
}

// TestParseCSS checks that modern widgets accept the names of CSS, and those names of X11 that CSS does not have.
func TestParseCSS(t *testing.T) {
	for name, want := range map[string]string{
		"green": "#008000", "gray": "#808080", "grey": "#808080", "maroon": "#800000", "purple": "#800080", "lime": "#00ff00", "grey50": "#7f7f7f",
	} {
		if c, err := ParseCSS(name); err != nil || c.String() != want {
			t.Errorf("%s: got %v, %v, want %s", name, c, err, want)
		}
	}
}
