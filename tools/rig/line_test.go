package rig

import (
	"strings"
	"testing"

	"dashboard/internal/testing/programtest"
	"dashboard/tools/rig/wire"
)

func TestGuestSkipsNoise(t *testing.T) {
	g, err := newGuest(programtest.Script(t, "X\x00\n{\"ID\":0,\"Text\":\"6.12\"}", `{"ID":7,"Num":1}`+"\n"+`{"ID":1,"Num":42}`))
	if err != nil || g.release != "6.12" {
		t.Fatalf("first word: got %+v, %v", g, err)
	}
	if pid, err := g.start(nil, "/x"); pid != 42 || err != nil {
		t.Errorf("start: got %d, %v, want 42, from the answer with the request's ID", pid, err)
	}
}

func TestGuestErrors(t *testing.T) {
	for name, c := range map[string]struct{ answer, want string }{
		"an error": {`{"ID":1,"Error":"no such file"}`, "load: guest: no such file"},
		"nonsense": {`nonsense`, "guest: invalid character"},
	} {
		g, err := newGuest(programtest.Script(t, `{"ID":0}`, c.answer))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := g.ask(wire.Request{Op: wire.Load}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
	}
}
