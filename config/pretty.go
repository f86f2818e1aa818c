package config

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// The ANSI codes that Pretty uses: bold red, bold yellow, bold, and reset.
const (
	ansiError   = "\x1b[1;31m"
	ansiWarning = "\x1b[1;33m"
	ansiBold    = "\x1b[1m"
	ansiReset   = "\x1b[0m"
)

// Pretty writes each diagnostic together with its line of the file and a caret below the position. If `colors` is true, it uses ANSI
// colors.
func (r *Report) Pretty(w io.Writer, colors bool) error {
	var b strings.Builder
	for _, d := range r.Diagnostics() {
		r.pretty(&b, d, colors)
	}
	if r.dropped > 0 {
		b.WriteString(r.more() + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) pretty(b *strings.Builder, d Diagnostic, colors bool) {
	paint := func(code, text string) string {
		if !colors {
			return text
		}
		return code + text + ansiReset
	}
	mark := ansiError
	if d.Severity == Warning {
		mark = ansiWarning
	}
	message, more, _ := strings.Cut(d.Message, "\n")
	if d.Path != "" {
		message = shortPath(d.Path) + ": " + message
	}
	fmt.Fprintf(b, "%s: %s: %s\n", paint(ansiBold, position(d.File, d.Line, d.Column)), paint(mark, d.Severity.String()), printable(message))
	for line := range strings.Lines(more) {
		fmt.Fprintf(b, "%5s   %s\n", "", printable(strings.TrimSuffix(line, "\n")))
	}
	if line, ok := r.sourceLine(d.File, d.Line); ok {
		number := fmt.Sprintf("%5d", d.Line)
		fmt.Fprintf(b, "%s | %s\n", number, printable(line))
		fmt.Fprintf(b, "%5s | %s%s\n", "", underline(line, d.Column), paint(mark, "^"))
	}
	if d.Near != "" {
		fmt.Fprintf(b, "%5s = did you mean %s?\n", "", paint(ansiBold, d.Near))
	}
}

// shortPath shortens a long path to its last key. The line and the column of the diagnostic are enough to find the value.
func shortPath(path string) string {
	const longest = 40 // in characters
	if len(path) <= longest {
		return path
	}
	return path[strings.LastIndexByte(path, '.')+1:]
}

// sourceLine returns a line of a source file for the terminal, shortened if it is long. The second
// result is false if the line is not known.
func (r *Report) sourceLine(file string, line int) (string, bool) {
	const widest = 160 // in characters
	lines := r.sources[file]
	if line < 1 || line > len(lines) {
		return "", false
	}
	text := strings.TrimRight(lines[line-1], "\r\n")
	if runes := []rune(text); len(runes) > widest {
		text = string(runes[:widest]) + "…"
	}
	return text, true
}

// underline returns the spaces before a caret that marks a column. It copies the tabs of the line,
// so that the caret is below the right character with any tab width.
func underline(line string, column int) string {
	var b strings.Builder
	for i, c := range []rune(line) {
		if i >= column-1 {
			break
		}
		if c == '\t' {
			b.WriteByte('\t')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// printable() replaces the control characters in a text, because they could change the state of a terminal.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if c == '\t' || c >= ' ' && c != 0x7f && (c < 0x80 || c > 0x9f) {
			return c
		}
		return '\uFFFD'
	}, s)
}

// JSON returns the diagnostics as one JSON object:
// {"ok":bool,"diagnostics":[{"file":…,"line":…,"column":…,"path":…,
// "severity":"error"|"warning","code":…,"message":…,"near":…}],"more":n}.
func (r *Report) JSON() ([]byte, error) {
	out := struct {
		OK          bool         `json:"ok"`
		Diagnostics []Diagnostic `json:"diagnostics"`
		More        int          `json:"more,omitempty"`
	}{!r.Failed(), r.Diagnostics(), r.dropped}
	if out.Diagnostics == nil {
		out.Diagnostics = []Diagnostic{}
	}
	return json.Marshal(out)
}
