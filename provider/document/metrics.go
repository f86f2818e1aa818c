package document

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// ReadMetrics returns the samples in the text format of Prometheus. The result maps names of metrics to values. The value of a metric
// without labels is its number. The value of any other metric is a list of mappings, each with the labels and the key "value" for the
// number. NaN and infinity become null. Times and comments are omitted.
func ReadMetrics(ctx context.Context, body []byte) (map[string]any, error) {
	release, err := turn(ctx, body)
	if err != nil {
		return nil, err
	}
	defer release()
	all, budget, line := map[string]any{}, MaxMemory, 0
	for text := range strings.Lines(toUTF8(body, "")) {
		line++
		text = strings.TrimSpace(text)
		if text == "" || text[0] == '#' {
			continue
		}
		s := sample{rest: text}
		if !s.read() {
			return nil, fmt.Errorf("not Prometheus' text format: line %d", line)
		}
		if budget -= rowBytes + len(s.name) + s.bytes; budget < 0 {
			return nil, errMemory
		}
		s.addTo(all)
	}
	return all, nil
}

// A sample holds the state while one line is parsed.
type sample struct {
	rest   string // rest of the line
	name   string
	labels map[string]any
	value  any
	bytes  int // size of the labels in bytes
}

func (s *sample) addTo(all map[string]any) {
	list, several := all[s.name].([]any)
	if first, ok := all[s.name]; ok && !several {
		list = []any{map[string]any{"value": first}}
	}
	if len(s.labels) == 0 && len(list) == 0 {
		all[s.name] = s.value
		return
	}
	if s.labels == nil {
		s.labels = map[string]any{}
	}
	s.labels["value"] = s.value
	all[s.name] = append(list, s.labels)
}

// read parses a line: a name, labels in braces, a number, and a time, which is ignored. It returns false if the line is invalid.
func (s *sample) read() bool {
	end := strings.IndexAny(s.rest, "{ \t")
	if end < 1 {
		return false
	}
	s.name, s.rest = strings.Clone(s.rest[:end]), strings.TrimLeft(s.rest[end:], " \t")
	if strings.HasPrefix(s.rest, "{") {
		s.rest = s.rest[1:]
		if !s.readLabels() {
			return false
		}
	}
	fields := strings.Fields(s.rest)
	if len(fields) == 0 {
		return false
	}
	f, err := strconv.ParseFloat(fields[0], 64)
	switch {
	case err != nil:
		return false
	case math.IsNaN(f) || math.IsInf(f, 0):
	case f == math.Trunc(f) && math.Abs(f) < 1<<53:
		s.value = int(f)
	default:
		s.value = f
	}
	return true
}

// readLabels parses pairs name="text" up to the closing brace. It returns false if a pair is invalid.
func (s *sample) readLabels() bool {
	s.labels = map[string]any{}
	for {
		s.rest = strings.TrimLeft(s.rest, " \t,")
		if after, ok := strings.CutPrefix(s.rest, "}"); ok {
			s.rest = after
			return true
		}
		name, after, ok := strings.Cut(s.rest, "=")
		if !ok || !strings.HasPrefix(strings.TrimLeft(after, " \t"), `"`) || len(s.labels) == MaxColumns {
			return false
		}
		s.rest = strings.TrimLeft(after, " \t")[1:]
		text, ok := s.quoted()
		if !ok {
			return false
		}
		name = strings.Clone(strings.TrimSpace(name))
		s.labels[name] = text
		s.bytes += cellBytes + len(name) + len(text)
	}
}

// quoted() parses a text up to its closing quotation mark. The text may contain \\, \" and \n.
func (s *sample) quoted() (text string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(s.rest); i++ {
		switch c := s.rest[i]; {
		case c == '"':
			s.rest = s.rest[i+1:]
			return b.String(), true
		case c == '\\' && i+1 < len(s.rest):
			i++
			if s.rest[i] == 'n' {
				b.WriteByte('\n')
			} else {
				b.WriteByte(s.rest[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", false
}
