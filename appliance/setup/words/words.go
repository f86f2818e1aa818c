// Package words contains the sentences of the set-up in several languages. The wall and the pages use the same sentences.
package words

import (
	"embed"
	"fmt"
	"strings"
)

//go:embed *.txt
var files embed.FS

// Languages are the languages of the set-up, in the order of the list on the page.
var Languages = []string{"en", "de", "fr", "es", "zh", "ar"}

// More lists further languages of the wall, with their names. Japanese and Korean are not in the list, because the card has no font for
// them.
var More = [][2]string{
	{"bg", "Български"}, {"cs", "Čeština"}, {"da", "Dansk"}, {"el", "Ελληνικά"}, {"et", "Eesti"}, {"fi", "Suomi"}, {"hr", "Hrvatski"},
	{"hu", "Magyar"}, {"it", "Italiano"}, {"lt", "Lietuvių"}, {"lv", "Latviešu"}, {"nb", "Norsk bokmål"},
	{"nl", "Nederlands"}, {"pl", "Polski"}, {"pt", "Português"}, {"ro", "Română"}, {"ru", "Русский"}, {"sk", "Slovenčina"},
	{"sl", "Slovenščina"}, {"sv", "Svenska"}, {"tr", "Türkçe"}, {"uk", "Українська"}, {"vi", "Tiếng Việt"},
}

// OnWall returns the language of the wall for a person with the given language. It returns English if the card has no font for the
// language.
func OnWall(language string) string {
	switch language {
	case "zh", "ar":
		return "en"
	}
	return language
}

// A Book contains the sentences of one language.
type Book struct {
	Language string // one of Languages
	text     map[string]string
}

// In returns the sentences of a language, such as "de" or "de-AT". If the language is not supported, it returns the English sentences.
func In(language string) Book {
	short, _, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(language, "_", "-")), "-")
	for _, l := range Languages {
		if l == short {
			return read(l)
		}
	}
	return read(Languages[0])
}

func read(language string) Book {
	b := Book{Language: language, text: map[string]string{}}
	data, err := files.ReadFile(language + ".txt")
	if err != nil {
		panic(err) // the file is part of the program
	}
	for line := range strings.Lines(string(data)) {
		if key, text, ok := strings.Cut(line, " = "); ok {
			b.text[key] = strings.TrimSpace(text)
		}
	}
	return b
}

// Say returns the sentence of a key. The values replace each %s in the sentence. An unknown key is returned unchanged.
func (b Book) Say(key string, values ...any) string {
	text, ok := b.text[key]
	if !ok {
		return key
	}
	if len(values) == 0 {
		return text
	}
	return fmt.Sprintf(text, values...)
}

// Right reports whether the language is written from right to left.
func (b Book) Right() bool { return b.Language == "ar" }
