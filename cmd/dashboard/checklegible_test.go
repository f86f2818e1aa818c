package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/config"
	"dashboard/internal/locale"
	"dashboard/render/text"
	"dashboard/wall/scene"
)

// The check warns about a color with little contrast to its background, and about texts that are too small in the picture of the wall. Each
// warning has a position. Color roles, colors that depend on values, and texts on pictures, gradients or other widgets are not checked.
func TestCheckWarnsOfWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	files{
		"conf.yaml": "graphics: {resolution: [640, 360]}\noutputs: [{type: stream}]\n", "providers.yaml": "providers: {}\n",
		"widgets.yaml": `theme: {day: calm, night: calm}
widgets:
  - widget: column
    children:
      - {widget: card, value: 4, color: "#262c36"}
      - {widget: card, value: 4, color: good}
      - {widget: text, text: a, color: "#10141b", style: title}
      - {widget: text, text: b, color: "#10141b", style: title, background: white}
      - {widget: text, text: c, color: "#10141b", style: title, background: {colors: [black, blue]}}
      - {widget: list, items: [{text: d}], text_size: 9}
      - {widget: list, items: [{text: e}], text_size: 30}
      - {widget: stack, children: [{widget: text, text: f, color: "#10141b", style: title}]}
`,
	}.write(t, dir)
	status, said, errs := command(t, "check", dir)
	if status != 0 || errs != "" {
		t.Fatalf("got status %d, %q and %q", status, said, errs)
	}
	want := []string{
		"widgets.yaml:5:41: warning: widgets[0].children[0].color: #262c36 on #141a24 behind it has a contrast of 1.2:1, less than 3.0:1",
		"widgets.yaml:7:40: warning: widgets[0].children[2].color: #10141b on #0b0f16 behind it has a contrast of 1.0:1",
		"widgets.yaml:10:55: warning: widgets[0].children[5].text_size: is 9 px in a picture of 640x360, less than the 11 px that can be read; it is drawn at 11 px",
	}
	for _, w := range want {
		if !strings.Contains(said, w) {
			t.Errorf("got no %q in\n%s", w, said)
		}
	}
	if n := strings.Count(said, "warning:"); n != len(want) {
		t.Errorf("got %d warnings, want %d:\n%s", n, len(want), said)
	}
}

// The check warns about texts for which there is no font. The warning contains the script, the
// position of the first such text, and the package with a font.
func TestCheckWarnsOfMissingFonts(t *testing.T) {
	root, report := loadFonts(t, "widgets:\n  - {widget: text, text: \"ok – Å Ж Ω\"}\n  - {widget: text, text: 안녕}\n  - {widget: card, title: 하세요, icon: mdi:sofa}\n  - {widget: text, text: \"\U000118a0\", path: 안}\n")
	fonts := text.NewCache(1 << 20)
	fonts.SystemFonts()
	scene.CheckFonts(fonts, root, locale.English(), report)
	got := report.String()
	for _, want := range []string{
		"widgets.yaml:3:26: widgets[1].text: warning: 2 texts, of which this is the first, need a font with Korean; on Debian: apt install fonts-noto-cjk",
		"widgets.yaml:5:26: widgets[3].text: warning: this text needs a font with Warang_Citi, for '\U000118a0' and others; on Debian: apt install fonts-noto-core",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("got no %q in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "warning:"); n != 2 {
		t.Errorf("got %d warnings, want 2:\n%s", n, got)
	}
}

// The check warns once if there is no font for the language of the wall.
func TestCheckWarnsOfALanguageWithoutAFont(t *testing.T) {
	for _, test := range []struct{ tag, want string }{
		{"ja", "widgets.yaml:1:1: warning: the wall's language, ja, needs a font with Chinese or Japanese, for '日' and others; on Debian: apt install fonts-noto-cjk"},
		{"hi", "widgets.yaml:1:1: warning: the wall's language, hi, needs a font with Devanagari, for 'र' and others; on Debian: apt install fonts-noto-core"},
		{"el", ""}, {"vi", ""}, {"de", ""},
	} {
		root, report := loadFonts(t, "widgets:\n  - {widget: text, text: ok}\n")
		fonts := text.NewCache(1 << 20)
		fonts.SystemFonts()
		words, err := locale.Load(test.tag, nil)
		if err != nil {
			t.Fatal(err)
		}
		scene.CheckFonts(fonts, root, words, report)
		if got := report.String(); strings.TrimSpace(got) != test.want && !strings.HasPrefix(got, test.want+"\n") {
			t.Errorf("%s: got %q, want %q", test.tag, got, test.want)
		}
	}
}

func loadFonts(t *testing.T, wall string) (*config.Node, *config.Report) {
	t.Helper()
	dir := t.TempDir()
	files{"widgets.yaml": wall}.write(t, dir)
	report := &config.Report{}
	return config.LoadWidgets(os.DirFS(dir), "widgets.yaml", report, nil), report
}

// The check accepts each form of a theme's typeface, and warns about a font file that is missing.
func TestCheckTypeface(t *testing.T) {
	for face, want := range map[string]string{
		"inter": "", "liberation": "",
		"NoSuch.ttf":         "widgets.yaml:1:31: warning: theme.typeface: font: NoSuch.ttf: no such file or directory; write inter, liberation or {path: FILE}",
		"{path: NoSuch.ttf}": "widgets.yaml:1:31: warning: theme.typeface: font: NoSuch.ttf: no such file or directory; write inter, liberation or {path: FILE}",
	} {
		dir := valueWall(t, "providers: {}\n")
		wall := "theme: {from: calm, typeface: " + face + "}\nwidgets: [{widget: clock}]\n"
		if err := os.WriteFile(filepath.Join(dir, "widgets.yaml"), []byte(wall), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, said, _ := command(t, "check", dir); want == "" && strings.Contains(said, "warning") || !strings.Contains(said, want) {
			t.Errorf("%s: got %s, want %q", face, said, want)
		}
	}
}
