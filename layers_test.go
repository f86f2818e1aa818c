package dashboard_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// policy lists which packages a package may import from this module. It states the design. Every package must be listed. The programs in
// cmd/ may import everything except testHelp. Change this only when the design changes, and record the reason in docs/dev/decisions.
var policy = map[string]string{
	"internal/localtime": "",
	"internal/loglimit":  "",
	"internal/mdns":      "internal/stable",
	"internal/moon":      "",
	"internal/packed":    "",
	"internal/pause":     "",
	"internal/spelling":  "",
	"internal/stable":    "",
	"internal/state":     "internal/folder internal/stable",
	"internal/locale":    "",
	"internal/fetch":     "internal/budget internal/folder internal/stable",
	"internal/oauth":     "internal/fetch internal/state",
	"internal/folder":    "internal/stable",
	"internal/timeset":   "",
	"internal/pull":      "internal/fetch internal/pull/archive internal/pull/wallcopy",

	"internal/pull/archive":  "",
	"wall/origin":            "config internal/folder internal/pull internal/pull/archive internal/pull/wallcopy",
	"internal/pull/wallcopy": "internal/folder internal/state",

	"internal/whole":    "",
	"wall/scene":        "config config/recipe config/value control control/bridge control/device control/notify control/page control/power control/timer internal/budget internal/fetch internal/folder internal/locale internal/state internal/timeset internal/whole output/panel output/trmnl provider provider/derived provider/geocode provider/live provider/mqtt provider/photos provider/push provider/sources recipes render render/text server theme theme/look theme/sun wall/daemon wall/fact wall/outputs output/window widgets widgets/kit widgets/kit/history control/verb internal/oauth provider/todo widgets/screen internal/stable",
	"wall/view":         "config control control/bridge control/device control/notify control/page control/power control/presence control/touch fb/board fb/evdev internal/budget internal/fetch internal/state internal/whole netstream render server theme theme/sun wall/outputs wall/scene widgets/kit widgets/notice control/verb widgets/screen",
	"wall":              "appliance/about appliance/startscreen config control control/device control/light control/notify control/pairing control/power control/timer control/touch fb/evdev internal/fetch internal/folder internal/locale internal/state netstream netstream/bilinear output/trmnl provider provider/calendar provider/homeassistant provider/mqtt provider/push provider/system render render/icon render/ink render/picture server systemd theme/sun wall/address wall/announce wall/daemon wall/draft wall/excerpt wall/fact wall/input wall/note wall/outputs wall/reload wall/scene wall/view output/window widgets/kit widgets/kit/speech widgets/notice control/verb control/fleet internal/mdns wall/origin config/recipe provider/todo widgets/screen internal/stable",
	"wall/announce":     "config internal/mdns",
	"config/linediff":   "config/edit",
	"wall/draft":        "config config/edit config/linediff config/recipe internal/extract internal/fetch internal/folder internal/localtime internal/oauth internal/state netstream/pngtile provider provider/calendar provider/live provider/weather recipes render/icon render/ink schema server theme/look theme/sun wall/scene wall/trial widgets wall/draft/words internal/stable",
	"wall/draft/words":  "config/edit",
	"wall/excerpt":      "provider",
	"wall/trial":        "config config/recipe internal/folder theme/sun wall/scene widgets/kit widgets/kit/speech",
	"wall/input":        "control control/light control/power",
	"wall/note":         "appliance/about appliance/startscreen internal/qrcode wall/address",
	"wall/reload":       "config/recipe schema",
	"wall/fact":         "",
	"wall/outputs":      "appliance/about appliance/startscreen config control/power fb internal/state internal/whole netstream netstream/bilinear netstream/jpegtile output output/panel render render/ink render/text server wall/fact control/switches output/window",
	"internal/budget":   "",
	"internal/extract":  "internal/budget",
	"internal/pyfmt":    "",
	"internal/charset":  "",
	"provider/document": "config internal/budget internal/charset internal/extract",
	"internal/markdown": "",
	"wall/daemon":       "config internal/folder internal/pause",
	"cmd/shared/probe":  "control/light fb fb/cec fb/ddc fb/drm fb/board fb/evdev",
	"cmd/shared/cli":    "internal/spelling samples",
	"cmd/shared/viewer": "appliance/about appliance/startscreen client cmd/shared/cli cmd/shared/probe config control/power fb fb/evdev internal/folder internal/mdns internal/state internal/timeset render/text systemd wall/daemon control/switches output/window",

	"config":               "internal/spelling internal/folder",
	"config/edit":          "config internal/stable",
	"config/value":         "config internal/localtime internal/spelling",
	"config/recipe":        "config config/value internal/folder internal/spelling",
	"config/cookbook":      "config config/recipe internal/extract internal/fetch internal/folder internal/spelling",
	"recipes":              "internal/packed",
	"theme":                "config config/value internal/spelling theme/look",
	"theme/look":           "",
	"theme/sun":            "",
	"provider":             "internal/pause internal/budget internal/extract internal/stable",
	"provider/query":       "provider render/picture internal/fetch",
	"provider/sources":     "config provider/homeassistant provider/mqtt provider/mpd provider/calendar internal/locale provider/weather provider/geocode provider provider/ask provider/derived provider/feed provider/file provider/gtfs provider/push provider/immich provider/stream provider/prometheus provider/query provider/rest provider/picture provider/derive provider/sun provider/system render/picture internal/spelling internal/pyfmt internal/extract internal/fetch provider/live provider/document provider/photos internal/folder internal/oauth provider/webdav provider/icloud",
	"provider/ask":         "config/value provider provider/query internal/charset internal/extract internal/fetch internal/folder internal/localtime internal/oauth provider/todo",
	"provider/feed":        "config/value provider/ask provider/document internal/extract",
	"provider/prometheus":  "config/value provider/ask internal/extract internal/fetch",
	"provider/file":        "provider provider/document internal/folder",
	"provider/stream":      "config/value provider provider/ask provider/query provider/document internal/budget internal/fetch",
	"provider/gtfs":        "config/value provider provider/ask internal/fetch internal/folder internal/spelling internal/stable",
	"provider/webdav":      "config/value internal/fetch provider provider/ask provider/caldav",
	"provider/icloud":      "config/value internal/fetch provider provider/ask",
	"provider/immich":      "config config/value provider provider/ask internal/fetch",
	"provider/push":        "config/value provider provider/ask provider/document",
	"provider/derived":     "config provider provider/live internal/extract",
	"provider/rest":        "config/value provider provider/ask provider/query provider/document internal/fetch internal/extract internal/spelling provider/todo",
	"provider/picture":     "provider provider/ask internal/fetch internal/extract render/picture",
	"provider/photos":      "provider internal/folder internal/state render/picture internal/stable",
	"provider/derive":      "provider",
	"provider/system":      "provider internal/stable",
	"provider/ical":        "internal/localtime internal/stable",
	"provider/caldav":      "provider/document internal/fetch",
	"provider/calendar":    "config/value provider/ask provider/caldav internal/budget internal/fetch internal/folder internal/localtime provider provider/ical provider/query provider/todo internal/stable",
	"provider/todo":        "internal/fetch internal/folder internal/state provider internal/stable",
	"provider/todoist":     "config/value internal/fetch provider/ask provider/todo",
	"provider/weather":     "config config/value internal/fetch internal/localtime provider provider/ask provider/geocode provider/homeassistant provider/query internal/locale theme/sun",
	"provider/live":        "provider internal/extract internal/spelling",
	"provider/geocode":     "provider internal/fetch",
	"provider/sun":         "config provider provider/geocode theme/sun internal/localtime",
	"control/bridge":       "control/notify internal/fetch provider provider/mqtt render/icon control/verb internal/stable",
	"control/notify":       "internal/budget render/picture internal/fetch internal/loglimit internal/spelling render/icon control/verb internal/stable",
	"control/pairing":      "",
	"control/fleet":        "internal/pause control/wallkey internal/stable",
	"control/wallkey":      "",
	"control/timer":        "",
	"control/touch":        "",
	"control/verb":         "control/page control/timer",
	"control/presence":     "",
	"control/light":        "",
	"fb/ddc":               "fb/kernel",
	"fb/cec":               "",
	"fb/board":             "fb/kernel",
	"fb/kernel":            "",
	"fb/evdev":             "fb/kernel internal/stable",
	"control/page":         "internal/spelling",
	"render":               "render/blend render/damage render/ink render/path",
	"render/blend":         "",
	"render/path":          "render/blend",
	"render/sky":           "",
	"render/icon":          "internal/packed internal/spelling internal/stable",
	"render/damage":        "",
	"render/ink":           "",
	"render/picture":       "internal/budget internal/folder render/picture/scaledjpeg internal/stable",
	"render/text":          "render/blend render/icon internal/folder internal/packed internal/stable",
	"widgets":              "widgets/arrange widgets/calendar widgets/chart widgets/classic widgets/clock widgets/kit widgets/list widgets/media widgets/notice widgets/weather widgets/writing widgets/screen",
	"widgets/kit":          "config config/value control/notify control/page control/timer control/touch internal/budget internal/fetch internal/folder internal/locale internal/localtime internal/spelling provider provider/calendar provider/live provider/photos provider/query render render/icon render/path render/picture render/text theme theme/look widgets/kit/geometry control widgets/kit/speech widgets/kit/format widgets/kit/history",
	"widgets/kit/speech":   "internal/locale",
	"widgets/screen":       "config config/value control control/touch render render/sky theme theme/look theme/sun widgets/kit widgets/kit/speech",
	"widgets/kit/format":   "config config/value internal/locale internal/localtime internal/pyfmt render/icon theme",
	"widgets/kit/history":  "provider render widgets/kit/format",
	"widgets/kit/piece":    "config config/value internal/locale internal/localtime render render/path render/text theme/look widgets/kit widgets/kit/format widgets/kit/speech",
	"widgets/arrange":      "config config/value control/page internal/locale provider render theme widgets/kit widgets/kit/history widgets/kit/format widgets/kit/speech widgets/kit/geometry widgets/kit/piece",
	"widgets/list":         "config config/value internal/locale provider provider/live render render/text theme widgets/arrange widgets/kit widgets/kit/format widgets/kit/speech widgets/kit/geometry widgets/kit/piece control control/verb",
	"widgets/writing":      "config config/value internal/folder internal/locale internal/markdown internal/qrcode provider render render/text theme theme/look widgets/kit widgets/kit/format widgets/kit/speech widgets/kit/geometry widgets/kit/piece",
	"widgets/media":        "config config/value control control/verb internal/fetch internal/folder internal/locale provider provider/mpd provider/photos provider/query render render/picture theme/look widgets/kit widgets/kit/format widgets/kit/speech widgets/kit/piece",
	"widgets/clock":        "config config/value control/timer internal/locale internal/localtime internal/moon render render/path render/text theme/look theme/sun widgets/kit widgets/kit/format widgets/kit/speech widgets/kit/piece control control/verb",
	"widgets/chart":        "config config/value internal/locale internal/localtime render render/path theme widgets/kit widgets/kit/history widgets/kit/format widgets/kit/speech widgets/kit/axis widgets/kit/piece internal/stable",
	"widgets/calendar":     "config/value control internal/locale internal/localtime provider/calendar render render/path theme/look widgets/kit widgets/kit/format widgets/kit/speech widgets/kit/piece internal/stable",
	"widgets/weather":      "internal/locale provider provider/weather render render/path widgets/kit widgets/kit/speech widgets/kit/piece",
	"widgets/notice":       "control/notify internal/locale provider render render/icon render/picture render/text theme/look widgets/kit widgets/kit/speech widgets/kit/piece control control/verb",
	"widgets/classic":      "control/notify internal/locale internal/localtime provider provider/query render render/picture render/text theme widgets/arrange widgets/kit widgets/kit/speech widgets/kit/piece control internal/stable",
	"internal/qrcode":      "",
	"widgets/kit/geometry": "",
	"widgets/kit/axis":     "internal/localtime",
	"output":               "internal/fetch render/damage render/ink internal/stable",
	"output/panel":         "internal/pause output render/ink",
	"output/trmnl":         "internal/loglimit render/ink render/picture",
	"output/window":        "config fb internal/state netstream/bilinear",
	"fb":                   "render/damage fb/drm",
	"fb/drm":               "fb/kernel internal/stable",
	"fb/drm/drmtest":       "",
	"fb/fbtest":            "fb",
	"netstream":            "render/damage netstream/bilinear netstream/jpegtile netstream/pngtile netstream/bmp internal/stable",
	"netstream/bilinear":   "internal/stable",
	"netstream/jpegtile":   "",
	"netstream/pngtile":    "",
	"netstream/bmp":        "",
	"web":                  "",
	"web/build":            "",
	"server":               "web schema internal/loglimit internal/pause netstream control control/notify control/timer control/page control/power control/pairing output/trmnl control/verb control/fleet control/wallkey",
	"client":               "internal/pause internal/fetch netstream render render/icon render/text render/damage netstream/bilinear netstream/jpegtile",
	"samples":              "internal/packed",
	"schema":               "",
	"systemd":              "",

	"render/picture/scaledjpeg": "",

	"control":                "internal/loglimit control/notify control/page control/power control/timer config config/value control/verb",
	"control/switches":       "control/power fb fb/cec fb/ddc fb/drm",
	"control/power":          "config config/value",
	"control/device":         "control control/notify control/verb provider provider/mqtt",
	"provider/mqtt":          "config/value provider provider/ask provider/document internal/budget internal/fetch",
	"provider/mpd":           "internal/fetch provider",
	"provider/homeassistant": "config/value provider provider/ask provider/derive internal/extract internal/fetch internal/spelling provider/todo internal/stable",

	// Packages for the card's reports.
	"wall/address":          "internal/stable",
	"appliance/startscreen": "appliance/about internal/qrcode render render/icon render/text theme/look",

	// The card's program, and the packages for the files on the card.
	"appliance":          "internal/pause appliance/follow appliance/install appliance/manifest appliance/relay fb fb/drm render render/text appliance/about appliance/ext4 appliance/imager appliance/kernels internal/folder appliance/startscreen internal/state internal/timeset appliance/card appliance/fat appliance/settings appliance/state internal/pull/archive internal/pull/wallcopy systemd",
	"appliance/about":    "internal/folder",
	"appliance/card":     "",
	"appliance/ext4":     "",
	"appliance/fat":      "",
	"appliance/kernels":  "appliance/card appliance/state",
	"appliance/settings": "appliance/about internal/spelling",
	"appliance/imager":   "appliance/settings",

	// The setup with a phone. It is part of the card's program.
	"appliance/setup/words": "",
	"appliance/setup/flow":  "appliance/about appliance/setup/words internal/stable",
	"appliance/setup/radio": "appliance/setup/flow",
	"appliance/setup":       "appliance/about appliance/settings appliance/setup/flow appliance/setup/pages appliance/setup/radio appliance/setup/words config internal/folder internal/state internal/stable",
	"appliance/setup/pages": "appliance/about appliance/setup/flow appliance/setup/words internal/folder internal/stable",

	"appliance/state":    "",
	"appliance/manifest": "appliance/card",
	"packaging/sbom":     "",
	"packaging/debian":   "",
	"packaging/release":  "appliance/delta appliance/manifest",
	"packaging/imager":   "",
	"appliance/delta":    "",
	"appliance/install":  "appliance/delta appliance/manifest",
	"appliance/follow":   "appliance/about appliance/delta appliance/install appliance/manifest appliance/state",
	"appliance/relay":    "appliance/install",

	"appliance/relay/fetcher": "appliance/relay internal/fetch",
}

// testHelp is the folder of the packages that only tests and tools import. wallTest is also such a package, but it imports widgets.
const (
	testHelp = "internal/testing/"
	wallTest = "widgets/walltest"
)

// newSource lists the packages that a package below provider may import if `policy` has no entry for this package.
const newSource = "config config/value internal/extract internal/fetch internal/localtime provider provider/ask provider/document"

// homes maps each external library to the packages that may import it in shipped code. The packages in cmd must be listed too.
var homes = map[string]string{
	"github.com/spf13/cobra":              "cmd/shared/cli cmd/shared/viewer cmd/dashboard",
	"github.com/fsnotify/fsnotify":        "wall/reload wall",
	"gopkg.in/yaml.v3":                    "config config/edit",
	"golang.org/x/net/html":               "provider/document",
	"github.com/evanw/esbuild":            "web/build",
	"golang.org/x/net/dns":                "internal/mdns appliance/setup/radio",
	"golang.org/x/net/ipv4":               "internal/mdns",
	"golang.org/x/net/ipv6":               "internal/mdns",
	"github.com/andybalholm/cascadia":     "provider/document",
	"github.com/julienschmidt/httprouter": "server",
	"golang.org/x/sys/unix":               "fb fb/cec fb/drm fb/board fb/kernel systemd appliance appliance/kernels",
	"github.com/gonutz/framebuffer":       "fb",
	"github.com/itchyny/gojq":             "internal/extract",
	"github.com/go-text/typesetting":      "render/text",
	"github.com/srwiley/rasterx":          "render/picture",
	"aead.dev/minisign":                   "appliance appliance/manifest",
	"github.com/klauspost/compress":       "appliance/delta",
	"github.com/u-root/u-root":            "", // only tools make images
	"github.com/diskfs/go-diskfs":         "",
	"github.com/teambition/rrule-go":      "provider/ical",
	"github.com/boombuler/barcode":        "internal/qrcode",
	"github.com/eclipse/paho.golang":      "provider/mqtt",
	"github.com/coder/websocket":          "internal/fetch",
	"github.com/yuin/goldmark":            "internal/markdown",
	"google.golang.org/protobuf":          "provider/gtfs",
	"periph.io/x/host":                    "output/panel",
	"periph.io/x/devices":                 "output/panel",
	"os/exec":                             "appliance", // runs tools of the card for its report, and asks systemd whether a wall is painted
}

func TestImportPolicy(t *testing.T) {
	eachFile(t, func(path string) { checkFile(t, path) })
}

// The table in docs/design.md lists all packages.
func TestDesignHasEveryPackage(t *testing.T) {
	text, err := os.ReadFile("docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]bool{".": true}
	eachFile(t, func(path string) {
		pkg := filepath.ToSlash(filepath.Dir(path))
		if !told[pkg] && !strings.Contains(string(text), "](../"+pkg+")") {
			t.Errorf("docs/design.md does not say what %s is", pkg)
		}
		told[pkg] = true
	})
}

// eachFile calls f with every Go file of the project except tests.
func eachFile(t *testing.T, f func(path string)) {
	t.Helper()
	eachSource(t, func(path string) {
		if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
			f(path)
		}
	})
}

// notWritten lists folders with test data, and with generated and downloaded files.
var notWritten = []string{"testdata", "vendor", "node_modules", "dist", "dist-packed"}

// eachSource calls f for every file outside hidden folders and notWritten.
func eachSource(t *testing.T, f func(path string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || slices.Contains(notWritten, d.Name())) {
			return filepath.SkipDir
		}
		if !d.IsDir() {
			f(path)
		}
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
	if !listed && strings.HasPrefix(pkg, "provider/") {
		allowed, listed = newSource, true
	}
	tool := strings.HasPrefix(pkg, "tools/") && !listed || strings.HasPrefix(pkg, testHelp) || pkg == wallTest
	wires := strings.HasPrefix(pkg, "cmd/") && !listed || tool || pkg == "."
	if !listed && !wires {
		t.Errorf("%s: package %s is not in the import policy", path, pkg)
	}
	for _, spec := range f.Imports {
		to := strings.Trim(spec.Path.Value, `"`)
		if pkg == "provider/sources" && strings.HasPrefix(to, "dashboard/provider/") {
			continue
		}
		if ours, ok := strings.CutPrefix(to, "dashboard/"); ok && !wires && !slices.Contains(strings.Fields(allowed), ours) {
			t.Errorf("%s: %s must not import %s", path, pkg, ours)
		} else if ok && !tool && (strings.HasPrefix(ours, testHelp) || ours == wallTest) {
			t.Errorf("%s: only tests and tools import %s", path, ours)
		}
		for lib, home := range homes {
			at := to == lib || strings.HasPrefix(to, lib+"/")
			if at && !tool && !slices.Contains(strings.Fields(home), pkg) {
				t.Errorf("%s: %s belongs to %q", path, to, home)
			}
		}
	}
}
