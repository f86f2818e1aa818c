package walltest

import (
	"image"
	"testing"
	"testing/synctest"
	"time"

	"dashboard/control"
	"dashboard/control/page"
	"dashboard/control/timer"
	"dashboard/control/touch"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
)

// TouchWall is a wall on which each container contains an element that reacts to touches.
const TouchWall = `
widgets:
  - widget: layout
    areas: ["stack list", "timer pages", "cards classic"]
    portrait: {areas: [stack, list, timer, pages, cards, classic]}
    children:
      - widget: stack
        area: stack
        children:
          - {widget: empty, name: behind, on_tap: {page: a}}
          - {widget: icon, name: over, icon: mdi:star, place: center, size: 50%, on_tap: {page: b}}
          - {widget: icon, name: idle, icon: mdi:star, place: top left, size: 30%}
      - {widget: list, area: list, title: L, items: [{text: hall, entity: light.hall, on_tap: toggle}, {text: nothing}, {text: door, on_tap: {power: toggle}}]}
      - {widget: timer, area: timer, name: tea, duration: 4m, presets: [1m, 10m]}
      - widget: pages
        area: pages
        name: turn
        children:
          - {widget: card, name: a, value: 1, on_tap: {page: b}}
          - {widget: empty, name: b, on_tap: {page: a}}
      - widget: card
        area: cards
        name: outer
        on_tap: {theme: night}
        children:
          - {widget: progress, name: bar, value: 3, on_tap: {brightness: 40%}}
          - {widget: progress, name: gone, value: 3, when: {value: 0}, on_tap: {brightness: 40%}}
      - widget: grid
        area: classic
        rows: 1
        columns: 2
        children:
          - {widget: label, text: x, position: below, children: [{widget: empty, name: in label, on_tap: {dismiss: all}}]}
          - widget: pill
            children: [{widget: empty, name: pill, on_tap: {page: a}}, {widget: empty, name: badge, on_tap: {page: b}}]
`

// TouchedWall builds a wall for tests of touches and runs f with it.
func TouchedWall(t *testing.T, yaml string, size image.Point, f func(d *Data, all *page.Pages)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		e := TestEnv()
		e.Look, e.Picture = look.Calm(true), size
		e.Notices = &kit.Notices{Kind: "card", Limit: 3}
		all := page.New(func() {})
		e.Pages, e.Timers = all.Begin(), timer.New(func() {}).Begin()
		d := NewDataIn(t, e, "background_color: black"+yaml, size)
		all.Commit(e.Pages)
		f(d, all)
	})
}

// TapAt taps at a point of the wall and returns the action.
func (d *Data) TapAt(p image.Point) (control.Action, bool) {
	a, _, ok := d.Tree.Touch(touch.Gesture{Kind: touch.Tap, From: p, At: p, Count: 1}, T0)
	return a, ok
}

// SwipeWall is a wall with pages and with swipe actions.
const SwipeWall = `
widgets:
  - widget: pages
    margin: 0
    dwell: 30s
    transition: {kind: slide, duration: 600ms}
    children:
      - {widget: empty, name: red, color: red, on_swipe: {up: {theme: day}}}
      - {widget: empty, name: green, color: lime, on_hold: {power: "off"}}
      - {widget: empty, name: blue, color: blue, on_swipe: {left: {theme: night}}}
`

// Finger sends a gesture and returns its action. The parameter `from` is the start of the gesture, `at` is its current position, and `now`
// is the time since T0.
func (d *Data) Finger(k touch.Kind, to touch.Direction, from, at image.Point, now time.Duration) (control.Action, bool) {
	a, _, ok := d.Tree.Touch(touch.Gesture{Kind: k, To: to, From: from, At: at}, T0.Add(now))
	return a, ok
}
