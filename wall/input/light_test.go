package input

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/control/light"
	"dashboard/control/power"
)

// TestScreensFollowTheLight checks the brightness of screens. When the room becomes dark, the screen is dim within three minutes. When
// the sensor is unplugged, the brightness does not change, and one line is logged. When the sensor is plugged in again, the brightness
// follows the light again.
func TestScreensFollowTheLight(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "iio:device0", "in_illuminance_input")
	lux := func(text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	lux("600")
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		screen := power.NewOwner()
		screen.Configure(power.Rules{Brightness: &power.Brightness{Day: 1, Night: 0.1, Sensor: true}}, func(time.Time) (power.Senses, time.Time) {
			return power.Senses{When: true, Present: true}, time.Time{}
		})
		room := &RoomLight{Log: slog.New(slog.NewTextHandler(&log, nil)), Dir: dir, Screens: func() []*power.Owner { return []*power.Owner{screen} }}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{}, 2)
		go func() { screen.Run(ctx); done <- struct{}{} }()
		go func() { room.Run(ctx); done <- struct{}{} }()
		level := func(after time.Duration) float64 {
			time.Sleep(after)
			synctest.Wait()
			return screen.State().Level
		}
		bright := level(time.Minute)
		lux("12")
		dim := level(3 * time.Minute)
		if bright != 1 || dim > 0.6 || dim < 0.1 {
			t.Errorf("from %v to %v when the light goes out", bright, dim)
		}
		dim = level(10 * time.Minute)
		if err := os.RemoveAll(filepath.Dir(file)); err != nil {
			t.Fatal(err)
		}
		if got := level(time.Hour); got != dim {
			t.Errorf("without a sensor: %v, want %v", got, dim)
		}
		if n := strings.Count(log.String(), "the light in the room is not known"); n != 1 {
			t.Errorf("told %d times:\n%s", n, log.String())
		}
		lux("600")
		if got := level(10 * time.Minute); got != 1 {
			t.Errorf("the sensor is back: %v", got)
		}
		level(lightSound)
		log.Reset()
		for range 30 { // the sensor fails now and then, like a sensor with a loose wire
			lux("")
			level(2 * light.Interval)
			lux("600")
			if got := level(2 * lightAgain); got != 1 {
				t.Errorf("it fails now and then: %v", got)
			}
		}
		if n := strings.Count(log.String(), "the light in the room is not known"); n != 1 {
			t.Errorf("it fails now and then: told %d times:\n%s", n, log.String())
		}
		cancel()
		<-done
		<-done
	})
}
