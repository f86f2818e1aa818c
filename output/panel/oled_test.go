package panel

import (
	"bytes"
	"errors"
	"image"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/testing/testpic"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// oledSim simulates an SSD1306 with its memory on an I2C bus (datasheet 8.7, 10.1.3).
type oledSim struct {
	i2c.Bus
	ram                 [8][128]byte
	on                  bool
	page, first, last   int
	column, left, right int
	gone                bool
	messages            int
	mu                  sync.Mutex // guards all fields, because the test changes them during the run
}

func (o *oledSim) String() string                  { return "sim" }
func (o *oledSim) SetSpeed(physic.Frequency) error { return nil }

func (o *oledSim) Tx(address uint16, w, _ []byte) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.messages++; o.gone || address != 0x3c {
		return errors.New("no answer")
	}
	if w[0] == 0x40 {
		for _, b := range w[1:] {
			o.ram[o.page][o.column] = b
			if o.column++; o.column > o.right {
				o.column = o.left
				if o.page++; o.page > o.last {
					o.page = o.first
				}
			}
		}
		return nil
	}
	arguments := map[byte]int{0x20: 1, 0x21: 2, 0x22: 2, 0x81: 1, 0x8d: 1, 0xa8: 1, 0xd3: 1, 0xd5: 1, 0xd9: 1, 0xda: 1, 0xdb: 1}
	for w = w[1:]; len(w) > 0; w = w[1+arguments[w[0]]:] {
		switch c := w[0]; {
		case c < 0x10:
			o.column = o.column&0xf0 | int(c)
		case c < 0x20:
			o.column = o.column&0x0f | int(c&15)<<4
		case c >= 0xb0 && c < 0xb8:
			o.page = int(c & 7)
		case c == 0x21:
			o.left, o.column, o.right = int(w[1]), int(w[1]), int(w[2])
		case c == 0x22:
			o.first, o.page, o.last = int(w[1]), int(w[1]), int(w[2])
		case c == 0xaf:
			o.on = true
		}
	}
	return nil
}

func TestOLED(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, bus := model(t, "ssd1306"), &oledSim{}
		r := start(t, &sim{model: m}, m.Size, func(o *Options) {
			o.Model, o.Open = m, func(*Model) (*Wires, error) { return &Wires{I2C: bus}, nil }
		})
		for second := range 3 {
			frame := testpic.Dashboard(128, 64)
			testpic.Tick(frame, second)
			r.show(frame, []image.Rectangle{image.Rect(64, 0, 128, 64)}, time.Second)
			want := pictured(m, frame, []image.Rectangle{image.Rect(64, 0, 128, 64)})
			for y := range 64 {
				for x := range 128 {
					if got := bus.ram[y/8][x] >> (y % 8) & 1; got != want.ColorIndexAt(x, y) {
						t.Fatalf("second %d, %d,%d: got %d", second, x, y, got)
					}
				}
			}
		}
		bus.mu.Lock()
		bus.gone = true
		bus.mu.Unlock()
		r.show(testpic.Photo(128, 64), nil, time.Second)
		if r.Stats().OK() {
			t.Error("nobody noticed that it is gone")
		}
		synctest.Wait()
		before := bus.ram
		bus.mu.Lock()
		bus.gone, bus.on, bus.ram = false, false, [8][128]byte{}
		bus.mu.Unlock()
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if !bus.on || bytes.Equal(before[0][:], bus.ram[0][:]) {
			t.Error("it was not begun again")
		}
		sent := bus.messages
		_ = r.DrawFrame(testpic.Photo(128, 64), []image.Rectangle{image.Rect(0, 0, 128, 64)})
		time.Sleep(time.Second)
		synctest.Wait()
		r.stop()
		if bus.messages != sent {
			t.Error("the same picture was sent again")
		}
	})
}
