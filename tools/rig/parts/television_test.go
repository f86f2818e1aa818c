//go:build linux

package parts

import (
	"testing"
	"time"
)

// The dashboard distinguishes three cases. A television that drops its address while it is off is woken by a single message. A television
// that answers is switched off and on. A television that shows another source is not switched. When the program ends, the television is
// on.
func TestTelevision(t *testing.T) {
	need(t)
	input, output := sides(t)
	tv := newTelevision(t, input)
	cable := listen(t, output, modeMonitor, func([]byte) {})
	connector(t, "")
	p := run(t, conf("display: {backends: [cec, fb]}", ""), plainWall)

	p.power(false, "fb") // no television is connected
	p.power(true, "fb")
	eventually(t, "it is woken", func() bool { return cable.count("f0 04") > 0 })
	time.Sleep(quiet)
	if n := cable.count("f0 04"); n != 1 {
		t.Errorf("it is woken %d times, want once: %s", n, cable.all())
	}

	plug(t)
	eventually(t, "an address is claimed", func() bool {
		l := make([]byte, 92)
		return ioctl(cable.fd, cecGetLog, l) == nil && (l[4] != 0 || l[5] != 0)
	})
	tells(t, "Television at "+output+", vivid: it says that it is on")
	p.power(false, "cec")
	eventually(t, "the television is off", tv.dark)
	if tv.count("40 36") != 1 {
		t.Errorf("heard %s", tv.all())
	}
	tells(t, "Television at "+output+", vivid: it says that it is off")
	p.power(true, "cec")
	eventually(t, "the television is on", func() bool { return !tv.dark() && tv.count("4f 82 10 00") == 1 })

	t.Log("somebody watches something else")
	must(t, tv.say(0x0f, 0x86, 0x20, 0x00))
	eventually(t, "it is left alone", func() bool {
		before := tv.count("40 36")
		p.power(false, "cec")
		p.power(true, "cec")
		return tv.count("40 36") == before
	})
	must(t, tv.say(0x0f, 0x86, 0x10, 0x00))
	eventually(t, "it is switched again", func() bool {
		before := tv.count("40 36")
		p.power(false, "cec")
		p.power(true, "cec")
		return tv.count("40 36") > before
	})
	off := func() {
		p.power(false, "cec")
		eventually(t, "the television is off at the end", tv.dark)
	}
	off()
	p.leaves(func() bool { return !tv.dark() }, func() *program {
		tv.set(false)
		p = run(t, conf("display: {backends: [cec, fb]}", ""), plainWall)
		off()
		return p
	})
}
