package main

import (
	"strings"
	"testing"

	"dashboard/appliance/settings"
	"dashboard/internal/locale"
	"dashboard/render/text"
)

// The card has no fonts besides the built-in ones. These have all letters of the language that a country gives the wall.
func TestLanguagesHaveLetters(t *testing.T) {
	own, cache := 0, text.NewCache(1<<20)
	cache.SystemFonts() // none
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			s := settings.Default()
			s.WifiCountry = string([]rune{a, b})
			tag := locale.Machine(func(name string) string {
				if name == "LANG" {
					return s.Language("")
				}
				return ""
			})
			l, err := locale.Load(tag, nil)
			if err != nil {
				t.Fatalf("%s: %v", tag, err)
			}
			if !strings.HasPrefix(tag, "en") {
				own++
			}
			for _, letter := range l.Letters() {
				if letter >= ' ' && !cache.Covers(text.Inter(), letter) {
					t.Errorf("%s: the card has no font for %q", tag, letter)
					break
				}
			}
		}
	}
	if own < 30 {
		t.Errorf("got %d countries with a language of their own, want most of Europe and America", own)
	}
}
