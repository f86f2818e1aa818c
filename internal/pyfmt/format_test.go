package pyfmt

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"
)

// testCase is one line of testdata/python.jsonl, written by testdata/gen.py.
type testCase struct {
	template string
	value    any
	want     string
	raises   bool
}

func loadCases(t testing.TB) []testCase {
	t.Helper()
	data, err := os.ReadFile("testdata/python.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var all []testCase
	for sc := bufio.NewScanner(bytes.NewReader(data)); sc.Scan(); {
		var line [3]*string
		if err := json.Unmarshal(sc.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		c := testCase{template: *line[0], value: decode(t, *line[1]), raises: line[2] == nil}
		if !c.raises {
			c.want = *line[2]
		}
		all = append(all, c)
	}
	return all
}

func decode(t testing.TB, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return numbers(v)
}

func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if i, err := strconv.Atoi(string(v)); err == nil && !strings.ContainsAny(string(v), ".eE") {
			return i
		}
		if b, ok := new(big.Int).SetString(string(v), 10); ok {
			return b
		}
		f, _ := v.Float64()
		return f
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	}
	return v
}

func TestAsPython(t *testing.T) {
	cases := loadCases(t)
	if len(cases) < 5000 {
		t.Fatalf("only %d recorded cases", len(cases))
	}
	for _, c := range cases {
		got, err := format(c.template, c.value)
		switch {
		case c.raises && err == nil:
			t.Errorf("%q of %#v: got %q, want an error", c.template, c.value, got)
		case !c.raises && err != nil:
			t.Errorf("%q of %#v: got error %v, want %q", c.template, c.value, err, c.want)
		case got != c.want:
			t.Errorf("%q of %#v: got %q, want %q", c.template, c.value, got, c.want)
		}
	}
}

func format(template string, v any) (string, error) {
	f, err := Parse(template)
	if err != nil {
		return "", err
	}
	b, err := f.Append(nil, v)
	return string(b), err
}

func TestNotFinite(t *testing.T) {
	tests := []struct {
		template string
		v        float64
		want     string
	}{
		{"{}", math.Inf(1), "inf"}, {"{}", math.Inf(-1), "-inf"}, {"{}", math.NaN(), "nan"},
		{"{:08.1f}", math.Inf(-1), "-0000inf"}, {"{:F}", math.NaN(), "NAN"}, {"{:+E}", math.Inf(1), "+INF"},
		{"{:%}", math.Inf(1), "inf%"}, {"{:010,}", math.Inf(1), "0000000inf"}, {"{:>5}", math.NaN(), "  nan"},
	}
	for _, tt := range tests {
		if got, err := format(tt.template, tt.v); got != tt.want || err != nil {
			t.Errorf("%q of %v: got %q, %v, want %q", tt.template, tt.v, got, err, tt.want)
		}
	}
}

func TestAppendOrShowsTheRawText(t *testing.T) {
	tests := []struct {
		template string
		v        any
		want     string
	}{
		{"{:.1f} °C", "Unavailable", "Unavailable"},
		{"{:.1f} °C", 21.46, "21.5 °C"},
		{"{:d}", 1.5, "1.5"},
		{"{:5}", nil, "None"},
		{"{value[x]}", map[string]any{"y": true}, "{'y': True}"},
		{"{} W", "Error 404", "Error 404 W"},
	}
	for _, tt := range tests {
		f, err := Parse(tt.template)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(f.AppendOr([]byte("> "), tt.v)); got != "> "+tt.want {
			t.Errorf("%q of %v: got %q, want %q", tt.template, tt.v, got, "> "+tt.want)
		}
	}
}

func TestErrorsKeepDst(t *testing.T) {
	f, err := Parse("before {:.1f} after")
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Append([]byte("x"), "text")
	if string(got) != "x" || !errors.Is(err, ErrType) {
		t.Errorf("got %q, %v, want \"x\" and ErrType", got, err)
	}
	if _, err := format("{value[7]}", []any{1}); !errors.Is(err, ErrIndex) {
		t.Errorf("got %v, want ErrIndex", err)
	}
}

func TestBadTemplatesNameTheFault(t *testing.T) {
	for template, want := range map[string]string{
		"{:.1f": "without '}'", "x}": "single '}'", "{1}": "one value", "{temp}": "one value", "{value.imag}": "only [key]", "{value.realx}": "only [key]",
		"{:99999}": "above 4096", "{:.9999f}": "above 1024", "{:q}": `unexpected "q"`, "{!z}": "!r, !s or !a", "{}{}": "second {}",
	} {
		if _, err := Parse(template); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q in it", template, err, want)
		}
	}
}

func TestAppendDoesNotAllocate(t *testing.T) {
	buf := make([]byte, 0, 128)
	for _, c := range []struct {
		template string
		v        any
	}{{"{:.1f} °C", 21.46}, {"{}", 1234.5}, {"{:,}", 1234567}, {"{value}", "text"}, {"{:>8}", "text"}, {"{:.3g}", 0.00123}, {"{:08,.2f}", 12345.678}} {
		f, err := Parse(c.template)
		if err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(100, func() { f.AppendOr(buf, c.v) }); n != 0 {
			t.Errorf("%q: got %v allocations, want 0", c.template, n)
		}
	}
}

func FuzzFormat(f *testing.F) {
	for _, c := range []string{"{}", "{:.1f}", "{value[a]!r:>12}", "{:*^+#012,.3e}", "{{{0}}}", "{0[1]}", "{:z_x}"} {
		f.Add(c, 12.5, "text")
	}
	f.Fuzz(func(t *testing.T, template string, n float64, s string) {
		p, err := Parse(template)
		if err != nil {
			return
		}
		for _, v := range []any{n, int(n), s, nil, []any{n, s}, map[string]any{s: n}} {
			out, err := p.Append(nil, v)
			if err != nil && out != nil {
				t.Errorf("%q of %v: got %q and error %v", template, v, out, err)
			}
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	f, err := Parse("{:,.1f} kWh")
	if err != nil {
		b.Fatal(err)
	}
	buf := make([]byte, 0, 64)
	var v any = 12345.678
	b.ReportAllocs()
	for b.Loop() {
		f.Append(buf, v)
	}
}

func Example() {
	f, err := Parse("{value[main][temp]:+.1f} °C")
	if err != nil {
		panic(err)
	}
	out, err := f.Append(nil, map[string]any{"main": map[string]any{"temp": 20.04}})
	fmt.Println(string(out), err)
	// Output: +20.0 °C <nil>
}

// The real part of a number is the number itself. Other values have no real part.
func TestRealPart(t *testing.T) {
	for _, tt := range []struct {
		template string
		value    any
		want     string
	}{
		{"{0.real}", 2, "2"}, {"{value.real:.1f}", 2.25, "2.2"}, {"{value[a].real}", map[string]any{"a": 3}, "3"}, {"{.real}", true, "1"},
	} {
		if got, err := format(tt.template, tt.value); err != nil || got != tt.want {
			t.Errorf("%s of %v: got %q, %v, want %q", tt.template, tt.value, got, err, tt.want)
		}
	}
	for _, v := range []any{"text", nil, []any{1}} {
		if got, err := format("{0.real}", v); !errors.Is(err, ErrType) {
			t.Errorf("{0.real} of %v: got %q, %v, want ErrType", v, got, err)
		}
	}
}
