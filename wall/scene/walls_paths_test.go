package scene

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// plainPath matches an expression after !data that is only a path of keys and list indices. The
// example walls for users may contain no other expressions.
var plainPath = regexp.MustCompile(`^'?(\.[A-Za-z_][A-Za-z0-9_]*|\["[^"]+"\]|\.\["[^"]+"\]|\[\d+\])+'?$`)

// TestWallsNeedNoPrograms checks that the example walls for users contain only paths after !data, and no programs.
func TestWallsNeedNoPrograms(t *testing.T) {
	program := regexp.MustCompile(`!data\s+('[^']*'|[^,}\]#]*[^,}\]#\s])`)
	for _, wall := range []string{"family", "office", "home", "kitchen", "kiosk"} {
		for _, dir := range []string{filepath.Join("testdata/walls", wall), filepath.Join("../../samples", wall)} {
			for _, line := range written(t, dir) {
				if strings.Contains(line, "jq_expression") {
					t.Errorf("%s: there is a program in %q", dir, line)
				}
				for _, m := range program.FindAllStringSubmatch(line, -1) {
					if !plainPath.MatchString(m[1]) {
						t.Errorf("%s: %s is more than a path", dir, m[1])
					}
				}
				if strings.Count(line, "!data") != len(program.FindAllString(line, -1)) {
					t.Errorf("%s: %q was not read", dir, line)
				}
			}
		}
	}
}
