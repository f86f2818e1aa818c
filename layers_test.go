package dashboard_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// policy is who may import whom inside the module: a statement of design, not a description. A package
// that is not listed may not exist. cmd/* may import everything. Change this only when the design
// changes, and say so in docs/decisions.
var policy = map[string]string{
	"damage":             "",
	"spelling":           "",
	"config":             "spelling",
	"theme":              "config spelling",
	"theme/sun":          "",
	"fetch":              "",
	"extract":            "",
	"pyfmt":              "",
	"picture":            "",
	"provider":           "",
	"provider/rest":      "provider fetch extract pyfmt",
	"provider/picture":   "provider fetch extract picture",
	"provider/derive":    "provider",
	"provider/system":    "provider",
	"provider/sun":       "provider theme/sun",
	"notify":             "picture fetch",
	"render":             "damage",
	"render/text":        "",
	"widgets":            "spelling render render/text theme provider provider/rest provider/picture provider/derive picture notify pyfmt extract fetch",
	"output":             "damage",
	"fb":                 "damage",
	"fb/fbtest":          "fb",
	"netstream":          "damage netstream/bilinear netstream/jpegtile netstream/pngtile netstream/bmp",
	"netstream/bilinear": "",
	"netstream/jpegtile": "",
	"netstream/pngtile":  "",
	"netstream/bmp":      "",
	"server":             "netstream notify",
	"client":             "netstream render render/text damage netstream/bilinear netstream/jpegtile",
	"samples":            "",
	"schema":             "",
	"systemd":            "",
	"window":             "config fb netstream/bilinear",
	"daemon":             "config",
}

// homes is where each outside library may be imported in shipped code; cmd is not exempt.
var homes = map[string]string{
	"gopkg.in/yaml.v3":                    "config",
	"github.com/julienschmidt/httprouter": "server",
	"golang.org/x/sys/unix":               "fb systemd",
	"github.com/gonutz/framebuffer":       "fb",
	"github.com/itchyny/gojq":             "extract",
	"github.com/go-text/typesetting":      "render/text",
	"github.com/fyne-io/oksvg":            "picture",
	"github.com/srwiley/rasterx":          "picture",
	"os/exec":                             "",
}

func TestImportPolicy(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "vendor") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		checkFile(t, path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func checkFile(t *testing.T, path string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
	if err != nil {
		t.Error(err)
		return
	}
	pkg := filepath.ToSlash(filepath.Dir(path))
	allowed, listed := policy[pkg]
	wires := strings.HasPrefix(pkg, "cmd/") || strings.HasPrefix(pkg, "internal/") || pkg == "."
	if !listed && !wires {
		t.Errorf("%s: package %s is not in the import policy", path, pkg)
	}
	for _, spec := range f.Imports {
		to := strings.Trim(spec.Path.Value, `"`)
		if ours, ok := strings.CutPrefix(to, "dashboard/"); ok && !wires && !slices.Contains(strings.Fields(allowed), ours) {
			t.Errorf("%s: %s must not import %s", path, pkg, ours)
		}
		for lib, home := range homes {
			at := to == lib || strings.HasPrefix(to, lib+"/")
			if at && !strings.HasPrefix(pkg, "internal/") && !slices.Contains(strings.Fields(home), pkg) {
				t.Errorf("%s: %s belongs to %q", path, to, home)
			}
		}
	}
}
