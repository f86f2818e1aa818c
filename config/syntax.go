package config

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// For a syntax error, the YAML library reports only a line, which is often the first line of the surrounding block. This file finds a
// better position. Usually this is the byte at which the library stopped reading. If the lines above that byte are already invalid, the
// position is the nearest line whose preceding lines are valid.

// maxSyntaxTries is the maximum number of times that a part of the file is parsed again.
const maxSyntaxTries = 60

var linePrefix = regexp.MustCompile(`^(?:yaml: )?(?:line \d+: )?`)

func syntaxDiagnostic(name string, data []byte, err error) Diagnostic {
	d := Diagnostic{File: name}
	var second secondDocument
	if errors.As(err, &second) {
		d.Line, d.Column, d.Message = second.line, second.column, "not valid here: "+err.Error()
		return d
	}
	if at := badUTF8(data); at >= 0 {
		d.Line, d.Column = lineColumn(data, at)
		d.Message = "not valid YAML: the file is not UTF-8 text (save it as UTF-8; the sign here is of another encoding)"
		return d
	}
	data = plainBreaks(data)
	d.Line, d.Column = locate(data)
	d.Message = "not valid YAML: " + linePrefix.ReplaceAllString(err.Error(), "")
	if m, ok := findMistake(data, d.Line, d.Message); ok {
		d.Line, d.Column, d.Message = m.line, m.column, "not valid YAML: "+m.text
		return d
	}
	d.Line, d.Column = refine(data, d)
	if hint := syntaxHint(data, d.Line, d.Message); hint != "" {
		d.Message += " (" + hint + ")"
	}
	return d
}

var unknownAnchor = regexp.MustCompile(`unknown anchor '([^']+)'`)

// refine returns a better position for a diagnostic. If the message is about a certain character, refine returns the position of this
// character.
func refine(data []byte, d Diagnostic) (line, column int) {
	if tab := strings.IndexByte(lineText(data, d.Line), '\t'); tab >= 0 && strings.Contains(d.Message, "cannot start any token") {
		return d.Line, 1 + utf8.RuneCountInString(lineText(data, d.Line)[:tab])
	}
	if m := unknownAnchor.FindStringSubmatch(d.Message); m != nil {
		if at := bytes.Index(data, []byte("*"+m[1])); at >= 0 {
			return lineColumn(data, at)
		}
	}
	if strings.Contains(d.Message, "mapping values are not allowed") {
		text := []rune(lineText(data, d.Line))
		before := string(text[:min(d.Column, len(text))])
		if at := strings.LastIndex(before, ":"); at >= 0 {
			return d.Line, 1 + utf8.RuneCountInString(before[:at])
		}
	}
	return d.Line, d.Column
}

// syntaxHint returns an explanation of a common mistake for the user, or "".
func syntaxHint(data []byte, line int, message string) string {
	text := lineText(data, line)
	blank := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
	value := strings.TrimSpace(text)
	if _, after, ok := strings.Cut(value, ": "); ok {
		value = strings.TrimSpace(after)
	}
	switch {
	case strings.Contains(blank, "\t"):
		return "indent with spaces: a tab cannot indent"
	case strings.Contains(message, "mapping values are not allowed"):
		return "quote a text that contains ': ', or check the indentation"
	case strings.HasPrefix(value, "{") && !strings.HasSuffix(value, "}"), strings.HasPrefix(value, "{{"):
		return "quote a text that begins with '{'"
	case strings.HasPrefix(value, "@"), strings.HasPrefix(value, "`"), strings.HasPrefix(value, "%"):
		return "quote a text that begins with '" + value[:1] + "'"
	case strings.Contains(message, "unknown anchor"):
		return "an alias needs its '&' anchor further up; quote a text that begins with '*'"
	}
	return ""
}

// locate returns the line and the column of a syntax error.
func locate(data []byte) (line, column int) {
	read := &countingReader{data: data}
	_, _ = decodeYAML(read) // the error is known, and read now contains the number of read bytes
	end := min(read.read, len(data))
	line, column = lineColumn(data, max(end-1, 0))
	first := line
	for n := 0; n < maxSyntaxTries && first > 1; n++ {
		if _, err := parseYAML(upTo(data, first-1)); err == nil {
			break
		}
		first--
	}
	if first < line {
		text := lineText(data, first)
		return first, 1 + len(text) - len(strings.TrimLeft(text, " "))
	}
	return line, max(column, 1)
}

// A countingReader returns one byte for each Read. Therefore, its count is the number of bytes that the parser has read.
type countingReader struct {
	data []byte
	read int
}

// Read implements io.Reader.
func (r *countingReader) Read(p []byte) (int, error) {
	if r.read >= len(r.data) {
		return 0, io.EOF
	}
	if len(p) == 0 {
		return 0, nil
	}
	p[0] = r.data[r.read]
	r.read++
	return 1, nil
}

// upTo returns the first n lines of a file.
func upTo(data []byte, n int) []byte {
	end := 0
	for ; n > 0; n-- {
		i := bytes.IndexByte(data[end:], '\n')
		if i < 0 {
			return data
		}
		end += i + 1
	}
	return data[:end]
}

func lineText(data []byte, line int) string {
	begin := len(upTo(data, line-1))
	text, _, _ := strings.Cut(string(data[begin:]), "\n")
	return text
}

// lineColumn converts the index of a byte in a file to a line and a column in characters.
func lineColumn(data []byte, at int) (line, column int) {
	before := data[:min(at, len(data))]
	line = 1 + bytes.Count(before, []byte("\n"))
	last := bytes.LastIndexByte(before, '\n') + 1
	return line, 1 + utf8.RuneCount(before[last:])
}

// badUTF8 returns the index of the first byte that is not UTF-8, or -1. For UTF-16 files with a
// byte order mark it returns -1, because the library can read them.
func badUTF8(data []byte) int {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return -1
	}
	for i := 0; i < len(data); {
		c, size := utf8.DecodeRune(data[i:])
		if c == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}
