package excerpt

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"dashboard/provider"
)

// An excerpt is the beginning of the text that encoding/json writes.
func TestExcerpt(t *testing.T) {
	keys := map[string]any{}
	for i := range 500 {
		keys[fmt.Sprint(i)] = i
	}
	deep := any("deep")
	for range 1000 {
		deep = []any{deep}
	}
	for name, v := range map[string]any{
		"number": 7, "float": 0.1, "text": "a <b> \"c\"", "long": strings.Repeat("é", 500), "long, odd": "x" + strings.Repeat("é", 500),
		"list": []any{1, "a", nil, true, []any{}}, "object": map[string]any{"b": 1, "a": map[string]any{}, "": "x"}, "many keys": keys,
		"floats": []float64{1, 2.5}, "struct": struct{ A int }{3}, "time": time.Unix(0, 0).UTC(), "long key": map[string]any{strings.Repeat("k", 500): 1},
		"escapes": strings.Repeat("\x00", 300), "long list": make([]int, 500), "deep": deep, "broken": "\xff\xfe",
	} {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		want := string(text)
		if cut := ExcerptBytes; len(want) > cut {
			for !utf8.RuneStart(want[cut]) {
				cut--
			}
			want = want[:cut] + "…"
		}
		if got := excerpt(v); got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, want)
		}
	}
	for name, v := range map[string]any{"nothing": nil, "a channel": make(chan int), "in a list": []any{func() {}}} {
		if got := excerpt(v); got != "" {
			t.Errorf("%s: got %s, want nothing", name, got)
		}
	}
}

// An excerpt of a value of several megabytes needs almost no time and memory. Repeated requests for the same value do not make the
// excerpt again.
func TestExcerptOfLarge(t *testing.T) {
	size := 1 << 17
	if *inFull {
		size = 1 << 20
	}
	objects, keys := make([]any, size), map[string]any{}
	for i := range objects {
		objects[i] = map[string]any{"": 0}
		if i < size/8 {
			keys[fmt.Sprint(i)] = i
		}
	}
	for name, v := range map[string]any{"objects": objects, "keys": keys, "text": strings.Repeat("x", 8*size)} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		e := Excerpts{}
		for range 100 {
			e.Of(provider.Status{Name: "a", Value: v, At: time.Unix(1, 0)})
		}
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 64<<10 {
			t.Errorf("%s: a hundred looks took %d bytes", name, got)
		}
	}
	e := Excerpts{}
	for i, want := range []string{"1", "1", "2"} {
		if got := e.Of(provider.Status{Name: "a", Value: (i + 2) / 2, At: time.Unix(int64(i/2), 0)}); got != want {
			t.Errorf("look %d: got %s, want %s", i, got, want)
		}
	}
}
