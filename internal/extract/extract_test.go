package extract

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const document = `{"a":[{"b":1},{"b":2.0,"c":null}],"l":[1,2,3],"m":[[1,2],[3,4]],"":{"x":5},"0":"zero","s":"héllo","k y":true}`

func decoded(t testing.TB, s string) any {
	t.Helper()
	v, err := Decode(t.Context(), []byte(s))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestPath(t *testing.T) {
	tests := []struct {
		name, doc, path string
		want            any
		wantErr         string // part of the error message, or empty if no error is expected
	}{
		{"empty", `7`, "", 7, ""},
		{"key and place", document, "a[0].b", 1, ""},
		{"null is a value", document, "a[1].c", nil, ""},
		{"from the end", document, "l[-1]", 3, ""},
		{"nested lists", document, "m[1][0]", 3, ""},
		{"list at the top", `[{"title":"x"}]`, "[0].title", "x", ""},
		{"point before the bracket", document, "a.[1].b", 2.0, ""},
		{"numeric key", document, "0", "zero", ""},
		{"key with a blank", document, "k y", true, ""},
		{"empty key", document, ".x", 5, ""},
		{"character of a text", document, "s[1]", "é", ""},
		{"blank and plus", document, "l[ +1 ]", 2, ""},
		{"no such key", document, "a[0].z", nil, `segment 3, "z": no such key; the answer has b`},
		{"beyond the end", document, "l[3]", nil, `segment 2, [3]: out of range, the list has 3`},
		{"before the start", document, "l[-4]", nil, `[-4]: out of range`},
		{"key of a list", document, "l.x", nil, `"x": a list has no keys`},
		{"place in a mapping", document, "a[0][0]", nil, `[0]: a mapping has no places`},
		{"key of a number", document, "l[0].x", nil, `"x": a number has no keys`},
		{"key of null", document, "a[1].c.d", nil, `null has no keys`},
		{"key of a text", `"plain"`, "a", nil, `a text has no keys`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x, err := New(tt.path, "")
			if err != nil {
				t.Fatal(err)
			}
			got, err := x.Apply(t.Context(), decoded(t, tt.doc))
			checkError(t, err, tt.wantErr)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
			var e *Error
			if err != nil && !errors.As(err, &e) {
				t.Errorf("got %T, want *Error", err)
			}
		})
	}
}

func checkError(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("got error %v, want none", err)
	case want != "" && err == nil:
		t.Errorf("got no error, want %q", want)
	case err != nil && !strings.Contains(err.Error(), want):
		t.Errorf("got error %q, want %q in it", err, want)
	}
}

func TestBadPath(t *testing.T) {
	for _, p := range []string{"a[x]", "a[]", "a[0]b", "[", "a[99999999999999999999]"} {
		if _, err := New(p, ""); err == nil {
			t.Errorf("%q: got no error", p)
		}
	}
}

func TestJQ(t *testing.T) {
	tests := []struct {
		name, doc, path, jq string
		want                any
		wantErr             string
	}{
		{"field", document, "", ".a[0].b", 1, ""},
		{"first of many", document, "", ".l[]", 1, ""},
		{"a list as first result", document, "", ".l", []any{1, 2, 3}, ""},
		{"path first", document, "a", "map(.b) | add", 3.0, ""},
		{"whole float stays a float", document, "", ".a[1].b", 2.0, ""},
		{"null is a result", document, "", ".nothing", nil, ""},
		{"text input", `"on"`, "", `. == "on"`, true, ""},
		{"no result", document, "", "empty", nil, "no result"},
		{"halt", document, "", "halt", nil, "no result"},
		{"error", document, "", `error("bad")`, nil, "bad"},
		{"error of null", document, "", `error(null)`, nil, "jq: "},
		{"type error", document, "", `.l + {}`, nil, "cannot add"},
		{"no environment", document, "", `env | length`, 0, ""},
		{"big number", `123456789012345678901234567890`, "", `. - 1`, mustBig("123456789012345678901234567889"), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x, err := New(tt.path, tt.jq)
			if err != nil {
				t.Fatal(err)
			}
			got, err := x.Apply(t.Context(), decoded(t, tt.doc))
			checkError(t, err, tt.wantErr)
			if diff := cmp.Diff(tt.want, got, cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
		})
	}
}

func mustBig(s string) *big.Int {
	b, _ := new(big.Int).SetString(s, 10)
	return b
}

func TestBadJQ(t *testing.T) {
	for _, q := range []string{".a[", "nosuch(1)", `import "x" as x; .`, "input", "$nosuch"} {
		if _, err := New("", q); err == nil || !strings.Contains(err.Error(), "jq expression") {
			t.Errorf("%q: got %v, want an error that names the expression", q, err)
		}
	}
}

func TestEndlessJQEnds(t *testing.T) {
	x, err := New("", "def f: f; f")
	if err != nil {
		t.Fatal(err)
	}
	_, err = x.Apply(t.Context(), nil)
	if err != nil && strings.Contains(err.Error(), "jq ran longer than") {
		return // on a slow machine, the time limit is reached before the limit of memory
	}
	checkError(t, err, "too many steps")
}

// Time that other programs use does not count as time of a run. A run that never finishes is ended after a limit of elapsed time.
func TestTimeOfABusyMachine(t *testing.T) {
	r := &run{meter: &meter{}, began: time.Unix(0, 0)}
	now := r.began
	looks := func(n int, pause time.Duration) {
		for range n {
			now = now.Add(pause)
			r.look(now)
		}
	}
	looks(20, 400*time.Millisecond)
	if r.err != nil {
		t.Errorf("after %v that went to others: %v", now.Sub(r.began), r.err)
	}
	r.meter.waited += time.Minute
	now = now.Add(time.Minute)
	looks(1, 0)
	if r.err != nil {
		t.Errorf("after waiting for its turn: %v", r.err)
	}
	busy := *r
	looks(100, 4*time.Millisecond)
	checkError(t, r.err, "ran longer than 500ms")
	r, now = &busy, now.Add(-400*time.Millisecond)
	looks(10, 400*time.Millisecond)
	checkError(t, r.err, "did not end in 10s")
}

func TestTooManyValues(t *testing.T) {
	x, err := New("", "length")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := x.Apply(t.Context(), make([]any, maxNodes-1)); got != maxNodes-1 {
		t.Errorf("at the bound: got %v, %v", got, err)
	}
	if _, err := x.Apply(t.Context(), make([]any, maxNodes)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("above the bound: got %v, want ErrTooLarge", err)
	}
}

// A program must not change the document, because other programs use the document too.
func TestInputIsNotChanged(t *testing.T) {
	v := decoded(t, document)
	x, _ := New("", `.l[0] = 9 | .a[0].b |= 5 | del(.s)`)
	if _, err := x.Apply(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(decoded(t, document), v); diff != "" {
		t.Errorf("want -, got +:\n%s", diff)
	}
}

func TestDecode(t *testing.T) {
	tests := []struct {
		in   string
		want any
	}{
		{`1`, 1}, {`-0`, 0}, {`1.0`, 1.0}, {`1e2`, 100.0}, {`-0.0`, math.Copysign(0, -1)},
		{`1e999`, math.Inf(1)}, {`true`, true}, {`null`, nil}, {` "x" `, "x"},
		{`[1,[2.5]]`, []any{1, []any{2.5}}},
		{`{"a":1,"a":2}`, map[string]any{"a": 2}},
		{`18446744073709551616`, mustBig("18446744073709551616")},
		{strings.Repeat("9", maxDigits+1), math.Inf(1)},
	}
	same := cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, decoded(t, tt.in), same); diff != "" {
			t.Errorf("%.30s: want -, got +:\n%s", tt.in, diff)
		}
	}
	for _, bad := range []string{``, ` `, `True`, `{`, `1 2`, `{} x`, `NaN`, `'a'`} {
		if v, err := Decode(t.Context(), []byte(bad)); err == nil {
			t.Errorf("%q: got %v, want an error", bad, v)
		}
		if got, err := new(Extractor).Read(t.Context(), []byte(bad)); got != bad || err != nil {
			t.Errorf("Read(%q): got %v, %v, want the text itself", bad, got, err)
		}
	}
}

func FuzzExtract(f *testing.F) {
	for _, p := range []string{"", "a[0].b", "[0].title", "l[-1]", "a..b", "[[", "]]", "a[x]"} {
		f.Add(document, p)
	}
	f.Add(`[1e999]`, "[0]")
	f.Fuzz(func(t *testing.T, doc, path string) {
		x, err := New(path, ".. | numbers")
		if err != nil {
			return
		}
		x.Read(t.Context(), []byte(doc))
	})
}

func Example() {
	x, err := New("list[0]", ".main.temp - 273.15 | round")
	if err != nil {
		panic(err)
	}
	v, err := x.Read(context.Background(), []byte(`{"list":[{"main":{"temp":293.35}}]}`))
	fmt.Println(v, err)
	// Output: 20 <nil>
}
