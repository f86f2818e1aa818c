package theme

import (
	"strings"
	"testing"
)

// TestContrastOfWrittenColors checks the warnings about colors by which a file overrides a built-in theme, by day and by night. A warning
// has the position of the color. The colors of the built-in theme itself cause no warnings.
func TestContrastOfWrittenColors(t *testing.T) {
	for _, tc := range []struct {
		name, theme string
		night       bool
		want        []string // a part of each expected warning
	}{
		{"nothing written", "{from: calm}", true, nil},
		{"readable", "{from: calm, colors: {text: white}}", true, nil},
		{"white by day", "{from: calm, colors: {text: white}}", false, []string{"widgets.yaml:1:30: theme.colors.text: warning: text on background has a contrast of 1.2:1, less than 3.0:1 by day", "text on surface"}},
		{"a background like its texts", "{from: calm, colors: {background: '#eeeeee'}}", true, []string{"text on background", "muted on background", "accent on background", "good on background", "warn on background", "bad on background"}},
		{"faint may be fainter", "{from: calm, night: {colors: {faint: '#5b6474'}}}", true, nil},
		{"and not too faint", "{from: calm, night: {colors: {faint: '#303540'}}}", true, []string{"faint on background", "less than 2.5:1 by night", "faint on surface"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, report := dress(t, "theme: "+tc.theme+"\nwidgets: []\n", tc.night)
			if (report == "") != (tc.want == nil) {
				t.Errorf("got %q, want %d warnings", report, len(tc.want))
			}
			for _, w := range tc.want {
				if !strings.Contains(report, w) {
					t.Errorf("no %q in\n%s", w, report)
				}
			}
		})
	}
}
