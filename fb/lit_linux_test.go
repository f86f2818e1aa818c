package fb

import (
	"os"
	"path/filepath"
	"testing"
)

// A blank framebuffer counts as off if no connector of its device has a screen that is on.
func TestLit(t *testing.T) {
	for name, tt := range map[string]struct {
		connectors []map[string]string
		want       bool
	}{
		"no connectors":          {nil, false},
		"on":                     {[]map[string]string{{"status": "connected", "enabled": "enabled", "dpms": "On"}}, true},
		"off":                    {[]map[string]string{{"status": "connected", "enabled": "enabled", "dpms": "Off"}}, false},
		"never set":              {[]map[string]string{{"status": "connected", "enabled": "disabled", "dpms": "On"}}, false},
		"no screen, another off": {[]map[string]string{{"status": "disconnected", "enabled": "enabled", "dpms": "On"}, {"status": "connected", "enabled": "enabled", "dpms": "Off"}}, false},
		"one of two":             {[]map[string]string{{"status": "connected", "enabled": "enabled", "dpms": "Off"}, {"status": "connected", "enabled": "enabled", "dpms": "On"}}, true},
		"an old kernel":          {[]map[string]string{{"status": "connected"}}, false},
	} {
		dir := t.TempDir()
		for i, files := range tt.connectors {
			at := filepath.Join(dir, "drm", "card1", "card1-HDMI-A-"+string(rune('1'+i)))
			if err := os.MkdirAll(at, 0o755); err != nil {
				t.Fatal(err)
			}
			for file, text := range files {
				if err := os.WriteFile(filepath.Join(at, file), []byte(text+"\n"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := lit(dir); got != tt.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
