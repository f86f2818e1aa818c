//go:build linux

package parts

import (
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// If another program is the master of the graphics card, the kernel reports a blank framebuffer, although the screen still shows that
// program's picture. The wall reports why the screen is not off. After the program has closed the card, the screen can be switched off.
func TestForeignMaster(t *testing.T) {
	need(t)
	p := run(t, conf("display: {backends: [fb]}", ""), plainWall)
	card, err := open("/dev/dri/card0")
	must(t, err)
	const setMaster = 0x641e
	if err := unix.IoctlSetInt(card, setMaster, 0); err != nil {
		t.Logf("SET_MASTER: %v; the first who opens it is", err)
	}
	p.post("/power", `{"state": "off"}`)
	eventually(t, "why it is on", func() bool {
		s := p.state().Screens
		return len(s) == 1 && s[0].Backend == nil && s[0].Problem != nil && strings.Contains(*s[0].Problem, "another program has the screen")
	})
	tells(t, "another program shows something on it: parts")
	unix.Close(card)
	p.post("/power", `{"state": "on"}`)
	eventually(t, "on", func() bool { return p.state().On })
	p.power(false, "fb")
	p.power(true, "fb")
}
