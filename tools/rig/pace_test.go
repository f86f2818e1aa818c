package rig

import (
	"bytes"
	"fmt"
	"image/color"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dashboard/config"
)

// guestPace is the folder of the wall whose changes are measured.
const guestPace = "/pace"

// paceWall has two pages, each of one color. A key switches between them.
const paceWall = `widgets:
  - widget: pages
    margin: 0
    transition: none
    dwell: 1h
    children:
      - {widget: empty, color: black}
      - {widget: empty, color: white}
`

const (
	paceRounds = 20
	// pacePause is the longest pause between two changes. It is longer than the time that the kernel waits before it copies a framebuffer.
	pacePause = 80 * time.Millisecond
)

// pace measures the time from a press of a key to the change of the screen, once with the driver fbdev and once with the driver drm. It
// takes screenshots from outside.
func (b *partsBench) pace() error {
	if err := b.loadLate(); err != nil {
		return err
	}
	for _, driver := range []string{config.DriverFBDev, config.DriverDRM} {
		times, err := b.paceOf(driver)
		if err != nil {
			return fmt.Errorf("%s: %w", driver, err)
		}
		slices.Sort(times)
		b.note("%s: from a key to the screen in %d changes: least %.0f ms, median %.0f ms, nine of ten within %.0f ms", driver, len(times),
			ms(times[0]), ms(times[len(times)/2]), ms(times[len(times)*9/10]))
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func (b *partsBench) paceOf(driver string) (times []time.Duration, err error) {
	conf := fmt.Sprintf("graphics: {resolution: [%d, %d], motion: reduced}\ndisplay: {pixel_shift: false}\noutputs: [{type: window, driver: %s, tty: none}]\n",
		b.machine.size.X, b.machine.size.Y, driver)
	for name, text := range map[string]string{"conf.yaml": conf, "widgets.yaml": paceWall} {
		if err := b.guest.write(guestPace+"/"+name, text); err != nil {
			return nil, err
		}
	}
	if err := b.start(guestDashboard, "--config-dir", guestPace); err != nil {
		return nil, err
	}
	for range 2 { // the first changes check that the keyboard works and the wall is shown
		if _, err := b.turn(); err != nil {
			return nil, err
		}
	}
	for range paceRounds {
		time.Sleep(rand.N(pacePause))
		spent, err := b.turn()
		if err != nil {
			return nil, err
		}
		times = append(times, spent)
	}
	return times, b.stopProgram()
}

// turn presses a key and waits until the screen shows the other page's color. If a press is lost because the dashboard is not ready, turn
// presses the key again.
func (b *partsBench) turn() (time.Duration, error) {
	was, err := b.middle()
	if err != nil {
		return 0, err
	}
	for end := time.Now().Add(showTime); time.Now().Before(end); {
		began := time.Now()
		if err := b.Do("send-key", map[string]any{"keys": []any{map[string]any{"type": "qcode", "data": "right"}}, "hold-time": 1}); err != nil {
			return 0, err
		}
		for time.Since(began) < keyTime {
			now, err := b.middle()
			if err != nil {
				return 0, err
			}
			if plain := now == (color.RGBA{A: 255}) || now == (color.RGBA{255, 255, 255, 255}); plain && now != was {
				return time.Since(began), nil
			}
		}
	}
	return 0, fmt.Errorf("a key turns no page after %v", showTime)
}

// keyTime is the time after which a press counts as lost.
const keyTime = 5 * time.Second

// middle returns the color in the middle of the screen, from an uncompressed screenshot.
func (b *partsBench) middle() (color.RGBA, error) {
	path := filepath.Join(filepath.Dir(b.Looked()), "screen.ppm")
	if err := b.Do("screendump", map[string]any{"filename": path}); err != nil {
		return color.RGBA{}, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return color.RGBA{}, err
	}
	var w, h, most int
	if _, err := fmt.Fscanf(bytes.NewReader(text), "P6\n%d %d\n%d\n", &w, &h, &most); err != nil {
		return color.RGBA{}, err
	}
	at := len(text) - 3*w*h + 3*(h/2*w+w/2)
	if at < 0 || at+3 > len(text) {
		return color.RGBA{}, fmt.Errorf("a picture of %d bytes, %dx%d", len(text), w, h)
	}
	return color.RGBA{text[at], text[at+1], text[at+2], 255}, nil
}
