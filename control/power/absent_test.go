package power

import "testing"

// A dimmer is a lamp that also dims.
type dimmer struct {
	lamp
	level  float64
	absent bool
}

func (d *dimmer) Power(on bool) error {
	if d.absent {
		return ErrAbsent
	}
	return d.lamp.Power(on)
}

func (d *dimmer) Dim(level float64) error {
	if d.absent {
		return ErrAbsent
	}
	d.level = level
	return nil
}

// What is not there is passed over without a word; the next one does it. As bright as it was found is for all.
func TestAbsentIsPassedOver(t *testing.T) {
	gone, second := &dimmer{lamp: lamp{kind: DDC}, absent: true}, &dimmer{lamp: lamp{kind: DRM}}
	s := Screen{"screen", []Backend{gone, second}}
	r := s.power(false)
	s.dim(0.4, &r)
	if want := (Report{Screen: "screen", Backend: DRM, Dimmer: DRM}); r != want || second.level != 0.4 {
		t.Errorf("got %+v, %v, want %+v", r, second.level, want)
	}
	gone.absent, gone.level = false, 0.4
	s.dim(-1, &r)
	if gone.level != -1 || second.level != -1 {
		t.Errorf("got %v and %v, want both as they were found", gone.level, second.level)
	}
	if r = (Screen{"screen", []Backend{&dimmer{absent: true}}}).power(false); r.Problem == "" {
		t.Error("a screen that nothing switches off is no problem")
	}
}
