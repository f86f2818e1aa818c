package evdev

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// raw encodes events for a machine. `long` is the size of the machine's long in bytes. Each event is a type, a code and a value.
func raw(long int, events ...[3]int) []byte {
	var b []byte
	for i, e := range events {
		head := make([]byte, 2*long)
		head[long] = byte(i) // time in µs
		b = append(b, head...)
		b = binary.LittleEndian.AppendUint16(b, uint16(e[0]))
		b = binary.LittleEndian.AppendUint16(b, uint16(e[1]))
		b = binary.LittleEndian.AppendUint32(b, uint32(int32(e[2])))
	}
	return b
}

var (
	report  = [3]int{typeSync, syncReport, 0}
	dropped = [3]int{typeSync, syncDropped, 0}
)

func mt(code, value int) [3]int { return [3]int{typeAbs, code, value} }

// words() parses b and formats the packets as text: the number of fingers, their positions in hundredths of the axis, and the keys.
func words(p *Parser, b []byte) string {
	var all []string
	p.Parse(b, func(k *Packet) {
		s := fmt.Sprint(k.Down)
		for i, f := range k.Fingers {
			if f.Down {
				s += fmt.Sprintf(" %d:%.0f,%.0f", i, f.X*100, f.Y*100)
			}
		}
		if len(k.Keys) > 0 {
			s += fmt.Sprint(" ", k.Keys)
		}
		all = append(all, s)
	})
	return strings.Join(all, "; ")
}

var (
	multi  = Info{Touch: true, Multi: true, X: Axis{0, 99}, Y: Axis{0, 199}}
	single = Info{Touch: true, X: Axis{-50, 49}, Y: Axis{0, 32767}}
	board  = Info{Keys: true}
)

func TestParse(t *testing.T) {
	for name, c := range map[string]struct {
		info   Info
		events [][3]int
		want   string
	}{
		"a tap in slot 0, which is never announced": {multi, [][3]int{mt(absTrackingID, 7), mt(absMTX, 10), mt(absMTY, 100), report, mt(absTrackingID, -1), report}, "1 0:10,50; 0"},
		"a second tap at the same place has no place": {multi, [][3]int{mt(absTrackingID, 7), mt(absMTX, 10), mt(absMTY, 100), report, mt(absTrackingID, -1), report,
			mt(absTrackingID, 8), report}, "1 0:10,50; 0; 1 0:10,50"},
		"two fingers": {multi, [][3]int{mt(absTrackingID, 7), mt(absMTX, 10), mt(absSlot, 1), mt(absTrackingID, 8), mt(absMTX, 90), report,
			mt(absSlot, 0), mt(absTrackingID, -1), report, mt(absSlot, 1), mt(absMTY, 50), report}, "2 0:10,0 1:90,0; 1 1:90,0; 1 1:90,25"},
		"slots beyond the last": {multi, [][3]int{mt(absSlot, 10), mt(absTrackingID, 7), mt(absSlot, -1), mt(absTrackingID, 7), report}, "0"},
		"events were lost": {multi, [][3]int{mt(absTrackingID, 7), mt(absMTX, 10), report, dropped, mt(absMTX, 40), report, mt(absMTX, 50), report,
			mt(absTrackingID, 9), report}, "1 0:10,0; 0; 0; 1 0:50,0"},
		"single touch":             {single, [][3]int{{typeAbs, absX, 0}, {typeAbs, absY, 16384}, {typeKey, btnTouch, 1}, report, {typeAbs, absX, 25}, report, {typeKey, btnTouch, 0}, report}, "1 0:50,50; 1 0:75,50; 0"},
		"a tablet's button":        {single, [][3]int{{typeKey, btnLeft, 1}, report, {typeKey, btnLeft, 0}, report}, "1 0:50,0; 0"},
		"beyond the axis":          {single, [][3]int{{typeAbs, absX, 1 << 30}, {typeAbs, absY, -5}, {typeKey, btnTouch, 1}, report}, "1 0:99,0"},
		"keys, not their repeats":  {board, [][3]int{{typeKey, KeyLeft, 1}, report, {typeKey, KeyLeft, 2}, report, {typeKey, KeyLeft, 0}, report, {typeKey, Key1, 1}, {typeKey, Key9, 1}, report}, "0 [105]; 0; 0; 0 [2 10]"},
		"touch is nothing to keys": {board, [][3]int{mt(absTrackingID, 7), {typeKey, btnTouch, 1}, report}, "0"},
	} {
		for _, long := range []int{4, 8} {
			p := NewParser(c.info, long)
			if got := words(p, raw(long, c.events...)); got != c.want {
				t.Errorf("%s, long of %d bytes: got %q, want %q", name, long, got, c.want)
			}
		}
	}
}

// TestParseTime: the time of a packet is the time of its SYN_REPORT event.
func TestParseTime(t *testing.T) {
	for _, long := range []int{4, 8} {
		p := NewParser(multi, long)
		var at []int64
		p.Parse(raw(long, mt(absMTX, 1), report, mt(absMTX, 2), report), func(k *Packet) { at = append(at, k.At) })
		if fmt.Sprint(at) != "[1 3]" {
			t.Errorf("long of %d bytes: got %v, want [1 3]", long, at)
		}
	}
}

// TestLost: after lost events, Lost returns true once, and the parser continues in the slot that the test passes to Restore.
func TestLost(t *testing.T) {
	p := NewParser(multi, 8)
	words(p, raw(8, mt(absSlot, 3), mt(absTrackingID, 5), report, dropped, mt(absSlot, 2)))
	if p.Lost() {
		t.Error("lost events are told before their end")
	}
	words(p, raw(8, report))
	if !p.Lost() || p.Lost() {
		t.Error("lost events are to be told once")
	}
	p.Restore(1)
	if got := words(p, raw(8, mt(absTrackingID, 6), mt(absMTX, 20), report)); got != "1 1:20,0" {
		t.Errorf("got %q", got)
	}
}

func TestParseAllocatesNothing(t *testing.T) {
	p, n := NewParser(multi, 8), 0
	b := raw(8, mt(absTrackingID, 7), mt(absMTX, 10), mt(absMTY, 100), report, mt(absTrackingID, -1), report)
	each := func(k *Packet) { n += k.Down }
	if got := testing.AllocsPerRun(100, func() { p.Parse(b, each) }); got != 0 || n == 0 {
		t.Errorf("got %v allocations, %d fingers", got, n)
	}
}

func BenchmarkParse(b *testing.B) {
	p := NewParser(multi, 8)
	events := raw(8, mt(absMTX, 10), mt(absMTY, 100), report)
	each := func(*Packet) {}
	b.ReportAllocs()
	for b.Loop() {
		p.Parse(events, each)
	}
}

// FuzzParse: for any input, the position of each finger is on the screen, and Down is the number of fingers.
func FuzzParse(f *testing.F) {
	f.Add(raw(8, mt(absTrackingID, 7), mt(absMTX, 10), report, dropped, report), true, int32(0), int32(99))
	f.Add(raw(4, mt(absSlot, -1), mt(absTrackingID, -1), report), false, int32(5), int32(-5))
	f.Fuzz(func(t *testing.T, b []byte, many bool, least, most int32) {
		for _, long := range []int{4, 8} {
			p := NewParser(Info{Touch: true, Keys: true, Multi: many, X: Axis{least, most}, Y: Axis{most, least}}, long)
			p.Parse(b, func(k *Packet) {
				n := 0
				for _, f := range k.Fingers {
					if f.Down {
						n++
					}
					if !(f.X >= 0 && f.X < 1 && f.Y >= 0 && f.Y < 1) {
						t.Fatalf("a finger at %v, %v", f.X, f.Y)
					}
				}
				if n != k.Down || len(k.Keys) > maxKeysPerPacket || k.At < 0 {
					t.Fatalf("got %+v with %d fingers down", k, n)
				}
			})
		}
	})
}

func TestClassify(t *testing.T) {
	set := func(all ...int) bits {
		b := make(bits, keyBytes)
		for _, n := range all {
			b[n/8] |= 1 << (n % 8)
		}
		return b
	}
	for name, c := range map[string]struct {
		keys, abs, props bits
		want             Info
	}{
		"a touchscreen":  {set(btnTouch), set(absX, absY, absSlot, absMTX, absMTY, absTrackingID), set(propDirect), Info{Touch: true, Multi: true}},
		"resistive":      {set(btnTouch), set(absX, absY), set(propDirect), Info{Touch: true}},
		"QEMU's tablet":  {set(btnLeft), set(absX, absY), set(), Info{Touch: true}},
		"a touchpad":     {set(btnTouch, btnLeft), set(absX, absY, absSlot, absMTX, absMTY, absTrackingID), set(propPointer), Info{}},
		"a joystick":     {set(0x120), set(absX, absY), set(), Info{}},
		"a mouse":        {set(btnLeft), set(), set(), Info{}},
		"a power button": {set(KeyPower), set(), set(), Info{}},
		"a remote":       {set(KeyPower, KeyLeft, KeyRight, keyOK), set(), set(), Info{Keys: true}},
		"a keyboard":     {set(KeyLeft, KeySpace, keyLeftCtrl, keyF1), set(), set(), Info{Keys: true, Full: true}},
	} {
		if got := classify("", c.keys, c.abs, c.props); got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

// TestParseGarbage parses more than 100,000 random events. The position of each finger must be on the screen. There may be at most
// MaxFingers fingers and maxKeysPerPacket keys, and the parser must not grow.
func TestParseGarbage(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	odd := []int32{0, 1, -1, 9, 10, 11, 1 << 20, math.MaxInt32, math.MinInt32}
	codes := []uint16{absX, absY, absSlot, absTrackingID, absMTX, absMTY, btnTouch, btnLeft, Key1, KeyPower, syncReport, syncDropped, 0xffff}
	for _, info := range []Info{multi, single, board, {Touch: true, Keys: true, Multi: true, X: Axis{5, -5}, Y: Axis{math.MinInt32, math.MaxInt32}}} {
		for _, long := range []int{4, 8} {
			p, packets := NewParser(info, long), 0
			each := func(k *Packet) {
				packets++
				down := 0
				for _, f := range k.Fingers {
					if f.Down {
						down++
					}
					if !(f.X >= 0 && f.X < 1 && f.Y >= 0 && f.Y < 1) {
						t.Fatalf("%+v: a finger at %v, %v", info, f.X, f.Y)
					}
				}
				if down != k.Down || len(k.Keys) > maxKeysPerPacket || k.At < 0 {
					t.Fatalf("%+v: %d fingers of %d, %d keys, at %d", info, down, k.Down, len(k.Keys), k.At)
				}
			}
			event := make([]byte, p.eventBytes())
			for range 200_000 {
				for i := range 2 * long {
					event[i] = byte(random.Uint32())
				}
				e := event[2*long:]
				binary.LittleEndian.PutUint16(e, []uint16{typeSync, typeAbs, typeKey, uint16(random.Uint32())}[random.IntN(4)])
				binary.LittleEndian.PutUint16(e[2:], codes[random.IntN(len(codes))])
				binary.LittleEndian.PutUint32(e[4:], uint32(odd[random.IntN(len(odd))]))
				p.Parse(event[:len(event)-random.IntN(2)*random.IntN(3)], each)
				if p.Lost() {
					p.Restore(int(odd[random.IntN(len(odd))]))
				}
			}
			if packets < 1000 {
				t.Errorf("%+v: got %d packets", info, packets)
			}
		}
	}
}
