package classic

import (
	"errors"
	"image"
	"testing"
	"time"

	"dashboard/widgets/walltest"
)

// reads() returns the text that the wall shows.
func reads(d *walltest.Data) string { return walltest.Only[*reading](d).text }

func TestProviderText(t *testing.T) {
	for _, tc := range []struct {
		name, params string
		value        any
		want         string
	}{
		{"as it is", "", "hello", "hello"},
		{"python text", "", true, "True"},
		{"list", "", []any{1, "a", nil}, "[1, 'a', None]"},
		{"format", "format_string: '{value:.1f} °C'", 21.44, "21.4 °C"},
		{"path", "data_path: '[0].title'", []any{map[string]any{"title": "x"}}, "x"},
		{"jq", "jq_expression: '.a | add'", map[string]any{"a": []any{1, 2}}, "3"},
		{"path, then jq", "data_path: a, jq_expression: length", map[string]any{"a": []any{1, 2}}, "2"},
		{"null", "", nil, "--"},
		{"no such key", "data_path: b", map[string]any{}, "--"},
		{"nothing from jq", "jq_expression: empty", 1, "--"},
		{"own fallback", "data_path: b, fallback_text: none", map[string]any{}, "none"},
		{"format does not suit", "format_string: '{value:.1f}'", "word", "--"},
		{"errors shown", "data_path: b, show_errors: true", map[string]any{}, `Error: json path segment 1, "b": no such key`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			walltest.Bubble(t, "{widget: provider, providers: [p], "+tc.params+"}", image.Pt(200, 50), func(d *walltest.Data) {
				d.ByName["p"].Publish(tc.value, walltest.T0)
				d.Step(0)
				if got := reads(d); got != tc.want {
					t.Errorf("got %q, want %q", got, tc.want)
				}
			})
		})
	}
}

func TestProviderStates(t *testing.T) {
	walltest.Bubble(t, "{widget: provider, providers: p, show_errors: true}", image.Pt(200, 50), func(d *walltest.Data) {
		p := d.ByName["p"]
		p.Promise(time.Minute)
		d.Step(0)
		if got := reads(d); got != "--" {
			t.Errorf("before the first value: got %q, want --", got)
		}
		p.Fail(errors.New("kaput"), walltest.T0)
		d.Step(0)
		if got := reads(d); got != "Error: kaput" {
			t.Errorf("failed at first: got %q, want the error", got)
		}
	})
}
