package extract

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/itchyny/gojq"

	"dashboard/internal/testing/race"
	"dashboard/internal/testing/thorough"
)

// `bombs` are programs of one line that need gigabytes, hours or an endless stack.
var bombs = []string{
	`"#" * .n`, `.n * "#"`, `"#" * 1e9 | length`,
	`reduce range(40) as $i ("a"; . + .)`,
	`reduce range(40) as $i ("a"; . * 2)`,
	`reduce range(40) as $i ("a"; "\(.)\(.)")`,
	`reduce range(40) as $i ("a"; . += .)`,
	`reduce range(40) as $i ("a"; . *= 2)`,
	`{a: "a"} | reduce range(40) as $i (.; .a += .a) | .a`,
	`reduce range(40) as $i ([1]; . + .)`,
	`reduce range(60) as $i (10; . * .)`,
	`[range(1e9)]`, `[limit(1e9; repeat({a: 1}))]`, `[repeat("x")]`, `[range(1e9) | {}]`, `[range(1e9) | {a: .}]`,
	`[range(1e9) | tostring]`, `[range(1e9) | [.]]`, `reduce range(1e9) as $i ({}; .["k\($i)"] = $i)`,
	`def f: [f]; f`, `def f: 1 + f; f`, `reduce range(1e9) as $i (0; [.])`,
	`reduce range(40) as $i (1; [., .])`,
	`reduce range(40) as $i (1; [., .]) | tojson`,
	`reduce range(40) as $i (1; [., .]) | tostring | length`,
	`reduce range(40) as $i (1; [., .]) | @base64 | length`,
	`reduce range(40) as $i (1; [., .]) | "\(.)" | length`,
	`reduce range(40) as $i (1; [., .]) | @json "x\(.)" | length`,
	`reduce range(40) as $i (1; [., .]) | flatten | length`,
	`reduce range(40) as $i (1; [., .]) | . == (.[0] | [., .])`,
	`reduce range(40) as $i (1; [., .]) | [., .] | sort | length`,
	`reduce range(40) as $i (1; [., .]) | [., .] | unique_by(.) | length`,
	`reduce range(40) as $i (1; [., .]) | contains([[2]])`,
	`reduce range(40) as $i (1; [., .]) | error`,
	`reduce range(40) as $i (1; [., .]) | [..] | length`,
	`("x" * 1000000) as $s | [range(100000) | $s] | add | length`,
	`("x" * 1000000) as $s | [range(100000) | $s] | join("") | length`,
	`("x" * 1000000) as $s | [range(100000) | $s] | @csv | length`,
	`("x" * 1000000) as $s | [range(100000) | $s] | @sh | length`,
	`("x" * 1000000) as $s | [range(100000) | $s | explode]`,
	`("x" * 1000000) as $s | [range(100000) | $s | ascii_upcase]`,
	`("x" * 1000000) as $s | [range(100000) | $s | @base64]`,
	`("x" * 1000000) as $s | [range(100000) | $s | @uri]`,
	`("x" * 1000000) as $s | [range(100000) | $s | split("")]`,
	`("x" * 1000000) as $s | [range(100000) | $s / "x"]`,
	`("x" * 1000000) as $s | [range(100000) | $s | tojson]`,
	`("x" * 1000000) as $s | "y" * 1000 | gsub("y"; $s) | length`,
	`("x" * 1000000) | [match(""; "g")] | length`,
	`("x" * 1000000) | [scan("x")] | length`,
	`[range(100000)] as $l | [range(100000) | $l | keys]`,
	`[range(100000)] as $l | [range(100000) | $l | reverse]`,
	`[range(100000)] as $l | [range(100000) | $l | .[0] = 1]`,
	`[range(100000)] as $l | [range(100000) | $l | .[0] |= 1]`,
	`[range(100000)] as $l | [range(100000) | $l | setpath([0]; 1)]`,
	`[range(100000)] as $l | [range(100000) | $l | del(.[0])]`,
	`[range(100000)] as $l | [range(100000) | {$l} | .l[0] += 1]`,
	`[range(100000)] as $l | $l - $l`, `[range(100000)] as $l | $l | indices(1) | [range(100000) | $l | indices([1])]`,
	`.[500000000] = 1 | length`, `.[500000000] |= 1 | length`, `setpath([500000000]; 1) | length`,
	`[] | .[500000000] += 1 | length`, `null | pick(.[500000000]) | length`,
	`null | fromstream([[500000000], 1], [[500000000]]) | length`,
	`[range(20000) | []] + [[range(20000)]] | transpose | length`,
	`"a{1000}" * 100 | . as $re | "" | test($re)`, `[range(1e6) | tostring as $re | "" | test($re)]`,
	`[range(12)] | [combinations(9)] | length`, `"%c" * 10000000 | . as $f | now | strftime($f)`,
	`def f: try ("#" * 1e9) catch .; [f, f, f] | length`, `def f: (try ("#" * 1e8) catch 1) | f; f`,
	`[range(100000) | 0] as $l | $l[$l[:50000]] | length`, `[range(100000) | 0] as $l | $l | indices($l[:50000]) | length`,
	`[range(300000) | 0] as $l | [range(100000) | $l[[0]]] | length`, `[range(100000) | 0] as $l | [$l | .[[0]], .[[0]], .[[0]]] | length`,
	`[range(100000) | 0] | path(.[[0,0,0]]) | length`,
	`[limit(300; repeat("[" * 1000000))] | length`, `[range(1e6)|tojson|fromjson]`,
	`input`, `until(false; .)`, `[paths] | until(false; . + .)`,
}

// TestBombs runs each bomb and counts the memory that the bomb allocates, including the garbage.
func TestBombs(t *testing.T) {
	thorough.Only(t)
	const most = 6 * maxMade // higher than maxMade, because the meter counts only live memory, and growing lists also leave garbage
	for i, expr := range bombs {
		if race.Left(i, 5) {
			continue
		}
		t.Run(expr, func(t *testing.T) {
			x, err := New("", expr)
			if err != nil {
				t.Skip(err)
			}
			input := map[string]any{"n": 1e9}
			var v any = input
			if strings.HasPrefix(expr, ".[") || strings.HasPrefix(expr, "setpath") {
				v = nil
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			got, err := x.Apply(t.Context(), v)
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			made := after.TotalAlloc - before.TotalAlloc
			t.Logf("%d MiB, %v: %.60v, %v", made>>20, took, got, err)
			if made > most {
				t.Errorf("made %d MiB", made>>20)
			}
			if s, ok := got.(string); ok && len(s) > maxMemory {
				t.Errorf("result of %d bytes", len(s))
			}
		})
	}
}

// TestStepBytes checks that stepBytes is enough for the programs that keep the most memory per step.
func TestStepBytes(t *testing.T) {
	for _, expr := range []string{`[range(1e9)]`, `[repeat("x")]`, `[range(1e9) | {}]`, `[range(1e9) | {a: .}]`, `[range(1e9) | [.]]`, `def f: [f]; f`} {
		p, err := compile(expr)
		if err != nil {
			t.Fatal(err)
		}
		var m meter
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		_, err = p.first(nil, &m)
		runtime.ReadMemStats(&after)
		m.done()
		made := after.TotalAlloc - before.TotalAlloc
		t.Logf("%s: made %d MiB; %v", expr, made>>20, err)
		if err == nil || made > 6*maxMade {
			t.Errorf("%s: made %d MiB, error %v; want it refused, with at most %d made", expr, made>>20, err, 6*maxMade>>20)
		}
	}
}

// `recipes` are programs such as users write.
var recipes = []string{
	`.a[0].b`, `"#" * 20`, `"#" * 3.7`, `"ab" * 0`, `"x" * -1`, `2 * "ab"`, `"#" * (.l | length) + "-" * (10 - (.l | length))`,
	`.l | map(. * 2) | add`, `[.l[] | select(. > 1)] | length`, `.a | map(.b) | join(", ")`, `.s | ascii_upcase | explode | implode`,
	`"\(.l | length) of \(.a | length): \(.s)"`, `@base64 "x\(.s)y"`, `.s | @base64 | @base64d`, `@json`, `[.l, .l] | @csv "\(.[0])"`,
	`.l as [$a, $b] | $a - $b`, `.l | (add / length) * 100 | round / 100`, `5 / 2`, `4 / 2`, `-7 / 2`, `1 / 0`, `0 / 0`, `"a,b" / ","`, `[1,2,1] - [1]`,
	`{"a":{"b":1}} * {"a":{"c":2}}`, `{} + {"a":1}`, `null + 1`, `1 + null`, `[] + null`, `1 + "a"`, `{} * 2`, `[1] * 2`,
	`9007199254740993 + 1`, `9223372036854775807 + 1`, `-9223372036854775808 - 1`, `4611686018427387904 * 4`, `1e308 * 10`, `3 * 0.5`, `0.1 + 0.2`,
	`.l[1] = 9`, `.l[5] = 9`, `.a[0].b |= . + 1`, `.a[].b += 1`, `.l[] *= 2`, `.l[] |= empty`, `.x.y.z = 1`, `.a[0].b //= 7`, `.q //= 7`, `.l[1:] = [0]`,
	`.l |= map(. + 1)`, `(.l, .s) = 1`, `.l[.l[0]] = "x"`, `.a[] |= (.c = 1 | .d += 2)`, `.l[(0,1)] += (10, 20)`, `.[("s","zz")] |= 3`,
	`to_entries | map(.key)`, `with_entries(.value |= tostring)`, `[paths]`, `[..] | length`, `del(.a, .l[0])`, `del(.l[] | select(. == 2))`, `delpaths([["a"],["l",0]])`,
	`pick(.a[1].c)`, `[.l[] | tostring] | sort | reverse`, `.a | sort_by(.b) | map(.b)`, `.a | group_by(.b) | length`, `.a | unique_by(.c) | length`, `.a | min_by(.b), max_by(.b)`,
	`.l | min, max, add, any, all`, `.m | transpose`, `.m | flatten`, `.m | flatten(1)`, `.m | combinations`, `[[1,2],[3,4]] | [combinations]`, `[[0,1] | combinations(2)]`,
	`.s | test("h")`, `.s | test("H"; "i")`, `.s | sub("l"; "L")`, `.s | gsub("l(?<x>.)?"; "<\(.x)>")`, `"aXbxc" | [splits("x"; "i")]`, `"abc" | [match("(b)(z)?"; "g")]`, `"test 12 a 3" | [scan("[0-9]+") | tonumber]`,
	`"2026-01-02" | capture("(?<y>\\d+)-(?<m>\\d+)")`, `[match("", "g")]`, `"" | gsub("";"-")`, `"abc" | gsub("";"-")`, `"abc" | [match("";"g").offset]`,
	`1700000000 | todate`, `"2023-11-14T22:13:20Z" | fromdate`, `1700000000 | strftime("%A %d %B")`, `1700000000 | gmtime | mktime`, `"10:15" | strptime("%H:%M")`,
	`if .l | contains([2]) then "yes" else "no" end`, `.s | contains("llo")`, `"a" | inside("abc")`, `.l | index(2)`, `"a,b, cd" | indices(", ")`, `[0,1,2,1] | indices(1), indices([1,2]), rindex(1)`, `[1,2,3] | bsearch(2)`,
	`.s | ltrimstr("h") | rtrimstr("o")`, `.s | startswith("h"), length, utf8bytelength`, `.s[1:3]`, `.l[1:]`, `.l[-1]`, `.["k y"]`, `."k y"`, `.[""]`,
	`reduce .l[] as $x (0; . + $x)`, `foreach .l[] as $x (0; . + $x; [$x, .])`, `[limit(2; .l[])]`, `first(.l[])`, `[.l[] as $x | .l[] | [., $x]] | length`, `label $f | 1, break $f, 2`,
	`try error("x") catch .`, `try error({a: 1}) catch .a`, `error({a: 1})`, `error("plain")`, `error(null)`, `.a.b.c?`, `.a.b.c`, `[.[]?]`, `.l | .x?`, `(1,2) + (10,20)`, `[(1,2) * (3,4)]`, `[(1,2) == (1,2)]`,
	`"\(1,2) \("a","b")"`, `@text "a\(1,2)"`, `@uri "x\("ä &")"`, `@html "\("<&>")"`, `@sh "echo \("it's")"`, `[1,"a",null] | @tsv, @csv`, `{(("a","b")): 1}`, `{"a\(1 + 1)": 2}`, `{a: (1,2)}`, `{s, l}`, `. as {s: $x} | $x`, `{"x": 1} | .["x"]`,
	`$__loc__`, `env`, `$ENV`, `input`, `halt`, `halt_error`, `nan < nan`, `[nan] == [nan]`, `nan == nan`, `nan > 1`, `null < false`, `{} < []`, `[1] < [1,2]`, `"a" < "b"`, `1.0 == 1`, `infinite > 1`, `{"a":1} == {"a":1.0}`,
	`def tojson: "mine"; tojson`, `def join(x): "mine"; [1] | join(1)`, `def add: "mine"; [1] | add, (1 + 1)`, `def f(x): x * 2; f(3)`, `def f($x; $y): $x + $y; f(1; 2)`, `def _x: 1; _x`, `def tostring: "mine"; "\(1)"`,
	`[range(3)], [range(1; 3)], [range(0; 10; 3)]`, `[1, [2]] | tojson, tostring`, `"[1, 2.0]" | fromjson`, `"x" | fromjson`, `ascii`, `walk(if type == "number" then . + 1 else . end)`, `INDEX(.a[]; .b) | keys`, `[.a[] | .b] | IN([1, 2.0])`, `.l | IN(.[]; 1)`,
	`tostream`, `fromstream(tostream)`, `[splits("a")]`, `getpath(["a", 0, "b"])`, `setpath(["a", 0, "b"]; 5)`, `setpath([]; 1)`, `path(..)`, `[path(.l[])]`, `path(.a[0].b |= 1)`, `limit(3; repeat(1))`, `[.l[] | if . == 2 then empty else . end]`,
	`.l | to_entries[] | select(.value == 2).key`, `@base32`, `"a" | ascii_downcase | @uri`, `ltrimstr(1)`, `[3,1,2] | sort`, `sort`, `keys`, `keys_unsorted`, `length`, `add`, `add(.l[])`, `map_values(. )`, `.l | map_values(empty)`, `splits("x")`, `test("a")`, `.s | test("(")`, `.s | test("a"; "q")`,
	`._x`, `.l | @json`, `.l | implode`, `"x" | implode`, `[.l[] | . % 2]`, `-.l[0]`, `-(1 + 1)`, `.l | -(.[0])`, `.l[1] -= 1`, `.l[1] /= 2`, `.l[1] %= 2`, `1 as $x | 2 as $y | [$x + $y, $__loc__]`, `[.[] | numbers]`, `.["a","s"]`, `.a as [{b: $x}] | $x`,
}

// TestRecipes compares every result with the result of gojq alone.
func TestRecipes(t *testing.T) {
	for _, expr := range recipes {
		v := decoded(t, document)
		want := plain(expr, v)
		got := ours(expr, v)
		if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s: want -, got +:\n%s", expr, diff)
		}
		if diff := cmp.Diff(decoded(t, document), v); diff != "" {
			t.Fatalf("%s changed its input:\n%s", expr, diff)
		}
	}
}

// plain() returns up to a hundred results of an expression, computed by gojq alone.
func plain(expr string, v any) []string {
	q, err := gojq.Parse(expr)
	if err != nil {
		return []string{"parse"}
	}
	code, err := gojq.Compile(q)
	if err != nil {
		return []string{"compile: " + err.Error()}
	}
	return results(code.Run(v))
}

// ours() returns the results of an expression, computed with the wrappers of this package.
func ours(expr string, v any) []string {
	p, err := compile(expr)
	if err != nil {
		if _, e := gojq.Parse(expr); e != nil {
			return []string{"parse"}
		}
		return []string{"compile: " + err.Error()}
	}
	p.run = &run{meter: &meter{ctx: context.Background()}, began: time.Now()}
	defer p.run.meter.done()
	return results(p.code.RunWithContext(p.run, v))
}

func results(it gojq.Iter) (list []string) {
	for range 100 {
		v, ok := it.Next()
		if !ok {
			break
		}
		if err, isErr := v.(error); isErr {
			return append(list, "error: "+err.Error())
		}
		list = append(list, fmt.Sprintf("%T %s", v, gojq.Preview(v)), fmt.Sprintf("%#v", v))
	}
	return list
}

func FuzzRecipes(f *testing.F) {
	for _, r := range recipes {
		f.Add(r)
	}
	f.Fuzz(func(t *testing.T, expr string) {
		if len(expr) > 60 || strings.ContainsAny(expr, "*") || strings.Contains(expr, "now") || strings.Contains(expr, "local") {
			return
		}
		v := decoded(t, document)
		x, err := New("", expr)
		if err != nil {
			return
		}
		if _, err = x.Apply(t.Context(), v); errors.Is(err, ErrTooLarge) || err != nil && strings.Contains(err.Error(), "ran longer") {
			return
		}
		if diff := cmp.Diff(plain(expr, v), ours(expr, v)); diff != "" {
			t.Errorf("%s: want -, got +:\n%s", expr, diff)
		}
	})
}

func TestPreludeIsComplete(t *testing.T) {
	q, err := gojq.Parse(prelude + ".")
	if err != nil {
		t.Fatal(err)
	}
	sorted := order(q.FuncDefs)
	if len(sorted) != len(q.FuncDefs) {
		t.Fatalf("got %d definitions in order, want %d: they use each other in a circle", len(sorted), len(q.FuncDefs))
	}
	for i, d := range sorted {
		if d != q.FuncDefs[i] {
			t.Fatalf("definition %d is %s/%d, want %s/%d", i, q.FuncDefs[i].Name, len(q.FuncDefs[i].Args), d.Name, len(d.Args))
		}
	}
}

func BenchmarkPath(b *testing.B) {
	v := decoded(b, document)
	run := func(name string, f func()) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
	for _, expr := range []string{`.a[0].b`, `.l | map(. * 2 + 1) | add`, `"#" * (.l | length)`} {
		x, err := New("", expr)
		if err != nil {
			b.Fatal(err)
		}
		q, _ := gojq.Parse(expr)
		code, _ := gojq.Compile(q)
		run(expr+"/bounded", func() { x.Apply(b.Context(), v) })
		run(expr+"/gojq", func() { code.Run(v).Next() })
	}
}
