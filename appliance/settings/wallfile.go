package settings

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"dashboard/appliance/about"
	"dashboard/internal/spelling"
)

// A line of YAML may contain a secret behind the name of its key, or behind "://" in an address. The end of the line is then hidden,
// unless the value has the tag !secret.
var (
	anyKey      = regexp.MustCompile(`[\pL\w.-]+["']?[ \t]*:[ \t]*`)
	secretPart  = regexp.MustCompile(`(?i)pass|tok|secr|key|auth|bear|cookie|cred`)
	blockBegins = regexp.MustCompile(`^(?:!\S+[ \t]+)?[|>][-+\d]*[ \t]*(?:#.*)?$`)
	secretInURL = regexp.MustCompile(`://[^/\s@]+@|[?&][\w.-]+=`)
	keyInLine   = regexp.MustCompile(`^[ \t-]*["']?[\w.-]+["']?[ \t]*:(?:[ \t]|$)`)
	wordInLine  = regexp.MustCompile(`^[\w.-]+`)
	errTwoLines = errors.New("write one line")
	keyAlone    = regexp.MustCompile(`^[ \t-]*["']?[\w.-]+["']?[ \t]*:[ \t]+$`)
	keyName     = regexp.MustCompile(`[\w.-]+(["']?[ \t]*:[ \t])`)
)

// secretWords are the words in names of secret keys. A key with a similar word may be a misspelled secret key.
var secretWords = []string{"password", "passphrase", "token", "secret", "key", "bearer", "cookie", "credentials", "authorization"}

// secretsIn returns the end of each key in a line whose value may be a secret. A blank after the colon belongs to the key.
func secretsIn(line string) (ends []int) {
	noLetter := func(r rune) bool { return !unicode.IsLetter(r) }
	like := func(word string) bool { return word != "header" && spelling.Nearest(word, secretWords) != "" } // config_url has the key header
	for _, m := range anyKey.FindAllStringIndex(line, -1) {
		if key := line[m[0]:m[1]]; secretPart.MatchString(key) || slices.ContainsFunc(strings.FieldsFunc(key, noLetter), like) {
			ends = append(ends, m[1])
		}
	}
	return ends
}

// hideIn returns a line of YAML in which dots replace the secret at its end. It also returns this secret, or "".
func hideIn(line string) (shown, hidden string) {
	at := len(line)
	for _, end := range secretsIn(line) {
		if rest := line[end:]; rest != "" && !strings.HasPrefix(rest, "!secret ") {
			at = end
			break
		}
	}
	if m := secretInURL.FindStringIndex(line); m != nil && line[m[0]] == ':' {
		at = min(at, m[0]+len("://"))
	} else if m != nil {
		at = min(at, m[1])
	}
	if at == len(line) {
		return line, ""
	}
	return line[:at] + dots, line[at:]
}

// wallLine returns a line of a YAML file as the wall and the phone show it, with its secret. A blank replaces each tab, because YAML does
// not allow tabs before a key. A line that may be a part of a secret that begins above it is replaced by dots.
func wallLine(lines []string, i int) (shown, hidden string) {
	line := printable(strings.ReplaceAll(strings.TrimRight(lines[i], " \t"), "\t", " "))
	if strings.TrimSpace(line) != "" && secretAbove(lines, i) {
		return dots, line
	}
	return hideIn(line)
}

// secretAbove reports whether a line may be a part of a secret in several lines. A line without a key may be one if the nearest key above
// it or a key of a less indented line is a secret key. A line that looks like a key may be one if it is in a block scalar ("|" or ">").
func secretAbove(lines []string, i int) bool {
	keyed := keyInLine.MatchString(lines[i])
	nearest, depth := !keyed, depthOf(lines[i])
	for _, line := range slices.Backward(lines[:i]) {
		begins := func(end int) bool { return !keyed || blockBegins.MatchString(line[end:]) }
		secret := slices.ContainsFunc(secretsIn(line), begins)
		if !secret && !keyInLine.MatchString(line) {
			continue
		}
		d := depthOf(line)
		if secret && (nearest || d < depth) {
			return true
		}
		nearest, depth = false, min(depth, d)
	}
	return false
}

// depthOf returns the indentation of a line. An entry of a list is deeper than a key with the same indentation.
func depthOf(line string) int {
	rest := strings.TrimLeft(line, " \t")
	depth := 2 * (len(line) - len(rest))
	if strings.HasPrefix(rest, "-") {
		depth++
	}
	return depth
}

// WallRows returns a line of a YAML file of the wall, together with the lines before and after it. `column` is the position of the wrong
// word in characters, from 1, or 0. If there is no such line or the line is too long, WallRows returns nil.
func WallRows(file []byte, number, column int) (rows []about.Row) {
	lines := linesOf(file)
	if number < 1 || number > len(lines) || len(lines[number-1]) > maxLine {
		return nil
	}
	for i := max(number-2, 0); i <= min(number, len(lines)-1); i++ {
		r := about.Row{Number: i + 1, Wrong: i+1 == number}
		if r.Before, _ = wallLine(lines, i); !r.Wrong {
			if strings.TrimSpace(r.Before) == "" {
				continue
			}
			r.Before = cutRow(r.Before)
		} else if all := []rune(r.Before); column > 0 && column <= len(all) {
			r.Word = wordInLine.FindString(string(all[column-1:]))
			r.Before, r.After = string(all[:column-1]), strings.TrimPrefix(string(all[column-1:]), r.Word)
		}
		rows = append(rows, r)
	}
	return rows
}

// quoted matches a part of a sentence that repeats a value.
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// WallReason returns a sentence about a line of a YAML file of the wall without the secret in this line. Dots replace its quoted parts. If
// a word of the secret is left, the result is another sentence.
func WallReason(file []byte, number int, sentence string) string {
	lines := linesOf(file)
	if number < 1 || number > len(lines) {
		return sentence
	}
	_, hidden := wallLine(lines, number-1)
	if hidden == "" && secretsIn(lines[number-1]) == nil {
		return sentence
	}
	sentence = quoted.ReplaceAllString(sentence, dots)
	noWord := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	words := strings.FieldsFunc(sentence, noWord)
	hidden, _, _ = strings.Cut(hidden, " #") // no sentence contains the comment
	for _, w := range strings.FieldsFunc(hidden, noWord) {
		if slices.Contains(words, w) {
			return "the value in this line is not valid"
		}
	}
	return sentence
}

// keeps reports whether dots behind `before` may stand for the secret behind `old`. Both must end with a secret key. Only names of keys may
// differ, unless `before` is one key. Otherwise, an address in the same line could send the secret elsewhere.
func keeps(old, before string) bool {
	if before == old {
		return true
	}
	same := keyName.ReplaceAllString(before, "$1") == keyName.ReplaceAllString(old, "$1")
	return (same || keyAlone.MatchString(before)) && endsSecret(old) && endsSecret(before)
}

// endsSecret reports whether a text ends with a key whose value may be a secret.
func endsSecret(text string) bool {
	return slices.Contains(secretsIn(text), len(text))
}

// FixWall is like [Fix] for a YAML file of the wall. It keeps the indentation of `text`. Dots at the end of `text` stand for the secret of
// the old line, if they follow a secret key or "://" as in the old line.
func FixWall(file []byte, number int, was, text string) ([]byte, error) {
	lines := linesOf(file)
	if number < 1 || number > len(lines) {
		return nil, errChanged
	}
	shown, hidden := wallLine(lines, number-1)
	if shown != was {
		return nil, errChanged
	}
	text = strings.TrimRight(text, " \t")
	if strings.TrimSpace(text) == "" {
		text = "#" + lines[number-1]
	} else if before, ok := strings.CutSuffix(text, dots); ok && hidden != "" {
		if !keeps(strings.TrimSuffix(shown, dots), before) {
			return nil, errDots
		}
		text = before + hidden
	}
	switch {
	case strings.Contains(text, dots):
		return nil, errDots
	case strings.ContainsAny(text, "\r\n\x00"):
		return nil, errTwoLines
	}
	lines[number-1] = text
	return joined(lines, file), nil
}
