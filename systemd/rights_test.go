package systemd

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// rights are the drop-ins that let the service do more, and how exposed it is with each alone, in tenths: docs/install.md states it.
var rights = map[string]int{"touch.conf": 13, "gpio.conf": 13, "ddc.conf": 13, "cec.conf": 13, "panel.conf": 13, "backlight.conf": 15}

// Each drop-in is a unit's, is told in the documents, and costs what they say.
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
		unit := ""
		for _, path := range units(t) {
			if filepath.Base(path) == "dashboard.service" {
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
}
