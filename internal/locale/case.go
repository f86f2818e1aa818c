package locale

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// bare are the Greek capitals without the accent, which Greek leaves out of words in capitals.
var bare = strings.NewReplacer("Ά", "Α", "Έ", "Ε", "Ή", "Η", "Ί", "Ι", "Ό", "Ο", "Ύ", "Υ", "Ώ", "Ω", "Ϊ́", "Ϊ", "Ϋ́", "Ϋ")

// Upper returns a text in capitals, as the language writes it: İ of i in Turkish and Azerbaijani, no accents in Greek, SS of ß.
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

// Capital returns a text with a capital first letter. Greek keeps its accent there.
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
