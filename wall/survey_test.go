package wall

import (
	"encoding/json"
	"fmt"
	"image"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"dashboard/wall/excerpt"
)

// GET /widgets lists the widgets with their positions in the picture, their lines in the files, and the values of their providers.
func TestSurvey(t *testing.T) {
	source := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"text": "%s"}`, strings.Repeat("ä", 200))
	}))
	defer source.Close()
	port := freePort(t)
	p := start(t, port, files{
		"conf.yaml":      wallConf(port, ""),
		"providers.yaml": "providers:\n  words: {type: rest, url: \"" + source.URL + "\"}\n",
		"widgets.yaml": `widgets:
  - widget: grid
    rows: 3
    children:
      - {widget: empty, color: red}
      - widget: provider
        name: speech
        providers: [words]
        data_path: text
      - {widget: text, text: !data '"\(.words.text) \(.now)"'}
`})
	p.serves("/frame", 200)
	type found struct {
		Kind, Name, File    string
		First               int `json:"first_line"`
		Last                int `json:"last_line"`
		X, Y, Width, Height int
		Providers           []struct {
			Name, Value string
			Age         *int    `json:"seconds_since_value"`
			Error       *string `json:"error"`
		}
	}
	var got struct {
		Success       bool
		Width, Height int
		Widgets       []found
	}
	eventually(t, "the provider's value is told", func() bool {
		status, body := p.get("/widgets")
		if status != 200 || json.Unmarshal([]byte(body), &got) != nil || len(got.Widgets) != 4 {
			t.Fatalf("got %d %s", status, body)
		}
		s := got.Widgets[2].Providers
		return len(s) == 1 && s[0].Age != nil && s[0].Value != "" && len(got.Widgets[3].Providers) == 1 && got.Widgets[3].Providers[0].Name == "words"
	})
	if !got.Success || got.Width != testW || got.Height != testH {
		t.Errorf("got %dx%d, want %dx%d", got.Width, got.Height, testW, testH)
	}
	for i, want := range []string{"grid grid widgets.yaml:2-10", "empty empty widgets.yaml:5-5", "provider speech widgets.yaml:6-9", "text text widgets.yaml:10-10"} {
		w := got.Widgets[i]
		if text := fmt.Sprintf("%s %s %s:%d-%d", w.Kind, w.Name, w.File, w.First, w.Last); text != want {
			t.Errorf("got %q, want %q", text, want)
		}
	}
	w := got.Widgets[2]
	if at := image.Rect(w.X, w.Y, w.X+w.Width, w.Y+w.Height); at != image.Rect(0, testH/3, testW, 2*testH/3) {
		t.Errorf("speech is at %v", at)
	}
	if s := w.Providers[0]; s.Name != "words" || !strings.HasPrefix(s.Value, `{"text":"ä`) || len(s.Value) > excerpt.ExcerptBytes+len("…") {
		t.Errorf("got provider %+v", s)
	}
}

// GET /widgets requires the control token.
func TestSurveyNeedsTheControlToken(t *testing.T) {
	port := freePort(t)
	conf := strings.Replace(wallConf(port, ""), "server:\n", "server:\n  auth: {control_token: secret}\n", 1)
	p := start(t, port, files{"conf.yaml": conf, "widgets.yaml": plainWall("red")})
	p.serves("/frame", 200)
	if status, _ := p.get("/widgets"); status != 401 {
		t.Errorf("without a token: got %d, want 401", status)
	}
	if status, _ := p.get("/widgets", "Authorization", "Bearer secret"); status != 200 {
		t.Errorf("with the token: got %d, want 200", status)
	}
}

// TestSurveyWarns checks that GET /widgets lists possible problems of a value in the entry of its source.
func TestSurveyWarns(t *testing.T) {
	port := freePort(t)
	p := start(t, port, files{"conf.yaml": wallConf(port, ""), "providers.yaml": "providers:\n  family: {type: calendar, calendars: [{name: A, path: a.ics}]}\n",
		"a.ics": mixedCalendar, "widgets.yaml": "widgets:\n  - {widget: agenda, provider: family}\n"})
	eventually(t, "the unknown time zone is listed", func() bool {
		_, body := p.get("/widgets")
		return strings.Contains(body, `"warnings":["A: unknown time zone \"Mars/Olympus\"`)
	})
}
