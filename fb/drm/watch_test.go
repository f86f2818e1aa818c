package drm

import (
	"strings"
	"testing"

	"dashboard/fb/kernel"
)

// TestHeard: the argument of `changed` is true only if no message since the previous call may be about a connected or removed screen.
func TestHeard(t *testing.T) {
	const (
		plug     = "change@/x|SUBSYSTEM=drm|HOTPLUG=1|"
		property = "change@/x|SUBSYSTEM=drm|CONNECTOR=33|PROPERTY=7|"
		disk     = "add@/x|SUBSYSTEM=block|"
		lost     = ""
	)
	for _, tt := range []struct {
		messages        []string
		wants, properly bool // expected results of the last call of heard(), and of take()
	}{
		{[]string{property}, true, true},
		{[]string{property, disk}, false, true},
		{[]string{plug}, true, false},
		{[]string{property, plug, property}, true, false},
		{[]string{lost}, true, false},
		{[]string{property, lost, property}, true, false},
	} {
		l := &Listener{property: true}
		wants := false
		for _, m := range tt.messages {
			wants = l.heard(kernel.Message(strings.ReplaceAll(m, "|", "\x00")))
		}
		if only := l.take(); wants != tt.wants || only != tt.properly {
			t.Errorf("%q: got %v and property %v, want %v and %v", tt.messages, wants, only, tt.wants, tt.properly)
		}
		if !l.take() {
			t.Errorf("%q: an old message counts twice", tt.messages)
		}
	}
}
