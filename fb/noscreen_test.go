package fb

import (
	"path/filepath"
	"strings"
	"testing"
)

// A machine without a connector and without a framebuffer is no fault. A named framebuffer that is missing is one.
func TestMachineWithoutScreen(t *testing.T) {
	for _, named := range []bool{false, true} {
		r := newRack(t)
		r.cards.sysfs = t.TempDir()
		r.keeper(func(o *Options) {
			o.Connector.Else, o.Path = true, filepath.Join(t.TempDir(), "fb0")
			if named {
				o.Connector = nil
			}
		})
		said := r.log.String()
		if warned := strings.Contains(said, "level=WARN"); warned != named || !strings.Contains(said, "screen") {
			t.Errorf("named %v: the log says %q", named, said)
		}
	}
}
