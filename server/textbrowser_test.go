package server

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// axeCore returns the script of axe-core. If the file is missing, it skips the test.
func axeCore(t *testing.T) string {
	t.Helper()
	axe, err := os.ReadFile(filepath.Join("..", "web", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		if os.Getenv("DASHBOARD_CI") != "" {
			t.Fatal("axe-core is missing: make web-check")
		}
		t.Skip("SKIPPED: axe-core is missing: npm ci --prefix web")
	}
	return string(axe)
}

// announcements is a script that records each text in a live region of the page.
const announcements = `window.heard = []; new MutationObserver(() => {
	for (const role of ['status', 'alert']) {
		const text = document.querySelector('.unseen[role=' + role + ']')?.textContent;
		if (text && !window.heard.includes(role + ': ' + text)) window.heard.push(role + ': ' + text);
	}
}).observe(document.body, {subtree: true, childList: true, characterData: true}); true`

// spokenPage opens the text page of a wall in a browser, in one color scheme and one direction, and checks it.
func spokenPage(t *testing.T, axe string, width int, scheme, direction string) {
	f, words := speaking(t)
	if direction == "rtl" {
		words.spoken.Language, words.spoken.RightToLeft = "he", true
	}
	address, _ := f.serve(t)
	ctx := browser(t, width, 900, 1)
	emulateScheme(t, ctx, scheme)
	see(t, ctx, chromedp.Navigate("http://"+address+"/text"))
	until(t, ctx, "document.querySelector('#app[data-live]') && document.documentElement.dir === '"+direction+"'")
	until(t, ctx, "document.documentElement.scrollWidth <= innerWidth")
	until(t, ctx, "Math.round(parseFloat(getComputedStyle(document.querySelector('.spoken h1')).fontSize)) === 36")
	keep(t, ctx, fmt.Sprintf("text-%d-%s-%s", width, scheme, direction))
	checkAxe(t, ctx, axe, width)
	checkTargets(t, ctx, width)
	until(t, ctx, "document.documentElement.style.fontSize = '200%'")
	until(t, ctx, "document.documentElement.scrollWidth <= innerWidth")
	keep(t, ctx, fmt.Sprintf("text-%d-%s-%s-200", width, scheme, direction))
}

// The text page fits on phones and desktops, in both color schemes, in both directions of text, and with text of twice the size. axe-core
// finds no problems. Every control is at least 44 px high and wide.
func TestTextInBrowser(t *testing.T) {
	t.Parallel()
	needsLong(t)
	axe := axeCore(t)
	for _, width := range []int{360, 768, 1280} {
		for _, scheme := range []string{"dark", "light"} {
			for _, direction := range []string{"ltr", "rtl"} {
				spokenPage(t, axe, width, scheme, direction)
			}
		}
	}
}

// The page with the picture also contains the text of the wall, because screen readers cannot read the picture. A notification is
// announced politely, and a warning is announced assertively. The text of a clock is never announced.
func TestWordsInRemote(t *testing.T) {
	t.Parallel()
	needsLong(t)
	f, words := speaking(t)
	f.Configure(Settings{StreamOn: true, HTTPControl: true, Announce: "all"})
	first := words.spoken.Parts
	address, _ := f.serve(t)
	ctx := browser(t, 390, 844, 1)
	see(t, ctx, chromedp.Navigate("http://"+address+"/"))
	until(t, ctx, "document.querySelector('section.unseen h3')?.textContent === 'Notification'")
	until(t, ctx, "document.querySelector('canvas').ariaHidden === 'true' && document.querySelector('section.unseen').lang === 'en-GB'")
	_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](announcements))
	if err != nil {
		t.Fatal(err)
	}
	words.change(append(append([]SpokenPart{}, first...),
		SpokenPart{Tone: "sentence", Text: "10:25.", Widget: "clock"}, SpokenPart{Tone: "alert", Text: "Warning: storm.", Widget: "weather"},
		SpokenPart{Tone: "alert", Text: "10:25: Doorbell.", Notice: "n2", Widget: "notification"}))
	until(t, ctx, "window.heard?.some((one) => one.startsWith('alert: ') && one.endsWith('Warning: storm.'))")
	until(t, ctx, "window.heard.some((one) => one.startsWith('status: ') && one.includes('Doorbell'))")
	heard, err := chromedp.Run(ctx, chromedp.Evaluate[[]string]("window.heard"))
	if err != nil || len(heard) != 2 {
		t.Errorf("heard %q, want the warning and the notification (%v)", heard, err)
	}
	checkAxe(t, ctx, axeCore(t), 390)
}
