package scene

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"dashboard/config"
	"dashboard/internal/folder"
	"dashboard/provider"
)

// TellSources reports the problems of the sources. A source gets an error if its last attempt failed, or if it has not answered. A push
// provider without a value is no error. A warning is reported for the parts of a value that cannot be used, and for a silent topic.
func (g *Generation) TellSources(files fs.FS, r *config.Report, all []provider.Status) {
	mask := g.Secrets.Mask()
	g.tellUnnamed(r, all, mask)
	g.tellPrograms(r, mask)
	for _, st := range all {
		def := g.defs[st.Name]
		if def == nil {
			continue
		}
		for _, w := range provider.Warnings(st.Value) {
			def.Warnf("", "%s", mask.Replace(w))
		}
		n, why := provider.LeftOut(st.Value)
		switch {
		case st.Err != nil && misread(r, files, st):
		case st.Err != nil:
			def.Errorf("", "%s", mask.Replace(st.Err.Error()))
		case st.Tried.IsZero() && st.Kind == "mqtt": // a topic may be silent for hours
			def.Warnf("", "%s", silence(st))
		case st.Tried.IsZero() && st.Kind != "push":
			def.Errorf("", "%s", silence(st))
		}
		if n > 0 {
			def.Warnf("", "entries left out: %d", n)
		}
		for _, w := range why {
			def.Warnf("", "%s", mask.Replace(w))
		}
	}
}

// notJSON matches the error that a provider of type file returns if its file is not JSON. The error contains the position.
var notJSON = regexp.MustCompile(`^(.+): not JSON: line (\d+), column (\d+): (.*)$`)

// misread reports that the file of a provider is not JSON, at the position of the problem. For
// other errors it does nothing and returns false.
func misread(r *config.Report, files fs.FS, st provider.Status) bool {
	m := notJSON.FindStringSubmatch(st.Err.Error())
	if m == nil || st.Kind != "file" {
		return false
	}
	line, _ := strconv.Atoi(m[2])
	column, _ := strconv.Atoi(m[3])
	if data, err := folder.Read(files, m[1], maxExcerptFile); err == nil {
		r.Source(m[1], data)
	}
	r.Add(config.Diagnostic{File: m[1], Line: line, Column: column, Message: fmt.Sprintf("not JSON: %s (read by provider %s)", m[4], st.Name)})
	return true
}

// maxExcerptFile is the maximum size of a file whose lines may appear in a report, in bytes.
const maxExcerptFile = 1 << 20

// tellUnnamed reports the errors of sources that have no entry in providers.yaml. These sources are Home Assistant and the broker of
// conf.yaml, and the entities and addresses that widgets name. An error that only follows from another error is not reported.
func (g *Generation) tellUnnamed(r *config.Report, all []provider.Status, mask *strings.Replacer) {
	told := map[string]bool{}
	for _, st := range slices.Backward(all) { // in reverse order, so that providers with names come first
		why := silence(st)
		if st.Err != nil {
			why = st.Err.Error()
		}
		var up *provider.Upstream
		fails := st.Err != nil || st.Tried.IsZero()
		if st.Kind == "live" {
			continue // tellPrograms reports the errors of programs with their positions
		}
		if fails && g.defs[st.Name] == nil && !told[why] && !errors.As(st.Err, &up) {
			r.Add(placed(st.Place, mask.Replace(cmp.Or(st.Name, st.Kind, st.Place.What)+": "+why)))
		}
		told[why] = told[why] || fails
	}
}

// tellPrograms warns about programs that fail or that read a missing key.
func (g *Generation) tellPrograms(r *config.Report, mask *strings.Replacer) {
	for _, sc := range g.Scenes {
		for _, t := range sc.Trees {
			for _, p := range t.Sources.Doubts() {
				d := placed(p.Place, mask.Replace(fmt.Sprintf("!data %s: %v", p.Program, p.Err)))
				d.Severity = config.Warning
				r.Add(d)
			}
		}
	}
}

// placed() returns a diagnostic with the message. Its position is the place at which the source is configured.
func placed(at provider.Place, message string) config.Diagnostic {
	d := config.Diagnostic{File: at.At, Message: message}
	rest, column, _ := cutLast(at.At)
	file, line, ok := cutLast(rest)
	l, err := strconv.Atoi(line)
	c, err2 := strconv.Atoi(column)
	if ok && err == nil && err2 == nil {
		d.File, d.Line, d.Column = file, l, c
	}
	return d
}

// cutLast cuts a text at its last colon. ok is false if there is no colon.
func cutLast(s string) (before, after string, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}
