package fb

import (
	"path/filepath"
	"strings"
	"testing"
)

// It is no fault if a machine has no connector and no framebuffer. It is a fault if a configured framebuffer is missing.
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
