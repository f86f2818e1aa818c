package words

import (
	"strings"
	"testing"
)

// Every language has every sentence, with as many values as in English.
func TestLanguages(t *testing.T) {
	english := In("en")
	for _, l := range Languages {
		b := In(l)
		if b.Language != l || len(b.text) != len(english.text) {
			t.Errorf("%s: got %d sentences of %s, want %d", l, len(b.text), b.Language, len(english.text))
		}
		for key, want := range english.text {
			got, ok := b.text[key]
			if !ok || got == "" {
				t.Errorf("%s: no sentence %q", l, key)
			}
			if strings.Count(got, "%s") != strings.Count(want, "%s") || strings.Count(got, "%") != strings.Count(got, "%s") {
				t.Errorf("%s: %s: got %q, want the values of %q", l, key, got, want)
			}
		}
	}
}

func TestIn(t *testing.T) {
	for tag, want := range map[string]string{"de": "de", "de-AT": "de", "zh_CN": "zh", "AR-eg": "ar", "": "en", "tlh": "en", "deu": "en"} {
		if got := In(tag).Language; got != want {
			t.Errorf("%q: got %s, want %s", tag, got, want)
		}
	}
	if got := In("en").Say("badge.join", "wall-7k3f", "maple-otter-42"); got != "To fix it, join wall-7k3f, password maple-otter-42" {
		t.Errorf("got %q", got)
	}
	if !In("ar").Right() || In("de").Right() {
		t.Error("only Arabic is written from right to left")
	}
}
