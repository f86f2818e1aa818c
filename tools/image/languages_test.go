package main

import (
	"strings"
	"testing"

	"dashboard/appliance/settings"
	"dashboard/appliance/setup/words"
	"dashboard/internal/locale"
	"dashboard/render/text"
)

// The card has only the built-in fonts. The country in the settings determines the wall's language. For every country, the fonts have all
// letters of this language.
func TestLanguagesHaveLetters(t *testing.T) {
	own, cache := 0, text.NewCache(1<<20)
	cache.SystemFonts() // use no fonts of this machine
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
			if letter := lacks(t, cache, tag); letter != 0 {
				t.Errorf("%s: the card has no font for %q", tag, letter)
			}
			if !strings.HasPrefix(tag, "en") {
				own++
			}
		}
	}
	if own < 30 {
		t.Errorf("got %d countries with a language of their own, want most of Europe and America", own)
	}
}

// A person chooses a language on the page of the setup. The card has all letters of this language, or the wall is in English.
func TestChosenLanguagesHaveLetters(t *testing.T) {
	cache := text.NewCache(1 << 20)
	cache.SystemFonts() // use no fonts of this machine
	all := words.Languages
	for _, l := range words.More {
		all = append(all, l[0])
	}
	for _, l := range all {
		if letter := lacks(t, cache, words.OnWall(l)); letter != 0 {
			t.Errorf("%s: the card has no font for %q", l, letter)
		}
		if words.OnWall(l) != l && lacks(t, cache, l) == 0 {
			t.Errorf("%s: the card has a font, but the wall is in English", l)
		}
	}
}

// lacks() returns a letter of the language `tag` that is in none of the built-in fonts, or 0 if the fonts have all letters.
func lacks(t *testing.T, cache *text.Cache, tag string) rune {
	t.Helper()
	l, err := locale.Load(tag, nil)
	if err != nil {
		t.Fatalf("%s: %v", tag, err)
	}
	for _, letter := range l.Letters() {
		if letter >= ' ' && !cache.Covers(text.Inter(), letter) {
			return letter
		}
	}
	return 0
}
