package speech_test

import (
	"strings"
	"testing"
	"time"

	"dashboard/widgets/kit/speech"
	"dashboard/widgets/walltest"
)

// TestSpeechIsBounded checks that texts and parts beyond the limits are dropped, and that the rest stays complete.
func TestSpeechIsBounded(t *testing.T) {
	s := &speech.Speech{}
	l := walltest.TestLocale(t, "en-GB")
	s.Begin(l, time.UTC, walltest.T0, false)
	for range 2 * speech.MaxParts {
		s.Say(speech.Sentence, "x")
	}
	if n := len(s.Parts()); n != speech.MaxParts {
		t.Errorf("got %d parts, want %d", n, speech.MaxParts)
	}
	s.Begin(l, time.UTC, walltest.T0, false)
	for range 100 {
		s.Say(speech.Sentence, strings.Repeat("long ", 1000))
	}
	s.Say(speech.Sentence, strings.Repeat("y", 2*speech.MaxBytes))
	if n := len(s.AppendText(nil)); n < speech.MaxBytes/2 || n > speech.MaxBytes+speech.MaxBytes/16 {
		t.Errorf("got %d bytes, want at most about %d", n, speech.MaxBytes)
	}
	s.Begin(l, time.UTC, walltest.T0, false)
	s.Say(speech.Item, "one\ntwo · three", "—")
	if got := string(s.AppendText(nil)); got != "- one two, three, No data.\n" {
		t.Errorf("got %q", got)
	}
}
