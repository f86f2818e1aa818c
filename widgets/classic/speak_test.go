package classic

import (
	"testing"
	"time"

	"dashboard/widgets/kit"
	"dashboard/widgets/kit/speech"
	"dashboard/widgets/walltest"
)

// All widgets of this package implement speech.Speaker.
var _ = []speech.Speaker{
	(*label)(nil), (*pill)(nil), (*flip)(nil), (*scheduleFlip)(nil), (*dateClock)(nil), (*empty)(nil), (*choice)(nil), (*reading)(nil), (*barChart)(nil),
	(*fetchedImage)(nil), (*notifiableText)(nil), (*notifiableImage)(nil), kit.TextWidget{},
}

// TestSpokenClassic checks the descriptions of classic widgets. The text of a label is the heading of its child. The name of the child's
// kind is then not read.
func TestSpokenClassic(t *testing.T) {
	for file, want := range map[string]string{
		"{widget: label, text: Pond, children: [{widget: text, text: '21 °C'}]}": "## Pond\n21 °C.\n",
		"{widget: text, text: Hello}": "## Text\nHello.\n",
		"{widget: grid, columns: 2, children: [{widget: text, text: One}, {widget: text, text: Two}]}": "## Text\nOne.\nTwo.\n",
		"{widget: flip, children: [{widget: text, text: One}, {widget: text, text: Two}]}":             "## Text\nOne.\n",
		"{widget: pill, children: [{widget: empty, color: red}, {widget: text, text: New}]}":           "## Text\nNew.\n",
		"{widget: dateclock}": "## Clock\n12:34, Saturday, November 21.\n",
		"{widget: notifiabletext, name: news, children: [{widget: label, text: Pond, children: [{widget: text, text: a}]}]}": "## Pond\na.\n",
	} {
		w := walltest.Build(t, walltest.TestEnv(), "widgets: ["+file+"]", walltest.PanelWall)
		walltest.PaintOnce(w, walltest.PanelWall, walltest.T0)
		s := &speech.Speech{}
		s.Begin(walltest.TestLocale(t, "en-GB"), time.UTC, walltest.T0, false)
		w.Speak(s)
		if got := string(s.AppendText(nil)); got != want {
			t.Errorf("%s: got %q, want %q", file, got, want)
		}
	}
}
