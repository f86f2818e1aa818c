package draft

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"dashboard/wall/draft/words"
)

// maxWords is the maximum number of changes in a summary.
const maxWords = 3

// summary returns a short description of a save, such as "Calendar: days 5, new source solar".
func (v *Version) summary() string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(v.Files)) {
		s := v.Files[name]
		changes := words.Of(document(name, []byte(s.Before)), document(name, []byte(s.After)))
		if s.New || len(changes) == 0 {
			changes = []string{name}
		}
		list = append(list, changes...)
	}
	if more := len(list) - maxWords; more > 0 {
		list = append(list[:maxWords], itoa(more)+" more")
	}
	text := strings.Join(list, ", ")
	first, n := utf8.DecodeRuneInString(text)
	word, _, _ := strings.Cut(text, ",")
	if _, file := v.Files[word]; file || first == utf8.RuneError {
		return text // the name of a file keeps its spelling
	}
	return string(unicode.ToUpper(first)) + text[n:]
}
