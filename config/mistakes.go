package config

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// This file finds the cause of a syntax error and explains it. The messages of the YAML parser often refer to a line far from the cause.

// A mistake is a cause of a syntax error: its position in the file and an explanation.
type mistake struct {
	line, column int // lines and columns begin at 1
	text         string
}

// maxLooked is the maximum number of lines around the parser's line in which the cause is searched.
const maxLooked = 200

// findMistake searches for a common mistake in the line where the parser stopped and in the lines around it. If it finds none, ok is
// false.
func findMistake(data []byte, line int, message string) (m mistake, ok bool) {
	lines := strings.Split(string(data), "\n")
	line = min(line, len(lines))
	for _, look := range []func(lines []string, line int) (mistake, bool){noBreak, curly} {
		if m, ok = look(lines, line); ok {
			return m, true
		}
	}
	if strings.Contains(message, "mapping values are not allowed") {
		if m, ok = deeper(lines, line); ok {
			return m, true
		}
		return noBlank(lines, line)
	}
	if strings.Contains(message, "unknown anchor") || strings.Contains(message, "cannot start any token") {
		return sign(lines, line) // the problem is a single character, not the indentation or a bracket
	}
	for _, look := range []func(lines []string, line int) (mistake, bool){program, sign, quote, colon, bracket, noBlank, indentation} {
		if m, ok := look(lines, line); ok {
			return m, true
		}
	}
	return mistake{}, false
}

// noBreaks lists no-break spaces, which YAML does not treat as spaces.
const noBreaks = "\u00a0\u2007\u202f"

// noBreak finds a no-break space in the indentation or after a colon or a dash. YAML reads it as a letter, so the parser may stop only in
// the next line.
func noBreak(lines []string, line int) (mistake, bool) {
	for i := line; i > 0 && i > line-2; i-- {
		text := lines[i-1]
		for at, c := range text {
			before := strings.TrimRight(text[:at], " ")
			if strings.ContainsRune(noBreaks, c) && (before == "" || strings.HasSuffix(before, ":") || strings.HasSuffix(before, "-")) {
				return mistake{i, runes(text, at), "a no-break space stands here: replace it with a space"}, true
			}
		}
	}
	return mistake{}, false
}

// curlyText matches a value that begins with a typographic quotation mark.
var curlyText = regexp.MustCompile(`[:,\[{-]\s*([“”„‘’])`)

// curly finds typographic quotation marks where YAML needs plain quotation marks.
func curly(lines []string, line int) (mistake, bool) {
	text := lines[line-1]
	at := curlyText.FindStringSubmatchIndex(text)
	if at == nil {
		return mistake{}, false
	}
	return mistake{line, runes(text, at[2]), fmt.Sprintf("the sign %s is no quote for YAML: write \"", text[at[2]:at[3]])}, true
}

// curlyQuotes reports whether a text begins and ends with typographic quotation marks.
func curlyQuotes(s string) bool {
	begin, _ := utf8.DecodeRuneInString(s)
	end, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune("“”„‘’", begin) && strings.ContainsRune("“”‘’", end)
}

// flowProgram matches an unquoted program in a mapping in braces, up to a comma or brace.
var flowProgram = regexp.MustCompile(`[{,].*?!data +([^'"\s][^,}]*)`)

// program searches mappings in braces for an unquoted program that contains a bracket or a quotation mark. YAML reads such a character as
// a part of its syntax.
func program(lines []string, line int) (mistake, bool) {
	text := lines[line-1]
	at := flowProgram.FindStringSubmatchIndex(text)
	if at == nil || !strings.ContainsAny(text[at[2]:at[3]], "[{\"") || strings.Contains(text[at[2]:at[3]], "'") {
		return mistake{}, false
	}
	return mistake{line, runes(text, at[2]), "a program with a bracket in it is put in quotes: !data '" + strings.TrimSpace(text[at[2]:at[3]]) + "'"}, true
}

// valueOf matches the part of a line after its key or dash.
var valueOf = regexp.MustCompile(`^\s*(?:- +)*(?:[\w.-]+\s*:\s+)?(.*)$`)

// signs matches a text that begins with a character with a special meaning in YAML. The characters @, ` and % always have a special
// meaning. The characters -, |, > and ? have it only before a space and more text. For *, the text must also end with *.
var signs = regexp.MustCompile("^(?:\\s*(?:- +)*[\\w.-]+\\s*:\\s+|.*[{\\[,]\\s*(?:[\\w.-]+\\s*:\\s+)?|\\s*- +)(?:([@`%])|([-|>?]) +[^#\\s]|(\\*)\\S*\\*\\s*$)")

// sign finds an unquoted text whose first character has a special meaning in YAML (see `signs`), so that the text needs quotation marks.
func sign(lines []string, line int) (mistake, bool) {
	text := lines[line-1]
	at := signs.FindStringSubmatchIndex(text)
	if at == nil {
		return mistake{}, false
	}
	begin := max(at[2], at[4], at[6])
	return mistake{line, runes(text, begin), "quote a text that begins with '" + text[begin:begin+1] + "'"}, true
}

// flowColon matches an unquoted value in braces that contains a colon and a space.
var flowColon = regexp.MustCompile(`[{,]\s*[\w.-]+: +([^,:{}\["'!&*#\s][^,:{}]*: [^,{}]*)[,}]`)

// keyInText matches a key behind the first words of a text, such as `seconds` in `clock seconds: raised`.
var keyInText = regexp.MustCompile(`^[^:]*\s([\w.-]+): `)

// colon finds a text that contains a colon and a space. YAML reads this colon as the end of a key.
func colon(lines []string, line int) (mistake, bool) {
	text := lines[line-1]
	at := flowColon.FindStringSubmatchIndex(text)
	if at == nil {
		return mistake{}, false
	}
	value := strings.TrimSpace(text[at[2]:at[3]])
	words := fmt.Sprintf("a text with ': ' in it is put in quotes: %q", value)
	if key := keyInText.FindStringSubmatch(value); key != nil {
		words += fmt.Sprintf("; or a comma is missing before %s", key[1])
	}
	return mistake{line, runes(text, at[2]), words}, true
}

// quote finds a quoted text that does not end on its line. It also finds a quoted text with more text after its end.
func quote(lines []string, line int) (mistake, bool) {
	text := lines[line-1]
	at := valueOf.FindStringSubmatchIndex(text)
	if at == nil || at[2] >= len(text) || text[at[2]] != '"' && text[at[2]] != '\'' {
		return mistake{}, false
	}
	mark, begin := text[at[2]], at[2]
	end := closing(text, begin)
	if end < 0 {
		return unended(text, line, begin), true
	}
	rest := strings.TrimSpace(text[end+1:])
	if rest == "" || strings.ContainsAny(rest[:1], "#,]}:") {
		return mistake{}, false
	}
	hint := `write \" for a quote in it`
	if mark == '\'' {
		hint = "write '' for an apostrophe in it, or put it into \"…\""
	}
	return mistake{line, runes(text, end), "the text ends at this quote, and more follows: " + hint}, true
}

// unended() returns the mistake for a quoted text without an end. `at` is the index of the mark that begins the text.
func unended(text string, line, at int) mistake {
	return mistake{line, runes(text, at), fmt.Sprintf("the text that begins here has no %c at its end", text[at])}
}

// closing returns the index of the quotation mark that ends a quoted text, or -1. `begin` is the index of the mark that begins the text.
func closing(text string, begin int) int {
	mark := text[begin]
	for i := begin + 1; i < len(text); i++ {
		switch {
		case mark == '"' && text[i] == '\\':
			i++
		case text[i] == mark && mark == '\'' && i+1 < len(text) && text[i+1] == mark:
			i++
		case text[i] == mark:
			return i
		}
	}
	return -1
}

var keyWithoutBlank = regexp.MustCompile(`^\s*(?:- +)*([A-Za-z_][\w-]*):([^\s:/].*)$`)

// noBlank finds a key whose colon has no space after it.
func noBlank(lines []string, line int) (mistake, bool) {
	for i := line; i > 0 && i > line-2; i-- {
		text := lines[i-1]
		if m := keyWithoutBlank.FindStringSubmatchIndex(text); m != nil && !strings.Contains(text, ": ") {
			key, value := text[m[2]:m[3]], strings.TrimSpace(text[m[4]:m[5]])
			return mistake{i, runes(text, m[3]), fmt.Sprintf("a space is missing after the colon: write %s: %s", key, value)}, true
		}
	}
	return mistake{}, false
}

// deeper() finds a key that is indented more than the key above it, although the key above already has a value.
func deeper(lines []string, line int) (mistake, bool) {
	before := previous(lines, line)
	text := lines[line-1]
	if before < 1 {
		return mistake{}, false
	}
	want, above := keyColumn(lines[before-1]), lines[before-1]
	at := strings.Index(above, ": ")
	if indent(text) <= want || at < 0 || strings.TrimSpace(above[at+1:]) == "" {
		return mistake{}, false
	}
	return mistake{line, 1 + indent(text), fmt.Sprintf("this line is indented by %d blanks, the key above it by %d (line %d), which has a value of its own", indent(text), want, before)}, true
}

// indentation finds a line whose indentation differs from that of all open lists and mappings above it. It also finds a key between the
// dashes of a list, and a dash between the keys of a mapping.
func indentation(lines []string, line int) (mistake, bool) {
	text := lines[line-1]
	if strings.TrimSpace(text) == "" {
		return mistake{}, false
	}
	own, dash := indent(text), strings.HasPrefix(strings.TrimLeft(text, " "), "-")
	levels := levelsBefore(lines, line)
	for _, l := range levels {
		switch {
		case l.column != own:
		case l.dash && !dash:
			return mistake{line, 1 + own, fmt.Sprintf("a '-' is missing here, as in line %d, or this line must be indented by %d blanks", l.line, own+2)}, true
		case !l.dash && dash:
			return mistake{line, 1 + own, fmt.Sprintf("a '-' begins an entry of a list, but line %d is a key: indent the list deeper than its key", l.line)}, true
		default:
			return mistake{}, false
		}
	}
	var around []string
	for _, l := range levels {
		around = append(around, fmt.Sprintf("%d (line %d)", l.column, l.line))
	}
	if len(around) == 0 {
		return mistake{}, false
	}
	return mistake{line, 1 + own, fmt.Sprintf("this line is indented by %d blanks; the lines above have %s", own, strings.Join(around, " or "))}, true
}

// A level is the column at which the dashes of a list or the keys of a mapping begin.
type level struct {
	column, line int
	dash         bool
}

// levelsBefore returns the levels that are open before a line, the deepest level first.
func levelsBefore(lines []string, line int) []level {
	var levels []level
	least := 1 << 30
	for i := line - 1; i > 0 && i > line-maxLooked; i-- {
		text := strings.TrimRight(lines[i-1], " \r")
		if bare := strings.TrimLeft(text, " "); bare == "" || bare[0] == '#' {
			continue
		}
		key, first := keyColumn(text), indent(text)
		if key < least && key != first {
			levels, least = append(levels, level{key, i, false}), key
		}
		if first < least {
			levels, least = append(levels, level{first, i, key != first}), first
		}
	}
	return levels
}

func indent(text string) int { return len(text) - len(strings.TrimLeft(text, " ")) }

// keyColumn returns the number of characters before the first key of a line. These characters are spaces and dashes.
func keyColumn(text string) int {
	at := indent(text)
	for strings.HasPrefix(text[at:], "- ") {
		at += 2 + indent(text[at+2:])
	}
	return at
}

// previous() returns the number of the nearest line above the given line. It skips empty lines and comments. If there is none, it returns
// 0.
func previous(lines []string, line int) int {
	for i := line - 1; i > 0; i-- {
		if bare := strings.TrimSpace(lines[i-1]); bare != "" && bare[0] != '#' {
			return i
		}
	}
	return 0
}

// runes() converts the index of a byte in a line to a column in characters. Columns begin at 1.
func runes(text string, at int) int { return 1 + utf8.RuneCountInString(text[:at]) }

// latin1 decodes a file that is not UTF-8 as ISO 8859-1, the most likely encoding. Messages can then show its lines.
func latin1(data []byte) []byte {
	var b bytes.Buffer
	for len(data) > 0 {
		c, size := utf8.DecodeRune(data)
		if c == utf8.RuneError && size == 1 {
			c = rune(data[0])
		}
		b.WriteRune(c)
		data = data[size:]
	}
	return b.Bytes()
}
