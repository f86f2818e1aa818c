package server

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"dashboard/control/power"
	"dashboard/internal/testing/programtest"
)

// The remote shows what sets the brightness. It offers to follow the rule only if there is a rule.
func TestRemoteBrightness(t *testing.T) {
	t.Parallel()
	needsLong(t)
	w := newWholeWall(t)
	w.wall.Power.AskLevel(0.6)
	address, _ := w.serve(t)
	ctx := browser(t, 390, 844, 1)
	enter(t, ctx, address)
	const card = "document.querySelector('[aria-label=Screen]')"
	until(t, ctx, card+".textContent.includes('Set by hand.') && !"+card+".querySelector('.rule .quiet')")
	fixed := power.Rules{Brightness: &power.Brightness{Day: 0.5, Night: 0.5}}
	w.wall.Power.Configure(fixed, func(time.Time) (power.Senses, time.Time) { return power.Senses{When: true}, time.Time{} })
	w.wall.Power.AskLevel(0.7)
	until(t, ctx, "("+card+".querySelector('.rule .quiet').click(), true)")
	programtest.Eventually(t, "the rule sets the brightness", func() bool { return w.wall.Power.State().Want == 0.5 })
	until(t, ctx, card+".textContent.includes('Set by display.brightness') && "+card+".querySelector('[type=range]')")
}

// If a screen keyboard shrinks a wide page, the focused field stays. Later the field moves to the controls.
func TestRemoteKeyboardShrinksThePage(t *testing.T) {
	t.Parallel()
	needsLong(t)
	w := newWholeWall(t)
	address, _ := w.serve(t)
	ctx := browser(t, 1024, 768, 1)
	enter(t, ctx, address)
	until(t, ctx, "(window.field = document.querySelector('.below .write input')) && (field.focus(), true)")
	see(t, ctx, chromedp.EmulateViewport(1024, 400))
	until(t, ctx, "innerHeight === 400")
	see(t, ctx, chromedp.SendKeys(chromedp.CSS(".write input"), "Dinner")) // the page is drawn after each key
	until(t, ctx, "document.activeElement === field && field.isConnected && field.value === 'Dinner'")
	until(t, ctx, "(field.blur(), true)")
	until(t, ctx, "document.querySelector('.panel .write input')?.value === 'Dinner' && !document.querySelector('.below')")
}

// A wide page of a wall without notifications has no empty space below the picture.
func TestRemoteWithoutNotifications(t *testing.T) {
	t.Parallel()
	needsLong(t)
	f := newFixture(t)
	f.wall.Notices = nil
	f.control()
	f.show(t, 60)
	f.Configure(Settings{StreamOn: true, HTTPControl: true})
	address, _ := f.serve(t)
	ctx := browser(t, 1280, 800, 1)
	see(t, ctx, chromedp.Navigate("http://"+address+"/"))
	until(t, ctx, "document.querySelector('canvas[data-shown]') && document.querySelector('.key-line') && !document.querySelector('.below')")
}
