package trmnl

import (
	"bytes"
	"dashboard/internal/loglimit"
	"fmt"
	"image"
	"log/slog"
	"math"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// word reduces texts of a device to printable ASCII.
func TestWord(t *testing.T) {
	long := strings.Repeat("x", maxWord)
	for s, want := range map[string]string{" a~": " a~", "\x1f\x7fo\ng\tü": "og", long: long, long + "y": long} {
		if got := word(s); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}
}

// TestHear: implausible values count as missing.
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

// TestHearBattery: a Kindle sends a percentage in the header battery-voltage. If it has not
// measured the signal, it sends 0 as the signal.
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

// TestProfile: the answer contains the device's temperature profile. It also contains whether the device must refresh the whole panel.
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

// TestHearLines: the lines of a report are logged within the limits and without the token.
func TestHearLines(t *testing.T) {
	var log bytes.Buffer
	r := New(Parts{Log: slog.New(slog.NewTextHandler(&log, nil))})
	d := Device{Name: "a", Token: "secret-token"}
	r.Hear(d, []string{"key secret-token " + r.tokenOf("a"), strings.Repeat("é", 5000), "3", "4", "5", "6", "7", "8", "9"})
	if out := log.String(); strings.Contains(out, "secret-token") || strings.Contains(out, r.tokenOf("a")) || strings.Count(out, "\n") != MaxLines || len(out) > 4096 {
		t.Errorf("got %d bytes: %s", log.Len(), log.String())
	}
}

// TestHearFloods: a device that sends reports all the time does not fill the disk.
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

// FuzzHear parses any headers. The values must be within their bounds. A request with a valid token must not fail.
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
			s.Size = image.Point{} // large pictures take too long
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
