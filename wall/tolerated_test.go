package wall

import (
	"path/filepath"
	"strings"
	"testing"

	"dashboard/config"
	"dashboard/wall/scene"

	"github.com/rogpeppe/go-internal/txtar"
)

// oldParts returns parts of walls by name. Each part has an error that Grydgets ignores.
func oldParts(t *testing.T, file string) map[string]string {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join(sourceDir, "testdata", "old", file))
	if err != nil || len(archive.Files) == 0 {
		t.Fatalf("got %v, %v", archive, err)
	}
	parts := map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = strings.TrimSpace(string(f.Data))
	}
	return parts
}

// runsAllTheSame loads a wall as the service does and then as the command check does. The service and the command each report the error
// once with its position. Only the command fails.
func runsAllTheSame(t *testing.T, wall files, place string) {
	t.Helper()
	o := scene.Folder{Widgets: "widgets.yaml", Home: t.TempDir()}
	wall.write(t, o.Home)
	for _, strict := range []bool{false, true} {
		o.Strict = strict
		b := scene.NewBuilder(scene.Parts{Wake: func() {}, Log: discardLog()})
		g, report := b.Load(o, scene.Alone(func() {}))
		b.Providers.Close()
		if (g == nil) != strict {
			t.Errorf("check %v: got\n%s", strict, report)
		}
		told := 0
		for _, d := range report.Diagnostics() {
			if d.Code == config.CodeTolerated && strings.HasPrefix(d.String(), place) {
				told++
			}
		}
		if told != 1 || len(report.Diagnostics()) != 1 {
			t.Errorf("check %v: told %d times\n%s", strict, told, report)
		}
	}
}

const oneProvider = "providers:\n  p: {url: 'http://127.0.0.1:9/'}\n"

// beside() returns a wall of two cells, of which one contains the given widget.
func beside(widget string) string {
	return "widgets:\n  - widget: grid\n    rows: 1\n    columns: 2\n    children:\n      - {widget: text, text: beside}\n      - " + widget + "\n"
}

// A wall that runs in Grydgets runs here too. The service reports the wall's errors as warnings.
// The command check reports them as errors.
func TestOldWallsRun(t *testing.T) {
	t.Parallel()
	for name, widget := range oldParts(t, "widgets.txtar") {
		t.Run(name, func(t *testing.T) {
			runsAllTheSame(t, files{
				"conf.yaml": wallConf(freePort(t), ""), "providers.yaml": oneProvider, "widgets.yaml": beside(widget),
			}, "widgets.yaml:7:")
		})
	}
}

// TestBrokenFilesFailAlone checks a picture, font or icon file that is missing or broken. The service reports a warning at the position
// of the file's name, and the command check reports an error. The rest of the wall runs.
func TestBrokenFilesFailAlone(t *testing.T) {
	t.Parallel()
	for name, widget := range map[string]string{
		"missing picture":    "{widget: image, path: none.png}",
		"broken picture":     "{widget: image, path: broken.png}",
		"cut picture":        "{widget: image, path: cut.png}",
		"missing background": "{widget: card, value: 1, background: {picture: none.jpg}}",
		"missing font":       "{widget: label, text: x, font_path: none.ttf, children: [{widget: empty}]}",
		"broken font":        "{widget: text, text: x, text_size: 20, font_path: broken.ttf}",
		"missing icon":       "{widget: card, title: x, icon: none.svg}",
		"broken icon":        "{widget: card, title: x, icon: broken.svg}",
		"icon of a row":      "{widget: list, items: [{text: x, icon: none.png}]}",
		"picture of a grid":  "{widget: grid, rows: 1, columns: 1, image_path: none.png, children: [{widget: empty}]}",
	} {
		t.Run(name, func(t *testing.T) {
			runsAllTheSame(t, files{
				"conf.yaml": wallConf(freePort(t), ""), "widgets.yaml": beside(widget),
				"broken.png": "no picture", "broken.ttf": "no font", "broken.svg": "<svg", "cut.png": "\x89PNG\r\n\x1a\n\x00\x00",
			}, "widgets.yaml:7:")
		})
	}
}

// A provider with an error in its definition fails with the reason. The other providers work.
func TestOldProvidersRun(t *testing.T) {
	for name, entry := range oldParts(t, "providers.txtar") {
		t.Run(name, func(t *testing.T) {
			runsAllTheSame(t, files{
				"conf.yaml":      wallConf(freePort(t), ""),
				"providers.yaml": "providers:\n  good: {url: 'http://127.0.0.1:9/'}\n  p: " + entry + "\n",
				"widgets.yaml":   beside("{widget: provider, providers: [p], data_path: a.b}"),
			}, "providers.yaml:3:")
		})
	}
}

// If the definition of a provider has an error, /healthz reports it like any other failure of the provider, and the wall is shown.
func TestWrongProviderFails(t *testing.T) {
	port := freePort(t)
	p := start(t, port, files{
		"conf.yaml": wallConf(port, ""), "widgets.yaml": plainWall("red"), "providers.yaml": "providers:\n  p: {type: mqttt}\n",
	})
	p.serves("/frame", 200)
	eventually(t, "it fails with the reason", func() bool { return strings.Contains(p.text("/healthz"), "unknown provider type") })
	if text := p.text("/healthz"); !strings.Contains(text, "providers.yaml:2:") {
		t.Errorf("no place in %s", text)
	}
}

// If an output cannot work, the problem is reported, and the other outputs work.
func TestOldOutputsRun(t *testing.T) {
	for name, output := range oldParts(t, "outputs.txtar") {
		t.Run(name, func(t *testing.T) {
			runsAllTheSame(t, files{
				"conf.yaml":    "graphics: {resolution: [160, 96]}\noutputs:\n  - {type: stream}\n  - " + output + "\n",
				"widgets.yaml": plainWall("red"),
			}, "conf.yaml:4:")
		})
	}
}
