package trmnl

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/internal/loglimit"
	"dashboard/render/ink"

	"golang.org/x/image/bmp"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// noise returns an incompressible frame, a photo everywhere.
func noise(size image.Point, seed uint64) Shot {
	r := rand.New(rand.NewPCG(seed, 1))
	m := image.NewRGBA(image.Rectangle{Max: size})
	for i := range m.Pix {
		if m.Pix[i] = 255; i%4 != 3 {
			m.Pix[i] = uint8(r.Uint32())
		}
	}
	s := Shot{Frame: m}
	s.Regions.Add(ink.Region{Rect: m.Rect, Photo: true})
	return s
}

func copied(s Shot) Shot {
	f := *s.Frame
	f.Pix = bytes.Clone(f.Pix)
	s.Frame = &f
	return s
}

// shows are readers of one frame, with a device of each name.
func shows(s *Shot, names ...string) *Readers {
	r := New(Parts{
		Paint: func(context.Context, string) (Shot, time.Time, error) { return copied(*s), time.Time{}, nil },
		Log:   slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	set := Settings{On: true}
	for _, n := range names {
		set.Devices = append(set.Devices, Device{Name: n, Token: "token of " + n, Refresh: 15 * time.Minute})
	}
	r.Configure(set)
	return r
}

func ask(t testing.TB, r *Readers, said Said, now time.Time) Turn {
	t.Helper()
	turn, err := r.Show(t.Context(), said, now)
	if err != nil {
		t.Fatal(err)
	}
	return turn
}

// TestPictures: the file of each model has the quantized frame, pixel by pixel, within its size limit.
func TestPictures(t *testing.T) {
	for _, m := range Models() {
		if m.Size.X > 800 || m.Bits == 8 { // the same, and quicker
			m.Size, m.Most = m.Size.Div(4), m.Most/16
		}
		shot := noise(m.Size, 7)
		same := copied(shot)
		pic, file, err := draws(&shot, m)
		if err != nil {
			t.Fatal(err)
		}
		if len(file) > m.Most {
			t.Errorf("%s: %d bytes, of %d", m.Name, len(file), m.Most)
		}
		var got image.Image
		if m.BMP {
			got, err = bmp.Decode(bytes.NewReader(file))
		} else {
			got, err = png.Decode(bytes.NewReader(file))
		}
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		bits := (&ink.Palette{Inks: make([]ink.Ink, len(pic.Palette))}).Bits()
		want := quantize(&same, bits)
		for y := range m.Size.Y {
			for x := range m.Size.X {
				at := image.Pt(x, y)
				if m.Turn {
					at = image.Pt(m.Size.Y-1-y, x)
				}
				if g, w := color.RGBAModel.Convert(got.At(at.X, at.Y)), color.RGBAModel.Convert(want.At(x, y)); g != w {
					t.Fatalf("%s: %v at %v, want %v", m.Name, g, at, w)
				}
			}
		}
	}
}

// TestBMP: the file is as the firmware wants it, byte by byte.
func TestBMP(t *testing.T) {
	shot := noise(image.Pt(800, 480), 3)
	m, _ := Named("og_bmp")
	_, b, err := draws(&shot, m)
	if err != nil {
		t.Fatal(err)
	}
	le := binary.LittleEndian
	if string(b[:2]) != "BM" || len(b) != 62+48000 || le.Uint32(b[2:]) != 48062 || le.Uint32(b[10:]) != 62 || le.Uint32(b[14:]) != 40 ||
		le.Uint32(b[18:]) != 800 || le.Uint32(b[22:]) != 480 || le.Uint16(b[26:]) != 1 || le.Uint16(b[28:]) != 1 || le.Uint32(b[30:]) != 0 ||
		le.Uint32(b[34:]) != 48000 || !bytes.Equal(b[54:62], []byte{0, 0, 0, 0, 255, 255, 255, 0}) {
		t.Errorf("header % x", b[:62])
	}
}

// TestNames: the name changes exactly when a pixel does, and is one that devices take.
func TestNames(t *testing.T) {
	shot := noise(image.Pt(800, 480), 1)
	r := shows(&shot, "a", "b")
	said := Said{Token: "token of a"}
	first := ask(t, r, said, noon)
	if len(first.Picture.Name) > 31 || !strings.HasSuffix(first.Picture.Name, fmt.Sprintf("-%010d", noon.Unix())) {
		t.Errorf("got the name %s", first.Picture.Name)
	}
	if again := ask(t, r, said, noon.Add(time.Hour)); again.Picture.Name != first.Picture.Name || again.Picture.Secret != first.Picture.Secret {
		t.Errorf("got %s after %s, of the same pixels", again.Picture.Name, first.Picture.Name)
	}
	if other := ask(t, r, Said{Token: "token of b"}, noon); other.Picture.Name == first.Picture.Name || other.Picture.Secret == first.Picture.Secret {
		t.Error("two devices have a picture of the same name")
	}
	seen := map[string]bool{first.Picture.Name: true}
	for n := range 5 { // in the same second
		copy(shot.Frame.Pix, []byte{uint8(n % 2 * 255), uint8(n % 2 * 255), uint8(n % 2 * 255)})
		next := ask(t, r, said, noon)
		if seen[next.Picture.Name] {
			t.Errorf("the name %s is of two pictures", next.Picture.Name)
		}
		seen[next.Picture.Name] = true
	}
}

// TestRefresh: until the end of sleep, until a known change, or as long as is written.
func TestRefresh(t *testing.T) {
	d := Device{Refresh: 15 * time.Minute}
	for want, next := range map[int]time.Time{900: {}, 62: noon.Add(time.Minute), 30: noon.Add(time.Second)} {
		if got := refresh(d, noon, next); got != want {
			t.Errorf("with a change at %v: got %d, want %d", next, got, want)
		}
	}
	d.Asleep = func(time.Time) time.Time { return noon.Add(6 * time.Hour) }
	if got := refresh(d, noon, noon.Add(time.Minute)); got != 6*3600+1 {
		t.Errorf("asleep: got %d", got)
	}
}

// TestPicturesAreBounded: the newest two of each device are kept, and together no more than the bound, however many come.
func TestPicturesAreBounded(t *testing.T) {
	var names []string
	for n := range MaxDevices {
		names = append(names, fmt.Sprint("d", n))
	}
	shot := noise(image.Pt(200, 120), 1)
	r := shows(&shot, names...)
	file := make([]byte, largeFile)
	for n := range 20 * MaxDevices {
		m := image.NewPaletted(image.Rect(0, 0, 8, 1), color.Palette{color.Black, color.White})
		for bit := range m.Pix {
			m.Pix[bit] = uint8(n >> bit & 1)
		}
		r.name(names[n%len(names)], m, file, false, noon)
		total := 0
		for _, p := range r.pictures {
			total += len(p.File)
		}
		if total > maxKept || len(r.pictures) > keptEach*len(names) {
			t.Fatalf("%d pictures of %d bytes are kept", len(r.pictures), total)
		}
	}
	if len(r.kept.Shown) > MaxDevices {
		t.Errorf("%d names are kept", len(r.kept.Shown))
	}
	one := shows(&shot, "a")
	var last, before Turn
	for n := range 4 {
		shot = noise(image.Pt(200, 120), uint64(n))
		before, last = last, ask(t, one, Said{Token: "token of a"}, noon)
	}
	for _, p := range []Picture{last.Picture, before.Picture} {
		if _, ok := one.Fetch(p.Secret, p.Name); !ok {
			t.Error("one of the newest two pictures is gone")
		}
	}
	if len(one.pictures) != keptEach {
		t.Errorf("%d pictures are kept", len(one.pictures))
	}
}

// TestMemory: a picture takes the memory of some frames, and none of it stays but the file.
func TestMemory(t *testing.T) {
	size := image.Pt(800, 480)
	shot := noise(size, 1)
	r := shows(&shot, "a")
	said := Said{Token: "token of a"}
	ask(t, r, said, noon)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const rounds = 5
	for range rounds {
		ask(t, r, said, noon)
	}
	runtime.ReadMemStats(&after)
	frame := uint64(4 * size.X * size.Y)
	if each := (after.TotalAlloc - before.TotalAlloc) / rounds; each > 4*frame {
		t.Errorf("a picture takes %d bytes, more than four frames of %d", each, frame)
	}
}

// TestGuests: a new device waits for permission, which survives restarts, up to the limit. Without guests it is refused.
func TestGuests(t *testing.T) {
	shot := noise(image.Pt(200, 120), 1)
	r := shows(&shot)
	id := func(n int) string { return fmt.Sprintf("AA:BB:CC:00:00:%02X", n) }
	if _, _, err := r.Setup(Said{ID: id(0)}); err != ErrUnknown {
		t.Errorf("an unknown device: got %v", err)
	}
	if err := r.Allow(id(0)); err != ErrAsks || len(r.Asking()) != 0 {
		t.Errorf("allowed where none may be: got %v", err)
	}
	var kept Kept
	if err := r.Keep(Kept{}, func(k Kept) error { kept = k; return nil }); err != nil {
		t.Fatal(err)
	}
	on := Settings{On: true, Guest: &Device{View: "main"}}
	r.Configure(on)
	for n := range MaxDevices {
		token, _, err := r.Setup(Said{ID: id(n)})
		if err != nil {
			t.Fatal(err)
		}
		said := Said{ID: id(n), Token: token}
		if _, err := r.Show(t.Context(), said, noon); err != ErrWaits {
			t.Fatalf("before it is allowed: got %v", err)
		}
		if err := r.Allow(id(n)); err != nil {
			t.Fatal(err)
		}
		if again, _, _ := r.Setup(Said{ID: id(n)}); again != token {
			t.Error("who sets a device up anew locks it out")
		}
		ask(t, r, said, noon)
	}
	if _, _, err := r.Setup(Said{ID: id(200)}); err != nil || r.Allow(id(200)) != ErrFull {
		t.Errorf("one more: got %v", err)
	}
	all, _ := r.Status()
	next := shows(&shot)
	next.Configure(on)
	if err := next.Keep(kept, func(Kept) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if after, _ := next.Status(); len(after) != MaxDevices || !after[0].Guest || next.Remove(id(0)) != nil || next.Remove(id(0)) != ErrAsks {
		t.Errorf("after a restart: %d guests", len(after))
	}
	if after, _ := next.Status(); len(after) != MaxDevices-1 {
		t.Errorf("one removed: %d guests", len(after))
	}
	if err := r.Remove(id(200)); err != nil || len(r.Asking()) != 0 {
		t.Errorf("refused: got %v, %v ask", err, r.Asking())
	}
	r.Configure(Settings{On: true})
	if left, _ := r.Status(); len(all) != MaxDevices || len(left) != 0 || len(r.pictures) != 0 {
		t.Errorf("%d guests, then %d, with %d pictures", len(all), len(left), len(r.pictures))
	}
	r.Configure(Settings{On: true, Devices: []Device{{Name: id(1)}}})
	if err := r.Remove(id(1)); err != ErrListed {
		t.Errorf("one that is listed: got %v", err)
	}
}

// TestStrangers: a limited number of unknown devices is remembered.
func TestStrangers(t *testing.T) {
	shot := noise(image.Pt(200, 120), 1)
	r := shows(&shot)
	for n := range 3 * maxStrangers {
		_, _, _ = r.Setup(Said{ID: fmt.Sprintf("AA:BB:CC:00:00:%02X", n)})
	}
	if _, strangers := r.Status(); len(strangers) != maxStrangers || strangers[maxStrangers-1] != "AA:BB:CC:00:00:17" {
		t.Errorf("%d are told of, the newest %s", len(strangers), strangers[len(strangers)-1])
	}
}

// TestHear: what makes no sense counts as not said.
func TestHear(t *testing.T) {
	h := http.Header{}
	for name, v := range map[string]string{"Width": "99999", "Height": "480", "Battery-Voltage": "100.01", "RSSI": "NaN", "percent-charged": "-1", "Model": "og\x00\x07" + strings.Repeat("x", 99)} {
		h.Set(name, v)
	}
	s := Hear(h)
	if s.Size != (image.Point{}) || !math.IsNaN(s.Volts) || !math.IsNaN(s.Signal) || !math.IsNaN(s.Percent) || len(s.Model) > maxWord {
		t.Errorf("got %+v", s)
	}
}

// TestHearBattery: a Kindle sends a percentage as battery-voltage, and a signal of 0 if it has not measured it.
func TestHearBattery(t *testing.T) {
	nan := math.NaN()
	for _, tc := range []struct {
		volts, percent, rssi string
		want                 [3]float64 // volts, percent, dBm
	}{
		{"4.07", "", "-61", [3]float64{4.07, nan, -61}},
		{"87", "", "0", [3]float64{nan, 87, nan}},
		{"100", "", "", [3]float64{nan, 100, nan}},
		{"87", "40", "-1", [3]float64{nan, 40, -1}},
		{"4.1", "40", "1", [3]float64{4.1, 40, nan}},
	} {
		s := Hear(http.Header{"Battery-Voltage": {tc.volts}, "Percent-Charged": {tc.percent}, "Rssi": {tc.rssi}})
		got := [3]float64{s.Volts, s.Percent, s.Signal}
		for i := range got {
			if got[i] != tc.want[i] && !(math.IsNaN(got[i]) && math.IsNaN(tc.want[i])) {
				t.Errorf("%+v: got %v", tc, got)
			}
		}
	}
}

// TestProfile: the answer has the device's temperature profile and its full refresh.
func TestProfile(t *testing.T) {
	shot := noise(image.Pt(160, 96), 1)
	r := shows(&shot)
	r.Configure(Settings{On: true, Devices: []Device{{Name: "a", Token: "token of a"}, {Name: "b", Token: "token of b", Profile: "c", Full: true}}})
	if got := ask(t, r, Said{Token: "token of a"}, noon); got.Profile != "default" || got.Full {
		t.Errorf("without keys: got %q, %v", got.Profile, got.Full)
	}
	if got := ask(t, r, Said{Token: "token of b"}, noon); got.Profile != "c" || !got.Full {
		t.Errorf("with keys: got %q, %v", got.Profile, got.Full)
	}
}

// TestHearLines: a report is logged within limits and without the token.
func TestHearLines(t *testing.T) {
	var log bytes.Buffer
	r := New(Parts{Log: slog.New(slog.NewTextHandler(&log, nil))})
	d := Device{Name: "a", Token: "secret-token"}
	r.Hear(d, []string{"key secret-token " + r.tokenOf("a"), strings.Repeat("é", 5000), "3", "4", "5", "6", "7", "8", "9"})
	if out := log.String(); strings.Contains(out, "secret-token") || strings.Contains(out, r.tokenOf("a")) || strings.Count(out, "\n") != MaxLines || len(out) > 4096 {
		t.Errorf("got %d bytes: %s", log.Len(), log.String())
	}
}

// TestHearFloods: a device that reports without end fills no disk.
func TestHearFloods(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		r := New(Parts{Log: slog.New(slog.NewTextHandler(&log, nil))})
		for range loglimit.AtOnce {
			r.Hear(Device{Name: "a"}, []string{"1", "2", "3", "4", "5", "6", "7", "8"})
		}
		if n := strings.Count(log.String(), "\n"); n != loglimit.AtOnce {
			t.Errorf("%d lines at once, want %d", n, loglimit.AtOnce)
		}
		time.Sleep(time.Second)
		r.Hear(Device{Name: "a"}, []string{"9"})
		if want := fmt.Sprint("untold_before=", (MaxLines-1)*loglimit.AtOnce); !strings.Contains(log.String(), want) {
			t.Errorf("no %s in %s", want, log.String())
		}
	})
}

// FuzzHear reads any headers: values are within their limits, and a request fails only for its token.
func FuzzHear(f *testing.F) {
	f.Add("AA:BB:CC:00:00:01", "token of a", "og", "800", "480", "4.07", "-61", "1.4.9")
	f.Add("", "", "x", "-1", "1e9", "Inf", "0x1p3", "..")
	shot := noise(image.Pt(160, 96), 1)
	r := shows(&shot, "a")
	r.settings.Guest = &Device{}
	f.Fuzz(func(t *testing.T, id, token, model, width, height, volts, signal, firmware string) {
		h := http.Header{"Id": {id}, "Access-Token": {token}, "Model": {model}, "Width": {width}, "Height": {height},
			"Battery-Voltage": {volts}, "Rssi": {signal}, "Fw-Version": {firmware}}
		s := Hear(h)
		if max(s.Size.X, s.Size.Y) > MaxSide || s.Volts > maxVolts || s.Volts < 0 || s.Signal > 0 || len(s.Model) > maxWord || len(s.Firmware) > maxWord {
			t.Errorf("got %+v", s)
		}
		if max(s.Size.X, s.Size.Y) > 400 {
			s.Size = image.Point{} // large ones take long
		}
		if m, ok := byHeader(s.Model); ok && m.Size.X > 800 {
			return
		}
		if _, err := r.Show(t.Context(), s, noon); err != nil && token == "token of a" {
			t.Error(err)
		}
		_, _, _ = r.Setup(s)
	})
}
