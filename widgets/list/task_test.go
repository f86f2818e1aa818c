package list

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"dashboard/render/icon"
	"dashboard/theme/look"
	"dashboard/widgets/walltest"
)

// shopping() returns tasks in all states.
func shopping() map[string]any {
	task := func(title string, done, waiting bool, problem any) map[string]any {
		return map[string]any{"task": "t:" + title, "title": title, "done": done, "waiting": waiting, "problem": problem}
	}
	all := []any{
		task("Milk", false, false, nil), task("Eggs from the market", true, true, nil), task("Bread", true, false, nil),
		task("Butter", false, false, "the task is not there any more"), task("Apples", false, true, nil),
	}
	return map[string]any{"tasks": append(all, map[string]any{"title": "New one", "done": false, "waiting": true})}
}

const shoppingList = "{widget: list, title: Shopping, icon: mdi:cart-outline, items: !data .p.tasks, item: {on_tap: done}}"

// TestTaskListGoldens draws tasks in all states. The states must differ visibly on landscape and upright screens of every size.
func TestTaskListGoldens(t *testing.T) {
	feed := walltest.Published(shopping())
	var scenes []walltest.Scene
	for _, size := range []image.Point{{320, 240}, {480, 320}, {800, 480}, {480, 800}} {
		scenes = append(scenes, walltest.Scene{Size: size, Picture: size, Widget: shoppingList, Feed: feed})
	}
	scenes = append(scenes, walltest.Scene{Size: image.Pt(640, 540), Picture: image.Pt(1920, 1080), Widget: shoppingList, Feed: feed})
	walltest.ModernSheet(t, "tasks", scenes)
}

// TestTaskTap checks that a tap requests the opposite state of a task, and that a task without an id has no action. It also checks the
// icon and the note of each state.
func TestTaskTap(t *testing.T) {
	file := "widgets: [{widget: list, card: false, padding: 0, margin: 0, items: !data .p.tasks, item: {on_tap: done}}]"
	walltest.ModernBubble(t, file, walltest.Scene{Size: image.Pt(400, 400)}, look.Calm(true), func(d *walltest.Data) {
		d.ByName["p"].Publish(shopping(), walltest.T0)
		d.Settle(d.T)
		d.Step(0)
		w := listIn(d)
		var all []string
		for _, r := range w.slots {
			if !r.used {
				continue
			}
			a, ok := d.TapAt(r.rect.Min.Add(image.Pt(5, 5)))
			all = append(all, fmt.Sprint(string(r.text.Raw), ok, a.Args.Text("action"), a.Args.Text("item"), r.from.v[partIcon], string(r.note.Raw)))
		}
		want := []string{
			"Milktruedonet:Milk" + iconOpen, "Eggs from the markettrueopent:Eggs from the market" + iconWaiting, "Breadtrueopent:Bread" + iconDone,
			"Buttertruedonet:Butter" + iconRefused + "the task is not there any more", "Applestruedonet:Apples" + iconReopening, "New onefalse" + iconReopening,
		}
		if got := strings.Join(all, "\n"); got != strings.Join(want, "\n") {
			t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
		}
	})
	for _, name := range []string{iconOpen, iconDone, iconWaiting, iconReopening, iconRefused} {
		if _, ok := icon.Lookup(strings.TrimPrefix(name, "mdi:")); !ok {
			t.Errorf("there is no icon %s", name)
		}
	}
}

// TestDoneWithoutTask checks that `on_tap: done` is an error if there is no task.
func TestDoneWithoutTask(t *testing.T) {
	for _, widget := range []string{"{widget: list, items: [{text: a, on_tap: done}]}", "{widget: text, text: a, on_tap: done}"} {
		if got := complaints(t, "widgets: ["+widget+"]"); !strings.Contains(got, "done is about the task") {
			t.Errorf("%s: got %q", widget, got)
		}
	}
}
