package fb

import (
	"path/filepath"
	"strings"
	"testing"
)

// On a machine with no connector and no framebuffer, the missing screen is not logged as a fault. A framebuffer that is configured but
// missing is logged as a fault.
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
		if strings.Contains(said, "remote screen") {
			t.Errorf("named %v: %q is wrong on a remote screen, which has the same keeper", named, said)
		}
	}
}
