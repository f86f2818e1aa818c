// Package excerpt returns the beginning of a value as text.
package excerpt

import (
	"encoding/json"
	"reflect"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"dashboard/provider"
)

// ExcerptBytes is the maximum length of an excerpt in bytes. This is long enough for a person to recognize the value.
const ExcerptBytes = 240

// Excerpts caches an excerpt of each source's newest value. If an excerpt is requested several
// times, it is made only once for each value.
type Excerpts struct {
	mu  sync.Mutex
	all map[string]excerptOf // excerpts by source
}

type excerptOf struct {
	at   time.Time // time at which the value arrived
	text string
}

// Of returns the excerpt of a source's newest value. If the cache contains more than maxExcerpts excerpts, Of empties the cache before it
// adds an excerpt.
func (e *Excerpts) Of(st provider.Status) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if known, ok := e.all[st.Name]; ok && known.at.Equal(st.At) {
		return known.text
	}
	if e.all == nil || len(e.all) > maxExcerpts {
		e.all = map[string]excerptOf{}
	}
	text := excerpt(provider.Plain(st.Value))
	e.all[st.Name] = excerptOf{st.At, text}
	return text
}

// maxExcerpts limits the number of cached excerpts. Without a limit the cache would grow, because each reload can add new sources.
const maxExcerpts = 1000

// excerpt returns the beginning of a value as JSON. If the value cannot be written as JSON, it returns "". The needed time and memory
// depend on the length of the excerpt and not on the size of the value. For a large object, however, all keys are compared once.
func excerpt(v any) string {
	if v == nil {
		return ""
	}
	w := excerptWriter{}
	if !w.write(v, 0) {
		return ""
	}
	if len(w.text) <= ExcerptBytes {
		return string(w.text)
	}
	cut := ExcerptBytes
	for !utf8.RuneStart(w.text[cut]) {
		cut--
	}
	return string(w.text[:cut]) + "…"
}

// excerptDepth is the maximum nesting depth in an excerpt. Each level needs at least a byte, so an
// excerpt has no room for a deeper level.
const excerptDepth = ExcerptBytes + 1

// An excerptWriter writes JSON. It stops when the text is longer than an excerpt.
type excerptWriter struct{ text []byte }

func (w *excerptWriter) full() bool { return len(w.text) > ExcerptBytes }

// write writes a value. It returns false if the value cannot be written as JSON.
func (w *excerptWriter) write(v any, depth int) bool {
	if w.full() || depth > excerptDepth {
		return true
	}
	switch v := v.(type) {
	case string:
		return w.plain(v[:min(len(v), ExcerptBytes+utf8.UTFMax)])
	case []any:
		return w.list(len(v), func(i int) any { return v[i] }, depth)
	case map[string]any:
		return w.object(v, depth)
	}
	r := reflect.ValueOf(v)
	switch {
	case r.Kind() == reflect.Slice && r.Type().Elem().Kind() != reflect.Uint8:
		return w.list(r.Len(), func(i int) any { return r.Index(i).Interface() }, depth)
	case r.Kind() == reflect.Map || r.Kind() == reflect.Slice && r.Len() > ExcerptBytes:
		return false // no provider has such values
	}
	return w.plain(v)
}

// plain() writes a value that is not a list or a mapping.
func (w *excerptWriter) plain(v any) bool {
	text, err := json.Marshal(v)
	w.text = append(w.text, text...)
	return err == nil
}

func (w *excerptWriter) list(n int, at func(int) any, depth int) bool {
	w.text = append(w.text, '[')
	for i := 0; i < n && !w.full(); i++ {
		if i > 0 {
			w.text = append(w.text, ',')
		}
		if !w.write(at(i), depth+1) {
			return false
		}
	}
	w.text = append(w.text, ']')
	return true
}

func (w *excerptWriter) object(m map[string]any, depth int) bool {
	w.text = append(w.text, '{')
	for i, key := range firstKeys(m) {
		if w.full() {
			break
		}
		if i > 0 {
			w.text = append(w.text, ',')
		}
		w.plain(key[:min(len(key), ExcerptBytes+utf8.UTFMax)])
		w.text = append(w.text, ':')
		if !w.write(m[key], depth+1) {
			return false
		}
	}
	w.text = append(w.text, '}')
	return true
}

// mostKeys is more than the number of keys for which an excerpt has room. Each key needs at least
// four bytes, and only one key can be empty.
const mostKeys = ExcerptBytes/4 + 2

// firstKeys returns the first mostKeys keys of m in alphabetical order, or all keys if there are fewer.
func firstKeys(m map[string]any) []string {
	first := make([]string, 0, min(len(m), mostKeys)+1)
	for key := range m {
		if len(first) == mostKeys && key >= first[mostKeys-1] {
			continue
		}
		at, _ := slices.BinarySearch(first, key)
		first = slices.Insert(first, at, key)
		first = first[:min(len(first), mostKeys)]
	}
	return first
}
