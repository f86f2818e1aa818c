package notify

import (
	"encoding/json"
	"errors"
	"image/color"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

var red = color.NRGBA{255, 0, 0, 255}

// onlyRed accepts only one color.
func onlyRed(v any) (color.NRGBA, error) {
	if v == "red" {
		return red, nil
	}
	return color.NRGBA{}, errors.New("not red")
}

func TestParse(t *testing.T) {
	r, err := Parse([]byte(`{"widget":"w","text":"a\tb\r\nc\u0000\u0007d\ud800","url":"https://h/p?q","duration":1.5,"color":"red","background_color":"redd","extra":[1]}`), onlyRed)
	if err != nil {
		t.Fatal(err)
	}
	if r.Widget != "w" || *r.Text != "a b\ncd\uFFFD" || r.URL != "https://h/p?q" || r.Duration != 1500*time.Millisecond || *r.Color != red || r.Background != nil {
		t.Errorf("got %+v with text %q", r, *r.Text)
	}
	if len(r.Notes) != 1 || r.Notes[0] != "background_color: not red" {
		t.Errorf("got notes %q, want one on the background", r.Notes)
	}
	if r, err = Parse([]byte(`{"widget":"w","color":null}`), onlyRed); err != nil || r.Text != nil || r.URL != "" || r.Duration != DefaultDuration || r.Color != nil || r.Notes != nil {
		t.Errorf("got %+v, %v, want what is not given to be empty", r, err)
	}
}

// Parse rejects each of these requests with an error. For most of these requests, Grydgets crashes or returns no error.
func TestParseRefuses(t *testing.T) {
	long := strings.Repeat("é", MaxText)
	for _, tc := range []struct{ name, body, key string }{
		{"nothing", ``, ""},
		{"null", `null`, ""},
		{"list", `[1]`, ""},
		{"text", `"widget"`, ""},
		{"number", `7`, ""},
		{"broken", `{"widget":"w"`, ""},
		{"more after it", `{"widget":"w"} x`, ""},
		{"no widget", `{"text":"t"}`, "widget"},
		{"widget null", `{"widget":null}`, "widget"},
		{"widget number", `{"widget":7}`, "widget"},
		{"widget list", `{"widget":["w"]}`, "widget"},
		{"widget object", `{"widget":{}}`, "widget"},
		{"text number", `{"widget":"w","text":7}`, "text"},
		{"text null", `{"widget":"w","text":null}`, "text"},
		{"text list", `{"widget":"w","text":["t"]}`, "text"},
		{"text too long", `{"widget":"w","text":"` + long + `x"}`, "text"},
		{"duration text", `{"widget":"w","duration":"5"}`, "duration"},
		{"duration null", `{"widget":"w","duration":null}`, "duration"},
		{"duration bool", `{"widget":"w","duration":true}`, "duration"},
		{"duration 0", `{"widget":"w","duration":0}`, "duration"},
		{"duration negative", `{"widget":"w","duration":-1}`, "duration"},
		{"duration too long", `{"widget":"w","duration":86400.1}`, "duration"},
		{"duration no number at all", `{"widget":"w","duration":1e999}`, "duration"},
		{"url null", `{"widget":"w","url":null}`, "url"},
		{"url empty", `{"widget":"w","url":""}`, "url"},
		{"url of a file", `{"widget":"w","url":"file:///etc/passwd"}`, "url"},
		{"url without host", `{"widget":"w","url":"http:///x"}`, "url"},
		{"url too long", `{"widget":"w","url":"http://h/` + strings.Repeat("x", MaxURL) + `"}`, "url"},
	} {
		r, err := Parse([]byte(tc.body), onlyRed)
		var k *KeyError
		if !errors.As(err, &k) || k.Key != tc.key {
			t.Errorf("%s: got %+v, %v, want an error about key %q", tc.name, r, err, tc.key)
		}
	}
	if r, err := Parse([]byte(`{"widget":"w","text":"`+long+`","duration":86400}`), onlyRed); err != nil || *r.Text != long || r.Duration != MaxDuration {
		t.Errorf("at the limits: got %v", err)
	}
	if r, err := Parse([]byte(`{"widget":"w","duration":1e-30}`), onlyRed); err != nil || r.Duration <= 0 {
		t.Errorf("next to nothing: got %v, %v, want some duration", r, err)
	}
}

func TestNotesAreShort(t *testing.T) {
	loud := func(v any) (color.NRGBA, error) { return red, errors.New(strings.Repeat("ü", 30_000)) }
	r, err := Parse([]byte(`{"widget":"w","color":"x"}`), loud)
	if err != nil || len(r.Notes[0]) > 200 || !utf8.ValidString(r.Notes[0]) {
		t.Errorf("got %v, want a short note", err)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		`{"widget":"w","text":"hello","duration":5,"color":"red","background_color":[1,2,3]}`,
		`{"widget":"w","url":"http://h/","text":"\ud800\u0000"}`, `null`, `[]`, `{"widget":{}}`, `{"duration":1e308}`, "{\"widget\":\"\xff\"}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		r, err := Parse(body, onlyRed)
		if err != nil {
			var k *KeyError
			if !errors.As(err, &k) || k.Error() == "" || r != nil {
				t.Fatalf("got %v and %v, want a KeyError alone", r, err)
			}
			return
		}
		if !json.Valid(body) || r.Duration <= 0 || r.Duration > MaxDuration {
			t.Fatalf("accepted %q as %+v", body, r)
		}
		if r.Text == nil {
			return
		}
		if !utf8.ValidString(*r.Text) || utf8.RuneCountInString(*r.Text) > MaxText {
			t.Fatalf("text %q", *r.Text)
		}
		for _, c := range *r.Text {
			if unicode.IsControl(c) && c != '\n' {
				t.Fatalf("control character %U", c)
			}
		}
	})
}
