package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dashboard/config"
	"dashboard/internal/folder"
	"dashboard/internal/oauth"
	"dashboard/provider/geocode"
	"dashboard/provider/mqtt"
	"dashboard/provider/sources"
)

// handbook lists the documents for users: README, CONTRIBUTING and everything in docs.
func handbook(t *testing.T) []string {
	t.Helper()
	pages := []string{filepath.Join(repository, "README.md"), filepath.Join(repository, "CONTRIBUTING.md")}
	err := filepath.WalkDir(filepath.Join(repository, "docs"), func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".md") {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

func readPage(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

var yamlBlock = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")

// Every YAML block of the handbook can be loaded as a part of the file that its first line or its top-level keys name.
func TestEveryYAMLBlockLoads(t *testing.T) {
	pages := map[string][][]string{}
	for _, path := range handbook(t) {
		pages[path] = yamlBlock.FindAllStringSubmatch(readPage(t, path), -1)
	}
	theme := readPage(t, filepath.Join(repository, "cmd/dashboard/testdata/classic/themes/day.yaml"))
	h, err := newHome()
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	if err := os.WriteFile("day.yaml", []byte(theme), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, blocks := range pages {
		for i, block := range blocks {
			r := &config.Report{}
			kind := kindOf(block[1])
			if load := loaders[kind]; load == nil {
				t.Errorf("%s: YAML block %d is of no known kind (%s)", path, i+1, kind)
			} else {
				load(h, block[1], r)
			}
			if r.Failed() || len(r.Warnings()) > 0 {
				t.Errorf("%s: YAML block %d, read as %s:\n%s\n%s", path, i+1, kind, r, block[1])
			}
		}
	}
}

var firstComment = regexp.MustCompile(`^# *([^\n]*?)\s*\n`)

// kindOf returns the kind of file that contains a block.
func kindOf(block string) string {
	if m := firstComment.FindStringSubmatch(block); m != nil {
		for kind := range loaders {
			if strings.HasSuffix(strings.Fields(m[1])[0], kind) {
				return kind
			}
		}
		if strings.Contains(m[1], "theme") {
			return "theme"
		}
		if strings.Contains(m[1], "Home Assistant") {
			return "foreign"
		}
	}
	root := config.Parse("block", []byte(block), &config.Report{}, secrets)
	if root.Kind() == config.List {
		root = root.Items()[0]
	}
	has := func(keys ...string) bool { return slices.ContainsFunc(keys, root.Has) }
	switch {
	case has("views"):
		return "conf.yaml"
	case has("widget", "widgets", "theme"):
		return "widgets.yaml"
	case has("providers"):
		return "providers.yaml"
	case has("indicator", "offline") || root.Get("server").Has("url"):
		return "client.yaml"
	}
	if has("graphics", "server", "outputs", "appearance", "logging", "notifications", "homeassistant", "mqtt", "display") {
		return "conf.yaml"
	}
	return "unknown"
}

// loaders maps kinds of files to functions that load a block. Each function adds the missing parts of the file.
var loaders = map[string]func(h *home, block string, r *config.Report){
	"widgets.yaml":   loadWidgets,
	"conf.yaml":      loadConf,
	"client.yaml":    loadClient,
	"providers.yaml": loadProviders,
	"secrets.yaml":   parseOnly,
	"theme":          loadTheme,
	"foreign":        parseOnly,
}

func parseOnly(_ *home, block string, r *config.Report) {
	config.Parse("block", []byte(block), r, secrets)
}

// loadWidgets loads a block. The block is a widgets file, a part of a widgets file, one widget, or a list of widgets.
func loadWidgets(h *home, block string, r *config.Report) {
	root := config.Parse("block", []byte(block), r, secrets)
	switch {
	case root.Has("widget"):
		block = "widgets:\n-\n" + indent(block, 2)
	case root.Kind() == config.List:
		block = "widgets:\n- widget: grid\n  rows: 12\n  columns: 1\n  children:\n" + indent(block, 4)
	case !root.Has("widgets"):
		block += "\nwidgets: [{widget: empty}]\n"
	}
	var active *config.Node
	if strings.Contains(block, "!color") && !root.Has("theme") {
		active = config.LoadWidgets(folder.Dir(""), "day.yaml", r, secrets) // the theme of the classic wall in testdata
	}
	t := h.build(wallFiles{yaml: block, theme: active, size: usualSize.Mul(2), scale: 1}, r)
	t.close()
}

// loadTheme builds a wall with a theme file.
func loadTheme(h *home, block string, r *config.Report) {
	file := config.Parse("block", []byte(block), r, secrets)
	t := h.build(wallFiles{yaml: "widgets: [{widget: text, text: x}]\n", theme: file, size: usualSize, scale: 1}, r)
	t.close()
}

func loadConf(_ *home, block string, r *config.Report) {
	if !config.Parse("block", []byte(block), &config.Report{}, secrets).Has("graphics") {
		block += "\ngraphics: {resolution: [800, 480]}\n"
	}
	inFile(block, r, func(path string) { config.LoadConf(folder.Dir(""), path, r, secrets) })
}

func loadClient(_ *home, block string, r *config.Report) {
	root := config.Parse("block", []byte(block), &config.Report{}, secrets)
	for key, value := range map[string]string{
		"server": "{url: http://wall.lan:5000}", "graphics": "{resolution: [800, 480]}", "outputs": "[{type: window}]",
	} {
		if !root.Has(key) {
			block += "\n" + key + ": " + value + "\n"
		}
	}
	inFile(block, r, func(path string) { config.LoadClient(folder.Dir(""), path, r, secrets) })
}

// loadProviders decodes each provider with the struct of its type.
func loadProviders(_ *home, block string, r *config.Report) {
	inFile(block, r, func(path string) {
		list, _ := config.LoadProviders(folder.Dir(""), path, r, secrets, sources.TypeNames())
		for _, def := range list {
			t, _ := sources.TypeNamed(def.Type)
			params := t.Params()
			if !def.Decode(params) {
				continue
			}
			deps := sources.Deps{Grants: oauth.NewGrants(""),
				Atlas: geocode.NewAtlas(nil, "", nil), Home: &config.Location{Known: true}, HomeAssistant: &config.HomeAssistant{URL: "http://homeassistant.local:8123", Token: "x"}, Broker: &mqtt.Broker{URL: "mqtt://broker.lan"},
			}
			if _, _, err := t.Make(deps, params); err != nil {
				def.Errorf("", "%v", err)
			}
		}
	})
}

// inFile writes a block to a file in the working directory, which is the folder of a home. The file is removed with this folder.
func inFile(block string, r *config.Report, load func(path string)) {
	const path = "block.yaml"
	if err := os.WriteFile(path, []byte(block), 0o600); err != nil {
		r.Add(config.Diagnostic{File: path, Message: err.Error()})
		return
	}
	load(path)
}
