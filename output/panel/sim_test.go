package panel

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"slices"
	"sync"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/gpio"
)

// A sim simulates a panel. It decodes messages to a picture and records each rule of the chip that
// a message breaks. Its rules were written independently of the drivers.
type sim struct {
	mu    sync.Mutex // guards stuck and mute
	chip  chip
	model *Model
	glass *image.Paletted // the picture on the display

	broken []string // broken rules
	shown  []shown  // all refreshes, including a running refresh

	dc      gpio.Level
	reset   gpio.Level
	lowAt   time.Time // the reset line
	highAt  time.Time
	supply  bool // the power is on
	awake   bool // the chip was reset and does not sleep
	on      bool // the voltages are on
	busy    time.Time
	stuck   bool          // the panel stays busy
	mute    bool          // the panel never becomes busy
	lines   [2]gpio.Level // select lines of a panel with two controllers
	chosen  [2]bool       // controllers that were selected for the command
	command byte
	args    []byte
	regs    map[byte][]byte
	mutate  func(n int, p []byte) []byte // changes message n, or drops it by returning nil
	sent    int
}

// `none` is a number that no chip uses as a command.
const none = 0xff

// shown describes one refresh.
type shown struct {
	at      time.Time
	partial bool
	drove   image.Rectangle // pixels that changed during the refresh
}

// A chip simulates the commands of one kind of panel.
type chip interface {
	counts() map[byte]int // number of data bytes of each command, or -1 for a picture
	do(s *sim, command byte, args []byte)
	busyLevel() gpio.Level
}

func newSim(m *Model) *sim {
	s := &sim{model: m, reset: true, regs: map[byte][]byte{}, command: none}
	s.glass = image.NewPaletted(image.Rectangle{Max: m.Size}, make(color.Palette, 8))
	for i := range s.glass.Pix {
		s.glass.Pix[i] = uint8(i & 1) // the initial content may be anything
	}
	switch m.Name {
	case "waveshare-7in5-v2", "waveshare-7in5-b-v2":
		s.chip = &ucSim{}
	case "waveshare-4in2-v2", "waveshare-2in13-v4":
		s.chip = newSSDSim(m.Size)
	case "inky-13in3":
		s.chip, s.lines = &elSim{}, [2]gpio.Level{true, true}
	default:
		s.chip = &spectraSim{seven: m.Palette == "inky7"}
	}
	return s
}

func (s *sim) break_(format string, args ...any) {
	s.broken = append(s.broken, fmt.Sprintf(format, args...))
}

// wires() returns the lines to the simulated panel.
func (s *sim) wires(*Model) (*Wires, error) {
	w := &Wires{Bus: s, DC: out{gpio.INVALID, func(l gpio.Level) { s.dc = l }}, Reset: out{gpio.INVALID, s.setReset}, Busy: in{gpio.INVALID, s.busyNow}}
	if s.model.Name == "inky-13in3" {
		for i := range s.lines {
			w.Selects = append(w.Selects, out{gpio.INVALID, func(l gpio.Level) { s.lines[i] = l }})
		}
	}
	if s.model.pins.power != 0 {
		w.Power = out{gpio.INVALID, s.setSupply}
	} else {
		s.supply = true
	}
	return w, nil
}

func (s *sim) fault(f *bool) bool  { s.mu.Lock(); defer s.mu.Unlock(); return *f }
func (s *sim) String() string      { return "sim" }
func (s *sim) Duplex() conn.Duplex { return conn.Half }
func (s *sim) isBusy() bool        { return s.fault(&s.stuck) || time.Now().Before(s.busy) }
func (s *sim) busyNow() gpio.Level {
	return (s.isBusy() && !s.fault(&s.mute)) == bool(s.chip.busyLevel())
}
func (s *sim) work(d time.Duration) { s.busy = time.Now().Add(d) }

func (s *sim) setSupply(on gpio.Level) {
	if !bool(on) && s.awake {
		s.break_("the supply goes while it is awake")
	}
	s.supply = bool(on)
}

func (s *sim) setReset(l gpio.Level) {
	switch {
	case l == s.reset:
	case !bool(l):
		s.lowAt = time.Now()
	case time.Since(s.lowAt) < time.Millisecond:
		s.break_("a reset of %v", time.Since(s.lowAt))
	default:
		if s.awake {
			// An update may reset an awake panel only after a failure. The tests of failures allow this broken rule.
			s.break_("a reset while it is awake")
		}
		if !s.supply {
			s.break_("a reset without a supply")
		}
		s.awake, s.on, s.highAt = true, false, time.Now()
		clear(s.regs)
		s.finish()
		s.command, s.args = none, nil
	}
	s.reset = l
}

// Tx implements conn.Conn.
func (s *sim) Tx(p, _ []byte) error {
	s.sent++
	if s.mutate != nil {
		if p = s.mutate(s.sent, slices.Clone(p)); p == nil {
			return nil
		}
	}
	switch {
	case !s.supply || !s.awake:
		s.break_("%x: it sleeps", p[:1])
	case time.Since(s.highAt) < 10*time.Millisecond:
		s.break_("%x: so soon after the reset", p[:1])
	case s.isBusy():
		s.break_("%x: it is busy", p[:1])
	case len(p) > 4096:
		s.break_("%d bytes at once", len(p))
	case !bool(s.dc):
		s.begin(p)
	default:
		if s.chosen != [2]bool{!bool(s.lines[0]), !bool(s.lines[1])} {
			s.break_("%x: the selection changed within a command", s.command)
		}
		s.args = append(s.args, p...)
		s.complete()
	}
	return nil
}

func (s *sim) begin(p []byte) {
	s.finish()
	s.command, s.args = p[0], nil
	s.chosen = [2]bool{!bool(s.lines[0]), !bool(s.lines[1])}
	if !s.chosen[0] && !s.chosen[1] {
		s.break_("%x: no controller is selected", p)
	}
	if _, known := s.chip.counts()[p[0]]; !known || len(p) != 1 {
		s.break_("%x is no command", p)
		s.command = none
		return
	}
	s.complete()
}

// complete() executes a command when all its data has arrived.
func (s *sim) complete() {
	n, known := s.chip.counts()[s.command]
	switch {
	case !known:
		s.break_("%d bytes of no command", len(s.args))
	case n == len(s.args):
		s.regs[s.command] = s.args
		s.chip.do(s, s.command, s.args)
	case n >= 0 && len(s.args) > n:
		s.break_("%02x has %d bytes, not %d", s.command, len(s.args), n)
	}
}

// finish ends the previous command, and reports missing data.
func (s *sim) finish() {
	n, known := s.chip.counts()[s.command]
	switch {
	case !known:
	case n < 0:
		s.regs[s.command] = s.args
		s.chip.do(s, s.command, s.args)
	case s.command == 0x50 && len(s.args) == 1: // before sleep, only the first byte is sent, which sets the border
		s.regs[s.command] = s.args
	case len(s.args) < n:
		s.break_("%02x has %d bytes, not %d", s.command, len(s.args), n)
	}
	s.command = none
}

// wants() checks that the chip has the settings `want`, before a refresh.
func (s *sim) wants(want map[byte][]byte) {
	for c, v := range want {
		if got, ok := s.regs[c]; !ok || !slices.Equal(got, v) {
			s.break_("%02x is % x, not % x", c, got, v)
		}
	}
}

// show performs a refresh of the rectangle r. It calls the function `of` for each row to get the row's new content. If `of` returns
// false, show panics, which ends the update.
func (s *sim) show(partial bool, r image.Rectangle, takes time.Duration, of func(y int, row []uint8) bool) {
	now := shown{at: time.Now(), partial: partial}
	next := make([]uint8, r.Dx())
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := s.glass.Pix[s.glass.PixOffset(r.Min.X, y):][:r.Dx()]
		if !of(y, next) {
			panic("once is enough")
		}
		if string(row) != string(next) {
			now.drove = now.drove.Union(differ(row, next).Add(image.Pt(r.Min.X, y)))
			copy(row, next)
		}
	}
	s.shown = append(s.shown, now)
	s.work(takes)
}

// differ() returns the range of different pixels of two rows.
func differ(a, b []uint8) image.Rectangle {
	first, last := 0, len(a)-1
	for a[first] == b[first] {
		first++
	}
	for a[last] == b[last] {
		last--
	}
	return image.Rect(first, 0, last+1, 1)
}

// showed() reports whether `row`, which the driver has sent as the old picture, equals row y of the rectangle r on the display. If they
// differ, showed() records a broken rule.
func (s *sim) showed(r image.Rectangle, y int, row []uint8) bool {
	glass := s.glass.Pix[s.glass.PixOffset(r.Min.X, y):][:r.Dx()]
	if string(glass) == string(row) {
		return true
	}
	x := differ(glass, row).Min.X
	s.break_("%d,%d is said to have been %d", r.Min.X+x, y, row[x])
	return false
}

// asleep() checks that the panel sleeps and its voltages are off.
func (s *sim) asleep() {
	if s.awake || s.on {
		s.break_("it was left awake")
	}
}

// The types out and in are simulated GPIO lines.
type out struct {
	gpio.PinIO
	set func(gpio.Level)
}

func (o out) Out(l gpio.Level) error { o.set(l); return nil }

type in struct {
	gpio.PinIO
	get func() gpio.Level
}

func (i in) Read() gpio.Level { return i.get() }

// bits() stores the bits of a plane's row as pixels in `row`.
func bits(p []byte, r image.Rectangle, y int, row []uint8) {
	p = p[(y-r.Min.Y)*((r.Dx()+7)/8):]
	for x := range row {
		row[x] = p[x/8] >> (7 - x%8) & 1
	}
}

// nibbles() converts a row of four-bit codes to inks. If it finds an unknown code, it returns the column of this code and false.
func nibbles(p []byte, inks []byte, row []uint8) (int, bool) {
	var means [16]uint8
	for code := range means {
		means[code] = uint8(bytes.IndexByte(inks, uint8(code))) // 255 for an unused code
	}
	for x := range row {
		if row[x] = means[p[x/2]>>(4-x%2*4)&15]; row[x] == 255 {
			return x, false
		}
	}
	return 0, true
}
