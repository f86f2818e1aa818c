package cli

import "strings"

// ShellWord returns a word for the command line of a shell, in quotation marks if needed.
func ShellWord(word string) string {
	if !strings.ContainsAny(word, " \t\n\"'\\$&;|<>()*?#~`") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
