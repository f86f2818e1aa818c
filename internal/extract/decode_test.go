package extract

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"dashboard/internal/budget"
	"dashboard/internal/testing/thorough"
)

// reference() is a variant of Decode that uses encoding/json. Unlike Decode, it builds the whole value before it counts the memory.
func reference(body []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("more")
	}
	return numbers(v), nil
}

func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		return toNumber(string(v), strings.ContainsAny(string(v), ".eE"))
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for k, e := range v {
			v[k] = numbers(e)
		}
	}
	return v
}

var documents = []string{
	document, ``, ` `, `{}`, `[]`, `[[],{}]`, `{"a":[],"b":{}}`, `[1,]`, `[,1]`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{1:2}`, `{"a":1 "b":2}`, `[1 2]`,
	`tru`, `truex`, `nul`, `01`, `-`, `-1`, `1.`, `.5`, `1e`, `1e+`, `1E-2`, `+1`, `0x1`, `1 1`, `"a`, `"\`, `"\x"`, `"\u12"`, `"\ud834\udd1e"`, `"\ud834"`, `"\udd1e"`,
	"\"a\tb\"", "\"\xff\"", "\"\xc3\"", "{\"\xff\":1,\"\xfe\":2}", `"\"\\\/\b\f\n\r\t"`, "\u00a01", "[1]\n", "\t[\r1\n]", `{"a":{"a":{"a":1}},"a":2}`,
	`[{"":0},{"":0}]`, `["a","b",["c",{"d":[1,2,3]}],4.5e3]`, `18446744073709551616`, `-9223372036854775808`,
}

func FuzzDecode(f *testing.F) {
	for _, d := range documents {
		f.Add([]byte(d))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		got, err := Decode(t.Context(), body)
		want, wantErr := reference(UTF8(body))
		if (err != nil) != (wantErr != nil) {
			t.Fatalf("%q: got error %v, want %v", body, err, wantErr)
		}
		big := cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })
		if diff := cmp.Diff(want, got, big, cmpopts.EquateNaNs()); diff != "" {
			t.Fatalf("%q: want -, got +:\n%s", body, diff)
		}
	})
}

func TestDecodeErrors(t *testing.T) {
	for body, want := range map[string]string{
		"":                              "not JSON: line 1, column 1: it ends where a value should be",
		"{\n  \"a\": tru }":             "not JSON: line 2, column 8: 't' where true should be",
		"[1 2]":                         "not JSON: line 1, column 4: '2' where ',' or ']' should be",
		"{'a': 1}":                      `not JSON: line 1, column 2: '\'' where a key in double quotes should be`,
		"<html>":                        "not JSON: line 1, column 1: '<' where a value should be",
		"{} x":                          "not JSON: line 1, column 4: text after the value",
		`["a`:                           "not JSON: line 1, column 4: a text without its closing quote",
		"\xef\xbb\xbf[1 x":              "not JSON: line 1, column 4: 'x' where ',' or ']' should be",
		strings.Repeat("[", maxDepth+1): "not JSON: line 1, column 10001: more than 10000 lists and mappings in each other",
	} {
		if _, err := Decode(t.Context(), []byte(body)); err == nil || err.Error() != want {
			t.Errorf("%.20q: got %v, want %s", body, err, want)
		}
	}
}

// TestIntegerMemory checks that integers near the limits of int are exact, and that their memory is counted.
func TestIntegerMemory(t *testing.T) {
	for _, n := range []string{
		"0", "-1", "2147483647", "-2147483648", "2147483648", "999999999999999999", "-999999999999999999",
		"9223372036854775807", "-9223372036854775808", "9223372036854775808", "-9223372036854775809", "9999999999999999999", "18446744073709551616",
	} {
		m := meter{ctx: t.Context()}
		v, err := decode([]byte(n), &m)
		if err != nil || fmt.Sprint(v) != n {
			t.Errorf("%s: got %v, %v", n, v, err)
		}
		if need := Size(v) - valueBytes; m.spent < need {
			t.Errorf("%s: the budget has %d bytes, the value needs %d", n, m.spent, need)
		}
	}
}

func TestByteOrderMark(t *testing.T) {
	got, err := Decode(t.Context(), []byte("\xef\xbb\xbf{\"a\":1}"))
	if diff := cmp.Diff(any(map[string]any{"a": 1}), got); diff != "" || err != nil {
		t.Errorf("error %v; want -, got +:\n%s", err, diff)
	}
}

// `bodies` are documents of 5 MiB. Each document repeats one short text.
var bodies = []struct {
	name, piece string
	refused     bool
}{
	{"tiny mappings", `{"":0},`, true},
	{"empty mappings", `{},`, true},
	{"empty lists", `[],`, true},
	{"small lists", `[1],`, true},
	{"digits", `1,`, true},
	{"empty texts", `"",`, true},
	{"measurements", `21.53,`, false},
	{"coordinates", `[12.123456,47.123456],`, false},
	{"entities", `{"entity_id":"sensor.temperature_kitchen","state":"21.5","attributes":{"unit_of_measurement":"°C","friendly_name":"Kitchen"},"last_changed":"2026-01-02T03:04:05.678901+00:00"},`, false},
	{"long texts", `"` + strings.Repeat("x", 1000) + `",`, false},
}

func bodyOf(piece string) []byte {
	const size = 5 << 20
	return []byte("[" + strings.TrimSuffix(strings.Repeat(piece, size/len(piece)), ",") + "]")
}

// inFull is the flag that `make long` sets.
var inFull = flag.Bool("long", false, "large bodies of every kind instead of four")

// TestLargeBodies compares the memory that decoding allocates, including the garbage, with the budget.
func TestLargeBodies(t *testing.T) {
	thorough.Only(t)
	for _, tt := range bodies {
		if !*inFull && !slices.Contains([]string{"tiny mappings", "empty texts", "entities", "long texts"}, tt.name) {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			body := bodyOf(tt.piece)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			v, err := Decode(t.Context(), body)
			runtime.ReadMemStats(&after)
			made := after.TotalAlloc - before.TotalAlloc
			t.Logf("made %d MiB, error %v", made>>20, err)
			if made > 2*maxMemory { // twice the budget is allowed, because stacks leave garbage when they grow
				t.Errorf("made %d MiB, more than the budget", made>>20)
			}
			if refused := errors.Is(err, ErrTooLarge); refused != tt.refused {
				t.Errorf("got error %v, want refused %v", err, tt.refused)
			}
			runtime.KeepAlive(v)
			first, _ := New("[0]", "")
			if x, err := first.Read(t.Context(), body); (err != nil) != tt.refused {
				t.Errorf("a part of it: got %.20v, %v", x, err)
			}
			// Without a path, the result is the whole value. A provider would store this value, so it is also limited by maxKept.
			if x, err := new(Extractor).Read(t.Context(), body); (err != nil) != (tt.refused || size(v, 1) > maxKept) {
				t.Errorf("all of it: got %.20v, %v", x, err)
			}
		})
	}
}

// While a large body is in memory, Decode waits with another large body until the first body is done. If the context of the waiting call
// ends, the call returns an error. A small body does not wait.
func TestOneLargeAtATime(t *testing.T) {
	synctest.Test(t, oneLargeAtATime)
}

func oneLargeAtATime(t *testing.T) {
	ctx := budget.With(t.Context(), budget.New())
	holder := meter{ctx: ctx}
	if !holder.spend(smallMemory + 1) {
		t.Fatal("the budget is empty")
	}
	if _, err := Decode(ctx, []byte(document)); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(ctx)
	gaveUp, finished := make(chan error, 2), make(chan error, 1)
	go func() { _, err := Decode(ended, bodyOf(`21.53,`)); gaveUp <- err }()
	go func() { _, err := Decode(ended, bodyOf("\"K\xfcche\",")); gaveUp <- err }() // Latin-1, whose conversion needs memory too
	go func() { _, err := Decode(ctx, bodyOf(`21.53,`)); finished <- err }()
	synctest.Wait()
	if len(gaveUp)+len(finished) > 0 {
		t.Error("a second large body was decoded meanwhile")
	}
	cancel()
	for range 2 {
		if err := <-gaveUp; !errors.Is(err, context.Canceled) {
			t.Errorf("its context has ended: got %v", err)
		}
	}
	holder.done()
	if err := <-finished; errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func BenchmarkDecode(b *testing.B) {
	body := bodyOf(bodies[8].piece)[:1<<20]
	body = append(body[:bytes.LastIndex(body, []byte("},{"))], "}]"...)
	for name, f := range map[string]func([]byte) (any, error){"counted": func(body []byte) (any, error) { return Decode(b.Context(), body) }, "encoding_json": reference} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				if _, err := f(body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
