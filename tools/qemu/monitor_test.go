package qemu

import (
	"strings"
	"testing"

	"dashboard/internal/testing/programtest"
)

func TestMonitor(t *testing.T) {
	m, err := NewMonitor(programtest.Script(t, `{"QMP": {"version": {}}}`, `{"return": {}}`,
		`{"event": "RESUME"}`+"\n"+`{"return": {}}`, `{"error": {"class": "GenericError", "desc": "no such device"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Do("screendump", nil); err != nil {
		t.Errorf("after an event: got %v", err)
	}
	if err := m.Do("set_link", nil); err == nil || !strings.Contains(err.Error(), "no such device") {
		t.Errorf("got %v, want the error's description", err)
	}
}
