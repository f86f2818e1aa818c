package theme

import (
	"maps"
	"strings"
	"testing"

	"dashboard/config"
)

func dress(t *testing.T, text string, night bool) (Dressed, string) {
	t.Helper()
	var r config.Report
	root := config.Parse("widgets.yaml", []byte(text), &r, nil)
	d := Dress(root, nil, night, &r)
	return d, r.String()
}

func TestNamedThemes(t *testing.T) {
	d, report := dress(t, "theme: calm\nwidgets: [{widget: x, color: !color accent}]\n", true)
	if report != "" || !d.Named || d.Look.Colors["accent"].R != 0x6e {
		t.Fatalf("calm: %v %s", d.Look.Colors["accent"], report)
	}
	if c := d.Root.Get("background_color"); c.Text() != "#0b0f16" {
		t.Errorf("background: %s", c.Shown())
	}
	if c := d.Root.Get("widgets").Items()[0].Get("color"); c.Text() != "#6ea8fe" {
		t.Errorf("a role as a token: %s", c.Shown())
	}
	day, _ := dress(t, "theme: calm\nbackground_color: red\nwidgets: []\n", false)
	if day.Look.Colors["background"].R != 0xef || day.Root.Get("background_color").Text() != "red" {
		t.Errorf("day: %v, %s", day.Look.Colors["background"], day.Root.Get("background_color").Shown())
	}
}

func TestThemeFrom(t *testing.T) {
	const file = `
theme:
  from: calm
  colors: {accent: "#7bd88f", mine: "#010203", danger: bad, fire: danger, warn: "#f5b84b"}
  styles: {price: {size: 40, weight: 300}, body: {size: 22}}
  sizes: {gap: 8, mine: 5}
  night: {colors: {accent: "#c98b3a"}}
  defaults: {x: {gap: !size mine}}
widgets: [{widget: x, color: !color mine}]
`
	d, report := dress(t, file, true)
	if report != "" {
		t.Fatal(report)
	}
	l := d.Look
	if l.Colors["accent"].R != 0xc9 || l.Colors["mine"].B != 3 || l.Colors["text"].R != 0xee {
		t.Errorf("colors: %v", l.Colors)
	}
	if want := map[string]string{"mine": "", "danger": "bad", "fire": "bad"}; !maps.Equal(l.Roles, want) {
		t.Errorf("roles: %v, want %v", l.Roles, want)
	}
	if l.Styles["price"].Size != 40 || l.Styles["price"].Weight != 300 || l.Styles["body"].Size != 22 || l.Styles["body"].Weight != 400 {
		t.Errorf("styles: %v", l.Styles)
	}
	if l.Sizes.Gap != 8 || l.Sizes.Margin != 20 {
		t.Errorf("sizes: %+v", l.Sizes)
	}
	if g := d.Root.Get("widgets").Items()[0].Get("gap"); g.Text() != "5" {
		t.Errorf("a default with a token: %s", g.Shown())
	}
	if day, _ := dress(t, file, false); day.Look.Colors["accent"].R != 0x7b {
		t.Errorf("by day: %v", day.Look.Colors["accent"])
	}
}

func TestClassicThemeHasRoles(t *testing.T) {
	d, report := dress(t, "theme: {colors: {accent: \"#010203\"}}\nwidgets: []\n", false)
	if report != "" || d.Named || d.Look.Colors["accent"].R != 1 || d.Look.Colors["surface"].R != 0x14 || d.Root.Has("background_color") {
		t.Errorf("got %v %s", d.Look.Colors, report)
	}
	if d, report := dress(t, "widgets: []\n", false); report != "" || d.Look.Colors["accent"].R != 0x6e {
		t.Errorf("no theme: %v %s", d.Look.Colors["accent"], report)
	}
}

func TestUnknownTheme(t *testing.T) {
	for text, want := range map[string]string{
		"theme: clam\nwidgets: []\n":                                    "there is no theme 'clam'",
		"theme: {from: clam}\nwidgets: []\n":                            "there is no theme 'clam'",
		"theme: {from: calm, styles: {body: {sise: 3}}}\nwidgets: []\n": "unknown key 'sise'; near: size",
	} {
		if _, report := dress(t, text, true); !strings.Contains(report, want) {
			t.Errorf("%s: got %q, want %q", text, report, want)
		}
	}
}

// TestMisspelledSection checks that a misspelled section of a theme, which has no effect, causes a warning with the right name. A section
// that a token uses is the user's own section, so it causes no warning.
func TestMisspelledSection(t *testing.T) {
	for theme, want := range map[string]string{
		"{from: calm, colours: {accent: red}}":                                        "widgets.yaml:1:21: theme.colours: warning: unknown key 'colours': it has no effect, because no token names this section; near: colors",
		"{from: calm, color: {accent: red}}":                                          "theme.color: warning: unknown key 'color'",
		"{from: calm, night: {sizs: {gap: 3}}}":                                       "theme.night.sizs: warning: unknown key 'sizs'",
		"{colours: {accent: red}}":                                                    "theme.colours: warning: unknown key 'colours'",
		"{from: calm, colours: {mine: red}, x: {y: 1}, colors: {mine: !colour mine}}": "",
		"{color: {accent: red}}":                                                      "",
		"{from: calm, fonts: {regular: a.ttf}, images: {screen: null}}":               "",
	} {
		_, report := dress(t, "theme: "+theme+"\nwidgets: []\n", true)
		if want == "" && report != "" || !strings.Contains(report, want) || strings.Contains(report, "built-in theme") {
			t.Errorf("%s: got %q, want %q", theme, report, want)
		}
	}
}

// TestWrongRole checks that a color of a role that is no color causes an error, and that a name similar to a role or a length causes a
// warning, unless the file uses the name.
func TestWrongRole(t *testing.T) {
	for text, want := range map[string]string{
		"theme: {from: calm, colors: {accent: tael}}":                                                             `widgets.yaml:1:38: theme.colors.accent: "tael" is no color; near: teal`,
		`theme: {from: calm, night: {colors: {text: "#12345"}}}`:                                                  `theme.night.colors.text: "#12345" is no color: it needs 3, 4, 6 or 8`,
		"theme: {from: calm, colors: {text: 'mix(accnt, red, 50%)'}}":                                             `near: accent`,
		"theme: {from: calm, colors: {acent: teal}}":                                                              "widgets.yaml:1:30: theme.colors.acent: warning: 'acent' has no effect: no widget uses this name; near: accent",
		"theme: {from: calm, night: {sizes: {margn: 3}}}":                                                         "theme.night.sizes.margn: warning: 'margn' has no effect: no widget uses this name; near: margin",
		"theme: {from: calm, colors: {acent: teal}}\nx: {color: !color acent}":                                    "",
		"theme: {from: calm, colors: {acent: teal, good: 'mix(acent, white, 30%)'}}":                              "",
		"theme: {from: calm, colors: {accent: !color mine, mine: teal, bad: [255, 200, 200]}}":                    "",
		"theme: {colors: {acent: teal, text: rot}}":                                                               "",
		"theme: {from: calm, colors: {series7: teal, surface: {colors: [navy, black]}}}":                          "",
		"theme: {from: calm, colors: {acent: teal}}\nx: {color: !data 'if .a then \"acent\" else \"muted\" end'}": "",
		"theme: {from: calm, colors: {coral: coral, house: green}, sizes: {mine: 3}}":                             "",
	} {
		if _, report := dress(t, text+"\nwidgets: []\n", true); want == "" && report != "" || !strings.Contains(report, want) {
			t.Errorf("%s: got %q, want %q", text, report, want)
		}
	}
}
