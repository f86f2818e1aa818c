package wall

import (
	endian "encoding/binary"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/control/power"
	"dashboard/fb/evdev"
	"dashboard/internal/testing/programtest"
)

// twiceWall has four widgets. The first has an action for a tap and an action for a double tap. The second has an action for a tap. The
// third has an action for a double tap, inside of a card with an action for a tap. The fourth has an action for a double tap.
var twiceWall = programtest.FourToTouch([4]string{
	"{widget: empty, color: red, on_tap: {page: one}, on_double_tap: {page: two}}", "{widget: empty, color: green, on_tap: {page: one}}",
	"{widget: card, on_tap: {page: one}, children: [{widget: empty, on_double_tap: {page: two}}]}", "{widget: empty, color: white, on_double_tap: {page: two}}",
}, "one", "two")

// Positions of the four widgets of twiceWall. The coordinates range from 0 to 99.
var onBoth, onOne, onInner, onTwo = [2]int{25, 25}, [2]int{25, 75}, [2]int{75, 25}, [2]int{75, 75}

// A recording contains the events of a multi-touch screen as the kernel writes them on a 64-bit machine (struct input_event,
// include/uapi/linux/input.h). As in the kernel, a coordinate that equals the previous one is left out.
type recording struct {
	bytes []byte
	at    time.Duration
	last  [2]int
	id    int
}

func (r *recording) event(kind, code, value int) {
	r.bytes = endian.LittleEndian.AppendUint64(r.bytes, uint64(r.at/time.Second))
	r.bytes = endian.LittleEndian.AppendUint64(r.bytes, uint64(r.at%time.Second/time.Microsecond))
	r.bytes = endian.LittleEndian.AppendUint16(r.bytes, uint16(kind))
	r.bytes = endian.LittleEndian.AppendUint16(r.bytes, uint16(code))
	r.bytes = endian.LittleEndian.AppendUint32(r.bytes, uint32(int32(value)))
}

// down() adds a new finger at p: ABS_MT_TRACKING_ID, then ABS_MT_POSITION_X and ABS_MT_POSITION_Y if they have changed, then SYN_REPORT.
func (r *recording) down(p [2]int) {
	r.id++
	r.event(3, 0x39, r.id)
	for i := range p {
		if p[i] != r.last[i] {
			r.event(3, 0x35+i, p[i])
		}
	}
	r.last = p
	r.event(0, 0, 0)
}

func (r *recording) up() {
	r.event(3, 0x39, -1)
	r.event(0, 0, 0)
}

// replay sends the packets of a recording to the listener of the touchscreen, each at its recorded time. Then it waits for two seconds.
func (g *glass) replay(r *recording) {
	p := evdev.NewParser(evdev.Info{Touch: true, Multi: true, X: evdev.Axis{Max: 99}, Y: evdev.Axis{Max: 99}}, 8)
	begun := time.Now()
	p.Parse(r.bytes, func(k *evdev.Packet) {
		g.idle(begun.Add(time.Duration(k.At) * time.Microsecond))
		g.late = g.l.Packet(k)
		synctest.Wait()
	})
	g.idle(time.Now().Add(2 * time.Second))
}

// idle() waits until the given time. Meanwhile it calls the listener at the times that the listener has requested.
func (g *glass) idle(until time.Time) {
	for !g.late.IsZero() && g.late.Before(until) {
		time.Sleep(time.Until(g.late))
		g.late = g.l.Late()
		synctest.Wait()
	}
	time.Sleep(time.Until(until))
	synctest.Wait()
}

// Two taps on a widget are a double tap if the widget has an action for a double tap. On such a widget, the first tap has no effect until
// it is clear that no second tap follows. If another event follows instead of the second tap, the first tap counts as a single tap.
func TestDoubleTap(t *testing.T) {
	const ms = time.Millisecond
	type step struct {
		at   time.Duration
		to   [2]int
		long time.Duration
	}
	for _, tt := range []struct {
		name  string
		steps []step
		want  string
	}{
		{"two taps", []step{{0, onBoth, 80 * ms}, {200 * ms, onBoth, 80 * ms}}, "two"},
		{"one tap", []step{{0, onBoth, 80 * ms}}, "one"},
		{"the second too late", []step{{0, onBoth, 80 * ms}, {500 * ms, onBoth, 80 * ms}}, "one"},
		{"the second elsewhere", []step{{0, onBoth, 80 * ms}, {200 * ms, onTwo, 80 * ms}}, "one"},
		{"the second rests", []step{{0, onBoth, 80 * ms}, {200 * ms, onBoth, 1500 * ms}}, "one"},
		{"two taps where one counts", []step{{0, onOne, 80 * ms}, {200 * ms, onOne, 80 * ms}}, "one"},
		{"two taps within something for one", []step{{0, onInner, 80 * ms}, {200 * ms, onInner, 80 * ms}}, "two"},
		{"one tap within something for one", []step{{0, onInner, 80 * ms}}, "one"},
		{"two taps where nothing else counts", []step{{0, onTwo, 80 * ms}, {200 * ms, onTwo, 80 * ms}}, "two"},
		{"one tap where two count", []step{{0, onTwo, 80 * ms}}, "home"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			touchable(t, touchConf, twiceWall, func(s *Service, g *glass) {
				r := recording{at: time.Second}
				for _, step := range tt.steps {
					r.at = time.Second + step.at
					r.down(step.to)
					r.at += step.long
					r.up()
				}
				g.replay(&r)
				if got := s.main().Pages.List(time.Now())[0].Page; got != tt.want {
					t.Errorf("got page %s, want %s", got, tt.want)
				}
			})
		})
	}
}

// A tap on a widget without an action for a double tap is handled at once. On a widget with such an action, the tap is handled as soon as
// it is clear that it was a single tap.
func TestSingleTapWaits(t *testing.T) {
	touchable(t, touchConf, twiceWall, func(s *Service, g *glass) {
		shown := func() string { return s.main().Pages.List(time.Now())[0].Page }
		g.tap(0.25, 0.75)
		if shown() != "one" {
			t.Errorf("with nothing for two: got %s at once", shown())
		}
		g.key(evdev.Key1)
		g.tap(0.25, 0.25)
		if shown() != "home" {
			t.Errorf("with something for two: got %s at once", shown())
		}
		g.idle(time.Now().Add(400 * time.Millisecond))
		if shown() != "one" {
			t.Errorf("with something for two: got %s after a while", shown())
		}
	})
}

// If a touchscreen is unplugged after a tap, or the screen is switched off before the second tap, the first tap counts as a single tap.
func TestSingleTapIsNotLost(t *testing.T) {
	touchable(t, touchConf+"display: {}\n", twiceWall, func(s *Service, g *glass) {
		shown := func() string { return s.main().Pages.List(time.Now())[0].Page }
		g.tap(0.25, 0.25)
		g.l.Gone()
		if synctest.Wait(); shown() != "one" {
			t.Errorf("pulled out: got %s", shown())
		}
		g.key(evdev.Key1)
		g.tap(0.25, 0.25)
		s.main().Power.Ask(power.Off, 0)
		g.tap(0.25, 0.25)
		if !s.main().Power.On() || shown() != "one" {
			t.Errorf("woken by the second one: on %v, got %s", s.main().Power.On(), shown())
		}
	})
}
