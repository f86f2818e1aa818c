package ddc

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// A monitor simulates a monitor on its bus. It checks timing and checksums, and can send wrong answers.
type monitor struct {
	t      *testing.T
	mu     sync.Mutex
	values map[byte]int
	most   map[byte]int
	asked  byte // the code that was requested and not answered yet
	at     time.Time
	until  time.Time // the monitor accepts nothing before this time
	writes []string  // values that were set, such as "10=50"
	asks   int
	nulls  int // number of answers that will be null messages
	wrong  int // number of answers that will have a wrong checksum
	eio    int // number of transfers that will fail
	ignore bool
	wakes  bool // true if a request wakes the monitor
}

func newMonitor(t *testing.T) *monitor {
	return &monitor{t: t, values: map[byte]int{Brightness: 50, PowerMode: 1}, most: map[byte]int{Brightness: 100, PowerMode: 5}}
}

func (m *monitor) Write(b []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if now.Before(m.until) {
		m.t.Errorf("a message %v too early", m.until.Sub(now))
	}
	if m.eio > 0 {
		m.eio--
		return errors.New("EIO")
	}
	if sum := checksum(0x6e, b[:len(b)-1]); len(b) < 4 || b[0] != 0x51 || int(b[1]) != 0x80|len(b)-3 || sum != b[len(b)-1] {
		m.t.Errorf("got % x", b)
	}
	m.at = now
	switch b[2] {
	case 1:
		m.asked = b[3]
		m.asks++
		if m.wakes {
			m.values[PowerMode] = 1
		}
	case 3:
		v := int(b[4])<<8 | int(b[5])
		m.writes = append(m.writes, fmt.Sprintf("%x=%d", b[3], v))
		if !m.ignore {
			m.values[b[3]] = v
		}
		m.until = now.Add(setDelay)
	}
	return nil
}

func (m *monitor) Read(b []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if d := time.Since(m.at); d < replyDelay {
		m.t.Errorf("read %v after the question", d)
	}
	if m.eio > 0 {
		m.eio--
		return errors.New("EIO")
	}
	clear(b)
	if m.nulls > 0 {
		m.nulls--
		copy(b, []byte{0x6e, 0x80, 0xbe})
		return nil
	}
	v, has := m.values[m.asked]
	r := []byte{0x6e, 0x88, 0x02, 0, m.asked, 0, byte(m.most[m.asked] >> 8), byte(m.most[m.asked]), byte(v >> 8), byte(v)}
	if !has {
		r[3] = 1
	}
	r = append(r, checksum(0x50, r))
	if m.wrong > 0 {
		m.wrong--
		r[10] ^= 0xff
	}
	copy(b, r)
	return nil
}

func (m *monitor) Close() error { return nil }

func (m *monitor) wrote() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := strings.Join(m.writes, " ")
	m.writes = nil
	return s
}

// These byte sequences were recorded from real monitors.
func TestVectors(t *testing.T) {
	for want, body := range map[string][]byte{
		"51820110ac": {1, 0x10}, "518403100014bc": {3, 0x10, 0, 20}, "518201d66a": {1, 0xd6}, "518403d600046a": {3, 0xd6, 0, 4}, "51820160dc": {1, 0x60},
	} {
		want, _ := hex.DecodeString(want)
		if got := appendRequest(nil, body...); !bytes.Equal(got, want) {
			t.Errorf("got % x, want % x", got, want)
		}
	}
	reply, _ := hex.DecodeString("6e8802001000006400" + "32f2")
	if now, most, err := parseReply(reply, Brightness); now != 50 || most != 100 || err != nil {
		t.Errorf("got %d of %d, %v", now, most, err)
	}
	if _, _, err := parseReply([]byte{0x6e, 0x80, 0xbe}, Brightness); !errors.Is(err, errNotReady) {
		t.Errorf("the null message: got %v", err)
	}
}

func TestMonitor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newMonitor(t)
		m, err := New(f)
		if err != nil || !m.Dims() || !m.Powers() {
			t.Fatal(m, err)
		}
		f.mu.Lock()
		f.asks = 0
		f.mu.Unlock()
		if err := m.Power(true); err != nil || f.wrote() != "" {
			t.Errorf("on that is on: %v", err)
		}
		f.asks = 0
		for range 5 {
			if err := m.Power(false); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Minute)
		}
		if got := f.wrote(); got != "d6=4" || f.asks > 0 {
			t.Errorf("off: wrote %s, asked %d times", got, f.asks)
		}
		if err := m.Power(true); err != nil || f.wrote() != "d6=1" {
			t.Errorf("on: %v", err)
		}
		_ = m.Power(false)
		f.wrote()
		if err := m.Leave(); err != nil || f.wrote() != "d6=1" {
			t.Errorf("left: %v", err)
		}
	})
}

// If answers are null messages or have wrong checksums, or if transfers fail, the Monitor sends the request at most four times in total.
// The last answer contains the right value.
func TestDifficult(t *testing.T) {
	for name, make := range map[string]func(f *monitor){
		"null":  func(f *monitor) { f.nulls = 3 },
		"sums":  func(f *monitor) { f.wrong = 3 },
		"EIO":   func(f *monitor) { f.eio = 3 },
		"mixed": func(f *monitor) { f.nulls, f.wrong, f.eio = 1, 1, 1 },
	} {
		synctest.Test(t, func(t *testing.T) {
			f := newMonitor(t)
			make(f)
			m, err := New(f)
			if err != nil || !m.Dims() || !m.Powers() {
				t.Fatalf("%s: %v", name, err)
			}
			f.mu.Lock()
			f.eio = 1
			f.mu.Unlock()
			if err := m.Dim(0.8); err != nil || f.wrote() != "10=80" {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		f := newMonitor(t)
		f.nulls = 1000
		began := time.Now()
		if m, err := New(f); err == nil || f.asks != tries {
			t.Errorf("one that never answers: %v, %v, asked %d times", m, err, f.asks)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("took %v", took)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		f := newMonitor(t)
		delete(f.values, PowerMode)
		m, err := New(f)
		if err != nil || m.Powers() || !errors.Is(m.Power(false), ErrUnsupported) || f.wrote() != "" {
			t.Errorf("no power: %v", err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		f := newMonitor(t)
		m, _ := New(f)
		_ = m.Power(false)
		f.ignore = true
		if err := m.Power(true); err == nil {
			t.Error("one that stays off is no error")
		}
	})
}

// A monitor that was switched on still reports that it is off, or stops answering. It is switched on twice. After that, nothing is sent
// until the monitor must be switched off, or Forget is called.
func TestMonitorThatLies(t *testing.T) {
	for name, lie := range map[string]func(f *monitor){
		"off":     func(f *monitor) { f.ignore = true },
		"nothing": func(f *monitor) { f.nulls = 1 << 30 },
	} {
		synctest.Test(t, func(t *testing.T) {
			f := newMonitor(t)
			m, err := New(f)
			if err != nil || m.Power(false) != nil {
				t.Fatal(err)
			}
			f.wrote()
			tell := func(so func(f *monitor)) {
				f.mu.Lock()
				defer f.mu.Unlock()
				so(f)
			}
			tell(lie)
			on := func(times int) (told int) {
				for range times {
					if m.Power(true) != nil {
						told++
					}
					time.Sleep(time.Minute)
				}
				return told
			}
			if told := on(60); told != 60 || f.wrote() != "d6=1 d6=1" {
				t.Errorf("%s: an hour: told %d times of 60", name, told)
			}
			before := f.asks
			if on(60); f.asks != before {
				t.Errorf("%s: it was asked %d times in another hour", name, f.asks-before)
			}
			m.Forget() // another monitor was connected
			if on(2); f.wrote() != "d6=1 d6=1" {
				t.Errorf("%s: another one is not switched on", name)
			}
			tell(func(f *monitor) { f.ignore, f.nulls = false, 0 })
			if err := m.Power(false); err != nil {
				t.Errorf("%s: off: %v", name, err)
			}
			if told := on(2); told != 0 || f.wrote() != "d6=4 d6=1" {
				t.Errorf("%s: one that follows again: told %d times", name, told)
			}
		})
	}
}

// During a fade, at most one brightness in a second is written. The last brightness of the fade is
// always written. Changes that are too small to see are not written.
func TestDim(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newMonitor(t)
		m, err := New(f)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 41 {
			if err := m.Dim(1 - float64(i)/50); err != nil {
				t.Error(err)
			}
			time.Sleep(50 * time.Millisecond)
		}
		time.Sleep(2 * time.Second)
		got := strings.Fields(f.wrote())
		if len(got) < 3 || len(got) > 6 || got[len(got)-1] != "10=20" {
			t.Errorf("got %v", got)
		}
		_ = m.Dim(0.21)
		time.Sleep(2 * time.Second)
		if got := f.wrote(); got != "" {
			t.Errorf("a step of one: wrote %s", got)
		}
		_ = m.Dim(-1)
		time.Sleep(2 * time.Second)
		if got := f.wrote(); got != "10=50" {
			t.Errorf("as it was found: wrote %s", got)
		}
		_ = m.Dim(0.3)
		_ = m.Close()
		time.Sleep(time.Minute)
	})
}

func FuzzReply(f *testing.F) {
	f.Add([]byte{0x6e, 0x88, 2, 0, 0x10, 0, 0, 100, 0, 50, 0xf2})
	f.Add([]byte{0x6e, 0x80, 0xbe})
	f.Fuzz(func(t *testing.T, b []byte) {
		if now, most, err := parseReply(b, Brightness); err == nil && (now > 0xffff || most > 0xffff || len(b) < replyBytes) {
			t.Errorf("got %d of %d", now, most)
		}
	})
}

// The wall sets the brightness again every minute. Only a change is written, also at the ends of the scale, because some monitors store
// the brightness in memory that wears out.
func TestDimWritesOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newMonitor(t)
		m, err := New(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			level float64
			want  string
		}{{1, "10=100"}, {0.99, ""}, {1, ""}, {0.4, "10=40"}, {0, "10=0"}} {
			for range 5 {
				if err := m.Dim(c.level); err != nil {
					t.Error(err)
				}
				time.Sleep(time.Minute)
			}
			if got := f.wrote(); got != c.want {
				t.Errorf("%v: wrote %q, want %q", c.level, got, c.want)
			}
		}
		_ = m.Close()
	})
}
