package locale

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// `bare` maps Greek capital letters with accents to letters without accents. Greek words in capitals are written without accents.
var bare = strings.NewReplacer("Ά", "Α", "Έ", "Ε", "Ή", "Η", "Ί", "Ι", "Ό", "Ο", "Ύ", "Υ", "Ώ", "Ω", "Ϊ́", "Ϊ", "Ϋ́", "Ϋ")

// Upper converts a text to capitals by the rules of the language. For example, i becomes İ in Turkish and Azerbaijani, Greek letters lose
// their accents, and ß becomes SS.
func (l *Locale) Upper(s string) string {
	switch l.Language {
	case "tr", "az":
		return strings.ToUpperSpecial(unicode.TurkishCase, s)
	case "el":
		s = strings.NewReplacer("ΐ", "Ϊ", "ΰ", "Ϋ").Replace(s)
		return bare.Replace(strings.ToUpper(s))
	}
	return strings.ToUpper(strings.ReplaceAll(s, "ß", "SS"))
}

// Capital converts the first letter of a text to a capital. A Greek first letter keeps its accent.
func (l *Locale) Capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	up := unicode.ToUpper(r)
	if l.Language == "tr" || l.Language == "az" {
		up = unicode.TurkishCase.ToUpper(r)
	}
	if n == 0 || up == r {
		return s
	}
	return string(up) + s[n:]
}
