package widgets

import (
	"strings"
	"testing"
	"time"

	"dashboard/widgets/kit"
	"dashboard/widgets/walltest"
)

// TestSpeechIsBounded checks that texts and parts beyond the limits are dropped, and that the rest stays complete.
func TestSpeechIsBounded(t *testing.T) {
	s := &kit.Speech{}
	l := walltest.TestLocale(t, "en-GB")
	s.Begin(l, time.UTC, walltest.T0, false)
	for range 2 * kit.MaxParts {
		s.Say(kit.Sentence, "x")
	}
	if n := len(s.Parts()); n != kit.MaxParts {
		t.Errorf("got %d parts, want %d", n, kit.MaxParts)
	}
	s.Begin(l, time.UTC, walltest.T0, false)
	for range 100 {
		s.Say(kit.Sentence, strings.Repeat("long ", 1000))
	}
	s.Say(kit.Sentence, strings.Repeat("y", 2*kit.MaxSpeech))
	if n := len(s.AppendText(nil)); n < kit.MaxSpeech/2 || n > kit.MaxSpeech+kit.MaxSpeech/16 {
		t.Errorf("got %d bytes, want at most about %d", n, kit.MaxSpeech)
	}
	s.Begin(l, time.UTC, walltest.T0, false)
	s.Say(kit.Item, "one\ntwo · three", "—")
	if got := string(s.AppendText(nil)); got != "- one two, three, No data.\n" {
		t.Errorf("got %q", got)
	}
}
