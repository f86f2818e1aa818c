package wall

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestSpoken checks that GET /text returns the text of the shown page, or of all pages, in the language of the wall. Notifications come
// first.
func TestSpoken(t *testing.T) {
	port := freePort(t)
	p := start(t, port, files{
		"conf.yaml": wallConf(port, "locale: de-DE\ntimezone: UTC\nnotifications: card\naccessibility: {announce: all}\n"),
		"widgets.yaml": `theme: calm
widgets:
  - widget: pages
    dwell: 24h
    children:
      - {widget: card, name: teich, title: Teich, value: 21.5, unit: °C}
      - {widget: card, name: schuppen, title: Schuppen, value: 3}
`,
	})
	p.serves("/frame", 200)
	var got struct {
		Language, Announce, Pages string
		Parts                     []struct{ Tone, Text, Notice, Widget string }
	}
	status, body := p.get("/text", "Accept", "application/json")
	if err := json.Unmarshal([]byte(body), &got); err != nil || status != 200 {
		t.Fatal(status, body, err)
	}
	if got.Language != "de-DE" || got.Announce != "all" || got.Pages != "Seite 1 von 2" || len(got.Parts) != 2 || got.Parts[0].Text != "Teich" || got.Parts[1].Text != "21,5°C." {
		t.Errorf("got %s", body)
	}
	if _, all := p.get("/text?pages=all"); !strings.Contains(all, "## teich\n") || !strings.Contains(all, "### Schuppen\n3.\n") {
		t.Errorf("all pages read as %q", all)
	}
	if status, said := p.post("/notify", `{"title": "Wäsche", "text": "Die Wäsche ist fertig", "id": "w", "duration": 86400}`); status != 200 {
		t.Fatal(status, said)
	}
	eventually(t, "the notification is read first", func() bool {
		_, body := p.get("/text", "Accept", "application/json")
		got.Parts = nil
		return json.Unmarshal([]byte(body), &got) == nil && len(got.Parts) > 3 && got.Parts[0].Text == "Mitteilung" && got.Parts[0].Notice == "w" &&
			strings.HasSuffix(got.Parts[1].Text, ": Wäsche.") && got.Parts[2].Text == "Die Wäsche ist fertig."
	})
}
