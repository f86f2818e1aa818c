package config

import (
	"dashboard/internal/spelling"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// Severity distinguishes errors from warnings. If a configuration has an error, it is not used.
type Severity uint8

// The severities. The zero value is Error, so that a forgotten severity is not treated as a warning.
const (
	Error Severity = iota
	Warning
)

// String returns "error" or "warning".
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// MarshalText returns the name of the severity, for JSON.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Codes of the diagnostics that some callers handle separately.
const (
	CodeUnknownKey   = "unknown-key"   // a key that no field reads
	CodeDuplicateKey = "duplicate-key" // the same key twice in a mapping
	CodeOldName      = "old-name"      // both an old and a new name of a key in a mapping
	CodeIgnored      = "ignored"       // accepted for compatibility but without an effect
	CodeTolerated    = "tolerated"     // an error that does not affect the rest of the wall, so the wall is shown
	CodeHash         = "hash-comment"  // an unquoted #rrggbb, which YAML reads as a comment
)

// A Diagnostic is one error or warning at a position in a file.
type Diagnostic struct {
	File     string   `json:"file"`
	Line     int      `json:"line,omitempty"`   // line; the first is 1. 0: the diagnostic is about the whole file
	Column   int      `json:"column,omitempty"` // column in characters; the first is 1
	Path     string   `json:"path,omitempty"`   // path of the value, such as widgets[0].color
	Severity Severity `json:"severity"`
	Code     string   `json:"code,omitempty"`
	Message  string   `json:"message"`
	Near     string   `json:"near,omitempty"` // suggestion: the most similar valid word
}

// Place returns "file:line:column". Parts that are not known are left out.
func (d Diagnostic) Place() string { return position(d.File, d.Line, d.Column) }

// Words returns "path: message; near: word". Empty parts are left out. For a long path, only the last key is shown.
func (d Diagnostic) Words() string {
	if d.Path == "" {
		return d.text()
	}
	return shortPath(d.Path) + ": " + d.text()
}

// String returns "file:line:column: path: message; near: word". Empty parts are left out. For a long path, only the last key is shown.
func (d Diagnostic) String() string { return d.Place() + ": " + d.Words() }

func (d Diagnostic) text() string {
	if d.Near == "" {
		return d.Message
	}
	return d.Message + "; near: " + d.Near
}

// maxDiagnostics is the maximum number of diagnostics in a report. Otherwise, a file with a million errors could fill the memory.
const maxDiagnostics = 200

// A Report collects the errors and warnings for all files of one load. The zero value is ready to
// use. A Report must not be used by several goroutines at the same time.
type Report struct {
	list    []Diagnostic
	seen    map[Diagnostic]bool
	sources map[string][]string // lines of each file, by the file's name, for Pretty
	errors  int                 // number of added errors, including repeated and dropped errors
	dropped int
}

// Add adds a diagnostic, unless the report already contains it (even with another path) or is full. Add counts every error, also an error
// that it does not add.
func (r *Report) Add(d Diagnostic) {
	if d.Severity == Error {
		r.errors++ // count a repeated error too, because callers compare the count before and after a call
	}
	same := d
	same.Path = ""
	if r.seen[same] {
		return
	}
	if len(r.list) >= maxDiagnostics {
		r.dropped++
		return
	}
	if r.seen == nil {
		r.seen = make(map[Diagnostic]bool)
	}
	r.seen[same] = true
	r.list = append(r.list, d)
}

// Errorf adds an error at a node.
func (r *Report) Errorf(at *Node, format string, args ...any) {
	r.Add(diagnose(at, Error, fmt.Sprintf(format, args...)))
}

// Warnf adds a warning at a node.
func (r *Report) Warnf(at *Node, format string, args ...any) {
	r.Add(diagnose(at, Warning, fmt.Sprintf(format, args...)))
}

// Tolerate adds a warning about an error that the wall tolerates for compatibility. A stricter
// check changes the warning to an error with Promote.
func (r *Report) Tolerate(at *Node, format string, args ...any) {
	d := diagnose(at, Warning, fmt.Sprintf(format, args...))
	d.Code = CodeTolerated
	r.Add(d)
}

// TolerateIn changes the errors inside of a value to tolerated warnings. It returns the first of these errors, or nil.
func (r *Report) TolerateIn(at *Node) error {
	var first error
	left := r.dropped // dropped errors remain errors, because their positions are not known
	for i, d := range r.list {
		rest, inside := strings.CutPrefix(d.Path, at.path)
		if d.Severity != Error || d.File != at.file || !inside || rest != "" && rest[0] != '.' && rest[0] != '[' {
			if d.Severity == Error {
				left++
			}
			continue
		}
		r.list[i].Severity, r.list[i].Code = Warning, CodeTolerated
		if first == nil {
			first = errors.New(d.text())
		}
	}
	r.errors = left
	return first
}

// Near adds an error about a word that is not in the list `words`. The most similar word in the list is the suggestion.
func (r *Report) Near(at *Node, word string, words []string, format string, args ...any) {
	d := diagnose(at, Error, fmt.Sprintf(format, args...))
	d.Near = spelling.Nearest(word, words)
	r.Add(d)
}

func diagnose(at *Node, s Severity, message string) Diagnostic {
	if s == Error && at.Kind() == String && !at.secret && curlyQuotes(at.text) {
		message += `; the signs “ and ” are a part of the text here: write " for a quote`
	}
	if at != nil && at.origin != "" {
		message += " (from " + at.origin + ")"
	}
	if at != nil && at.used != "" {
		message += " (used at " + at.used + ")"
	}
	return Diagnostic{File: at.File(), Line: at.Line(), Column: at.Column(), Path: at.Path(), Severity: s, Message: message}
}

// Promote changes the warnings with the given code to errors. It is for checks that are stricter than the start of a wall.
func (r *Report) Promote(code string) {
	for i, d := range r.list {
		if d.Code == code && d.Severity == Warning {
			r.list[i].Severity = Error
			r.errors++
		}
	}
}

// Failed reports whether there is any error.
func (r *Report) Failed() bool { return r.errors > 0 }

// Diagnostics returns all diagnostics, grouped by file. The files are in the order in which their first diagnostics were added. The
// diagnostics of a file are sorted by line and column. The caller owns the slice.
func (r *Report) Diagnostics() []Diagnostic {
	files := make(map[string]int)
	for _, d := range r.list {
		if _, ok := files[d.File]; !ok {
			files[d.File] = len(files)
		}
	}
	list := slices.Clone(r.list)
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i], list[j]
		if a.File != b.File {
			return files[a.File] < files[b.File]
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return a.Column < b.Column
	})
	return list
}

// Errors returns only the errors, in the order of Diagnostics.
func (r *Report) Errors() []Diagnostic { return r.only(Error) }

// Warnings returns only the warnings, in the order of Diagnostics.
func (r *Report) Warnings() []Diagnostic { return r.only(Warning) }

func (r *Report) only(s Severity) []Diagnostic {
	return slices.DeleteFunc(r.Diagnostics(), func(d Diagnostic) bool { return d.Severity != s })
}

// Err returns nil if there is no error. Otherwise it returns an error whose text has a line for each error.
func (r *Report) Err() error {
	if !r.Failed() {
		return nil
	}
	var lines []string
	for _, d := range r.Errors() {
		lines = append(lines, d.String())
	}
	if r.dropped > 0 {
		lines = append(lines, r.more())
	}
	return errors.New(strings.Join(lines, "\n"))
}

// String returns a line for each diagnostic. The line of a warning contains the word warning.
func (r *Report) String() string {
	var b strings.Builder
	for _, d := range r.Diagnostics() {
		if d.Severity == Warning {
			d.Message = "warning: " + d.Message
		}
		b.WriteString(d.String())
		b.WriteByte('\n')
	}
	if r.dropped > 0 {
		b.WriteString(r.more() + "\n")
	}
	return b.String()
}

func (r *Report) more() string { return fmt.Sprintf("and %d more", r.dropped) }

// Source stores the lines of a file, so that Pretty can show them. `file` is the file's name in diagnostics.
func (r *Report) Source(file string, data []byte) {
	if r.sources == nil {
		r.sources = make(map[string][]string)
	}
	if !utf8.Valid(data) {
		data = latin1(data)
	}
	r.sources[file] = strings.Split(string(plainBreaks(data)), "\n")
}

// yamlBreaks replaces each line break of YAML 1.1 by a line feed.
var yamlBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// plainBreaks returns `data` with a line feed instead of each line break. The numbers of the lines then agree with the line numbers of the
// parser.
func plainBreaks(data []byte) []byte { return []byte(yamlBreaks.Replace(string(data))) }
