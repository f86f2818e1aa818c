package theme

import (
	"fmt"
	"strings"
	"testing"

	"dashboard/config"
)

const someColors = `
theme:
  colors:
    surface: "#141a24"
    accent: "#6ea8fe"
    bad: mix(red, surface, 50%)
    soft: alpha(accent, 30%)
    chain: soft
    coral: coral
    list: [1, 2, 3]
    loop: mix(knot, white)
    knot: loop
    wrong: nonsense
`

func palette(t *testing.T) Palette {
	t.Helper()
	var r config.Report
	root := config.Parse("f", []byte(someColors), &r, nil)
	if r.Failed() {
		t.Fatal(r.String())
	}
	return PaletteOf(root.Get("theme").Get("colors"))
}

func TestPaletteParse(t *testing.T) {
	p := palette(t)
	for text, want := range map[string]string{
		"accent":                     "#6ea8fe",
		"teal":                       "#008080",
		"#1f6feb":                    "#1f6feb",
		"#f80":                       "#ff8800",
		"coral":                      "#ff7f50",
		"list":                       "#010203",
		"bad":                        "#8a0d12",
		"chain":                      "#6ea8fe4d",
		"alpha(accent, 30%)":         "#6ea8fe4d",
		"alpha(#0008, 0.5)":          "#00000044",
		"mix(accent, surface, 30%)":  "#2f4565",
		"mix(white, black)":          "#808080",
		"mix(white, transparent, 1)": "#ffffff",
		"mix(alpha(red, 50%), mix(lime, blue, 0%), 50%)": "#5500aac0",
		"rgb(31, 111, 235)":         "#1f6feb",
		"rgb(31 111 235 / 50%)":     "#1f6feb80",
		"rgb(100%, 0%, 50%)":        "#ff0080",
		"hsl(210, 50%, 40%)":        "#336699",
		"hsl(-150deg 50% 40%)":      "#336699",
		"oklch(0.628 0.2577 29.23)": "#ff0000",
		"oklch(70% 0.4 150)":        "#00be58",
		"oklch(1 0 0)":              "#ffffff",
		"wrong":                     `"wrong" is no color; write '#rrggbb' or a name such as red`,
		"loop":                      `"loop" is no color; write '#rrggbb' or a name such as red`,
		"acent":                     `"acent" is no color; near: accent`,
		"blu":                       `"blu" is no color; near: blue`,
		"alpa(accent, 30%)":         `"alpa(accent, 30%)" is no color: there is no function alpa(); near: alpha`,
		"alpha(accent)":             "alpha() is written alpha(COLOR, 30%)",
		"alpha(accent, 30)":         `"30" is no share of a color: write 30%`,
		"alpha(accent, x)":          `"x" is no share of a color: write a share such as 30%`,
		"mix(accent)":               "mix() is written mix(COLOR, COLOR, 30%)",
		"mix(accent, surfce)":       `"surfce" is no color; near: surface`,
		"rgb(300, 0, 0)":            `"rgb(300, 0, 0)" is no color: "300" is out of the range of rgb()`,
		"rgb(-1, 0, 0)":             `"rgb(-1, 0, 0)" is no color: "-1" is out of the range of rgb()`,
		"rgb(x, 0, 0)":              `"rgb(x, 0, 0)" is no color: "x" is out of the range of rgb()`,
		"hsl(0, 101%, 0%)":          `"hsl(0, 101%, 0%)" is no color: "101%" is out of the range of hsl()`,
		"oklch(2 0 0)":              `"oklch(2 0 0)" is no color: "2" is out of the range of oklch()`,
		"rgb(1, 2)":                 `"rgb(1, 2)" is no color: rgb() has three numbers, and perhaps a share of opacity`,
		"rgb(1, 2, 3":               `"rgb(1, 2, 3" is no color: a ) is missing at its end`,
		strings.Repeat("mix(", 10) + "red" + strings.Repeat(", red)", 10): "more than 8 functions in one another",
		strings.Repeat("x", 300): "a text of 300 bytes is no color",
	} {
		c, err := p.Parse(text)
		got := c.String()
		if err != nil {
			got = err.Error()
			if e, ok := err.(*ColorError); ok && e.Near() != "" {
				got += "; near: " + e.Near()
			}
		}
		if got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestRoleOfColor checks which role a color has: the role with its name, or the role to which an entry of the theme refers.
func TestRoleOfColor(t *testing.T) {
	const colors = "\ntheme:\n  colors: {bad: '#f4807a', danger: bad, fire: danger, pink: '#ff88aa', one: two, two: one}\n"
	for name, want := range map[string]string{"bad": "bad", "danger": "bad", "fire": "bad", "pink": "", "red": "", "one": ""} {
		var r config.Report
		tree := config.Tree(config.Parse("f", []byte("widgets: [{widget: x, color: "+name+"}]"+colors), &r, nil), &r, nil)
		var p struct {
			Color RoleColor `yaml:"color"`
		}
		tree.Children[0].Decode(&p)
		if p.Color.Role != want {
			t.Errorf("%s: got the role %q, want %q", name, p.Color.Role, want)
		}
	}
}

func TestRoleColorsAndBackgrounds(t *testing.T) {
	for text, want := range map[string]string{
		"{color: accent}":               "#6ea8fe",
		"{color: 'alpha(accent, 30%)'}": "#6ea8fe4d",
		"{color: [1, 2, 3]}":            "#010203",
		"{color: acent}":                "color: \"acent\" is no color; near: accent",
		"{color: {a: 1}}":               "color: a mapping is no color",
		"{background: accent}":          "one #6ea8fe",
		"{background: {colors: [accent, surface], angle: 90}}":  "line [#6ea8fe #141a24] 90",
		"{background: {picture: a.png, scrim: 40%, blur: 8px}}": "picture a.png 0.4 8",
		"{background: {colors: [accent]}}":                      "background.colors: needs at least 2 items, has 1",
		"{background: {colors: [accent, acent]}}":               "background.colors[1]: \"acent\" is no color; near: accent",
		"{background: {angle: 9}}":                              "background: must be a color, {colors: [a, b], angle: 90} or {picture: FILE, scrim: 40%}",
		"{background: {picture: a, angle: 9}}":                  "background: has 'angle', which is of 'colors'",
		"{background: {colors: [red, blue], scrim: 1}}":         "background: has 'scrim' or 'blur', which are of 'picture'",
		"{background: {picture: a, scrum: 1}}":                  "background.scrum: unknown key 'scrum'; near: scrim",
	} {
		var r config.Report
		root := config.Parse("f", []byte("widgets: ["+strings.Replace(text, "{", "{widget: x, ", 1)+"]"+someColors), &r, nil)
		tree := config.Tree(root, &r, nil)
		var p struct {
			Color      RoleColor   `yaml:"color"`
			Background *Background `yaml:"background"`
		}
		tree.Children[0].Decode(&p)
		got := p.Color.String()
		if b := p.Background; b != nil {
			switch {
			case b.Color != nil:
				got = "one " + b.Color.String()
			case b.Colors != nil:
				got = fmt.Sprint("line ", b.Colors, " ", b.Angle)
			default:
				got = fmt.Sprint("picture ", b.Picture, " ", b.Scrim, " ", b.Blur)
			}
		}
		if all := r.Diagnostics(); len(all) > 0 {
			d := all[0]
			got = strings.TrimPrefix(d.Path, "widgets[0].") + ": " + d.Message
			if d.Near != "" {
				got += "; near: " + d.Near
			}
		}
		if got != want {
			t.Errorf("%s: got %s\nwant %s", text, got, want)
		}
	}
}

func FuzzPalette(f *testing.F) {
	for _, s := range []string{"alpha(accent, 30%)", "mix(mix(red,blue),white,1)", "oklch(0.5 9 720)", "rgb(1 2 3 / 4%)", "hsl(1e9 1% 2%)", "mix((,),"} {
		f.Add(s)
	}
	p := Palette{map[string]Color{"accent": rgb(0x6ea8fe)}}
	f.Fuzz(func(t *testing.T, s string) { _, _ = p.Parse(s) })
}

// TestWrongColorIsInTheThemeFile checks that a wrong color is reported at its position in the theme file.
func TestWrongColorIsInTheThemeFile(t *testing.T) {
	var r config.Report
	widgets := config.Parse("widgets.yaml", []byte("widgets: [{widget: x, color: !color panel}]\ntheme: {colors: {panel: red}}\n"), &r, nil)
	day := config.Parse("day.yaml", []byte("colors:\n  panel: rde\n"), &r, nil)
	var p struct {
		Color Color `yaml:"color"`
	}
	config.Tree(Resolve(widgets, day, &r), &r, nil).Children[0].Decode(&p)
	want := "day.yaml:2:10: colors.panel: \"rde\" is no color (used at widgets.yaml:1:30); near: red\n"
	if got := r.String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
