package systemd

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The map `rights` contains the drop-ins that give the service more rights, each with a maximum exposure in tenths. With only this
// drop-in, systemd-analyze may report at most this exposure for the service. docs/install.md states the same figures.
var rights = map[string]int{"touch.conf": 13, "gpio.conf": 13, "ddc.conf": 13, "cec.conf": 13, "panel.conf": 13, "backlight.conf": 15}

// ofClient lists the drop-ins that are also in the package of the remote screen.
var ofClient = []string{"backlight.conf", "cec.conf", "ddc.conf", "touch.conf"}

// The package of the dashboard contains all drop-ins, and the package of the remote screen contains the drop-ins in ofClient. Both
// packages contain the rule for backlights. The packages share no file name, so that both can be installed.
func TestRightsArePackaged(t *testing.T) {
	places := map[string]string{}
	for program, want := range map[string][]string{"dashboard": {"*.conf"}, "dashboard-client": ofClient} {
		text, err := os.ReadFile("../packaging/" + program + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range want {
			if !strings.Contains(string(text), "src: systemd/rights/"+name) && !strings.Contains(string(text), `src: "systemd/rights/`+name) {
				t.Errorf("%s lacks %s", program, name)
			}
		}
		if !strings.Contains(string(text), "src: systemd/60-dashboard-backlight.rules") {
			t.Errorf("%s lacks the rule for backlights", program)
		}
		for _, m := range regexp.MustCompile(`dst: (/[^,}]*[^/,}])[,}]`).FindAllStringSubmatch(string(text), -1) {
			if other := places[m[1]]; other != "" && other != program {
				t.Errorf("%s is in both packages, which can then not be installed together", m[1])
			}
			places[m[1]] = program
		}
	}
	if len(places) < 20 {
		t.Errorf("found %d files, want those of two packages", len(places))
	}
}

// Each drop-in is in the map `rights` and in the documents. The exposure with this drop-in is at most the value in the map.
func TestRights(t *testing.T) {
	found, err := filepath.Glob("rights/*.conf")
	if err != nil || len(found) != len(rights) {
		t.Errorf("got %v, %v, want %d", found, err, len(rights))
	}
	doc, err := os.ReadFile("../docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, tenths := range rights {
		text, err := os.ReadFile(filepath.Join("rights", name))
		if err != nil {
			t.Error(err)
			continue
		}
		if !strings.Contains(string(doc), "| `"+name+"` |") {
			t.Errorf("docs/install.md does not tell of %s", name)
		}
		checkRight(t, "dashboard.service", name, text, tenths)
		if slices.Contains(ofClient, name) {
			checkRight(t, "dashboard-client.service", name, text, tenths)
		}
	}
}

// checkRight appends a drop-in to a unit, and checks the exposure with systemd-analyze.
func checkRight(t *testing.T, of, name string, text []byte, tenths int) {
	t.Helper()
	unit := ""
	for _, path := range units(t) {
		if filepath.Base(path) == of {
			unit = path
		}
	}
	file, err := os.OpenFile(unit, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString("\n" + string(text)); err != nil {
		t.Fatal(err)
	}
	file.Close()
	if out, ok := analyze(t, "security", "--offline=true", "--threshold="+strconv.Itoa(tenths), unit); !ok {
		t.Errorf("%s: got %s, want at most %d tenths", name, lastLine(out), tenths)
	} else {
		t.Logf("%s: %s", name, lastLine(out))
	}
	if out, ok := analyze(t, "verify", "--man=no", "--recursive-errors=no", unit); !ok || strings.TrimSpace(out) != "" {
		t.Errorf("%s: got %s, want nothing to remark", name, out)
	}
}
