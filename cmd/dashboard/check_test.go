package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// spoiled() copies the wall in testdata/classic and replaces some words of one file, so that the wall has an error. It returns the folder
// of the copy.
func spoiled(t *testing.T, file string, oldnew ...string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(sourceDir, "testdata/classic"))); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, file)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer(oldnew...).Replace(string(data))
	if text == string(data) {
		t.Fatalf("%s does not have %q", file, oldnew)
	}
	files{file: text}.write(t, dir)
	return dir
}

// The report contains every error with its position and the most similar valid word. It does not
// contain errors that only follow from other errors.
func TestCheckTells(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, file   string
		oldnew, want []string
		errors       string
	}{
		{
			"a misspelt widget", "widgets.yaml", []string{"dateclock", "dateclok"},
			[]string{"widgets.yaml:35:33: error: widget: unknown widget type 'dateclok'; is 'dateclock' meant?", "\n      |                                 ^\n"}, "1 error",
		},
		{
			"an unknown parameter", "widgets.yaml", []string{"text_size", "text_sise"},
			[]string{"widgets.yaml:44:108: error: text_sise: unknown key 'text_sise'", "= did you mean text_size?"}, "1 error",
		},
		{
			"a misspelt color", "themes/night.yaml", []string{"!color quiet", "!color quite"},
			[]string{"themes/night.yaml:20:12: error:", "= did you mean quiet?"}, "1 error",
		},
		{
			"defaults of no widget", "themes/night.yaml", []string{"  label:", "  labell:"},
			[]string{"themes/night.yaml:19:3: error: defaults.labell: 'labell' is no widget type and no group", "= did you mean label?"}, "1 error",
		},
		{
			"a token in a file without a theme", "providers.yaml", []string{"  sun:  ", "  other: {url: !color card}\n  sun:  "},
			[]string{"providers.other.url: theme tokens are only resolved in the widgets file"}, "1 error",
		},
		{
			"settings and a theme that is missing", "conf.yaml", []string{"5000 ", "500000 ", "port: 5000", "port: 500000", "night.yaml", "nigth.yaml"},
			[]string{"server.port: must be between 1 and 65535, not 500000", "themes/nigth.yaml: error: no such file"}, "2 errors",
		},
		{
			"settings that cannot be read", "conf.yaml", []string{"graphics:", "graphics: ["},
			[]string{"not valid YAML"}, "1 error",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			status, said, _ := command(t, "check", spoiled(t, tc.file, tc.oldnew...))
			for _, want := range tc.want {
				if !strings.Contains(said, want) {
					t.Errorf("no %q in\n%s", want, said)
				}
			}
			if !strings.HasSuffix(said, "\n"+tc.errors+", 0 warnings.\n") || status != 1 {
				t.Errorf("got status %d, want 1 and %s, of\n%s", status, tc.errors, said)
			}
			if strings.Contains(said, "\x1b") {
				t.Error("colors in what no terminal shows")
			}
		})
	}
}

func TestCheckInJSON(t *testing.T) {
	status, said, _ := command(t, "check", "--json", spoiled(t, "widgets.yaml", "dateclock", "dateclok"))
	if status != 1 || !strings.HasPrefix(said, `{"ok":false,"diagnostics":[{"file":"widgets.yaml","line":35,"column":33,`) {
		t.Errorf("got status %d and %s", status, said)
	}
}

// TestCheckPoints: errors in rows, columns and calendars have the position of the wrong value, and a remedy.
func TestCheckPoints(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files{
		"conf.yaml": "outputs: [{type: stream}]\n",
		"providers.yaml": `providers:
  cal:
    type: calendar
    calendars:
      - {name: Anna, path: anna.ics}
      - name: Bin
        url: htp//bin.example
  two:
    type: rest
    steps: [{url: "http://a.example"}, {url: htp}]
`,
		"widgets.yaml": `theme: {from: calm, sizes: {gap: 4px, margin: thick, icon: -3, mine: 2em}}
widgets:
  - widget: column
    children:
      - widget: list
        items:
          - {text: a}
          - {text: !data .itm.title}
      - {widget: list, items: !data .cal.events, item: {text: !data .item.title, note: !data .itm.start}}
      - widget: table
        items: !data .cal.events
        columns:
          - {title: a, value: !data .item.title, color: !data .itm.color}
      - {widget: text, text: a, color: rot}
`,
		"anna.ics": "",
	}.write(t, dir)
	_, said, _ := command(t, "check", dir)
	for _, want := range []string{
		"providers.yaml:7:14: error: providers.cal.calendars[1].url: impossible request",
		"providers.yaml:10:46: error: providers.two.steps[1].url: impossible request",
		"widgets.yaml:1:47: error: theme.sizes.margin: must be a length in pixels, such as 24, not \"thick\"",
		"widgets.yaml:1:60: error: theme.sizes.icon: must be between 0",
		"widgets.yaml:8:20: error: widgets[0].children[0].items[1].text: no provider is named 'itm'",
		"widgets.yaml:9:88: error: widgets[0].children[1].item.note: no provider is named 'itm'; is .item meant?",
		"widgets.yaml:13:57: error: widgets[0].children[2].columns[0].color: no provider is named 'itm'; is .item meant?",
		"widgets.yaml:14:40: error: widgets[0].children[3].color: \"rot\" is no color; write '#rrggbb' or a name such as red",
		"\n8 errors, 0 warnings.\n",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
}

// TestCheckPointsIntoMappings: an error about a key inside a mapping of conf.yaml points to that key.
func TestCheckPointsIntoMappings(t *testing.T) {
	for conf, want := range map[string]string{
		"mqtt: {name: a, url: broker.lan}\n":                        "conf.yaml:1:17: error: mqtt.url: must be an address such as",
		"mqtt: {url: 'mqtt://b.lan', id: a b}\n":                    "conf.yaml:1:29: error: mqtt.id: must be at most",
		"notifications: {kind: card, mqtt: a#}\n":                   "conf.yaml:1:29: error: notifications.mqtt: has a #",
		"views: {\n  small: {widgets: widgets.yaml, locale: xx}}\n": "conf.yaml:2:34: error: views.small.locale: the language 'xx' does not exist",
	} {
		dir := t.TempDir()
		files{"conf.yaml": conf + "outputs: [{type: stream}]\n", "widgets.yaml": "widgets: [{widget: clock}]\n"}.write(t, dir)
		if _, got, _ := command(t, "check", dir); !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", conf, got, want)
		}
	}
}
