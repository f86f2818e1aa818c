package server

import (
	"math/big"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"dashboard/output/trmnl"
)

// FuzzReaderLog sends any body as the log of an e-reader. The result is a list of lines within the limit, or a refusal.
func FuzzReaderLog(f *testing.F) {
	for _, body := range []string{
		`{"logs":[{"message":"x","id":1}]}`, `{"log":{"logs_array":["a","b"]}}`, `{"logs":[1,null,[],"é"]}`, `{"logs":null}`, `{}`, `[]`, `{"logs":`, "",
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		lines, ok := logLines([]byte(body))
		if len(lines) > trmnl.MaxLines || !ok && lines != nil {
			t.Errorf("%q: got %d lines, %v", body, len(lines), ok)
		}
	})
}

// pythonInt is the syntax of Python's int(), except for digits of other scripts.
var pythonInt = regexp.MustCompile(`^[+-]?[0-9]+(_[0-9]+)*$`)

// FuzzSize compares size with a simple version that uses a regular expression and numbers of any length.
func FuzzSize(f *testing.F) {
	for _, query := range []string{
		"", "width=1366&height=768", "width=1", "height=1", "width=&height=", "width=a&height=b", "width=12.5&height=1", "width=0&height=0",
		"width=7680&height=7680", "width=7681&height=1", "width=-1&height=1", "width=+1&height=%2B1", "width=%201_0%20&height=008", "width=_1&height=1_",
		"width=1__0&height=1", "width=1&width=2&height=3", "width=99999999999999999999&height=1", "width=%zz&height=1", "width=1;height=1", "&&&=", "width=\u0661&height=1",
		"width=--1&height=+-1", "width=0x10&height=1e3", "WIDTH=1&HEIGHT=1", "width=%00&height=1",
	} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) {
		q, _ := url.ParseQuery(query) // invalid parts of the query are left out, as in URL.Query
		w, h, err := size(q)
		wantW, wantH, want := slowSize(q)
		if w != wantW || h != wantH || err != want {
			t.Errorf("%q: got %d, %d, %v, want %d, %d, %v", query, w, h, err, wantW, wantH, want)
		}
	})
}

// slowSize is a simple version of size.
func slowSize(q url.Values) (w, h int, err error) {
	if !q.Has("width") && !q.Has("height") {
		return 0, 0, nil
	}
	var side [2]int64
	for i, key := range []string{"width", "height"} {
		text := strings.TrimSpace(q.Get(key))
		if !pythonInt.MatchString(text) {
			return 0, 0, errSizeGiven
		}
		n, _ := new(big.Int).SetString(strings.ReplaceAll(text, "_", ""), 10)
		side[i] = -1
		if n.IsInt64() {
			side[i] = n.Int64()
		}
	}
	for _, n := range side {
		if n < 1 || n > 7680 {
			return 0, 0, errSizeRange
		}
	}
	return int(side[0]), int(side[1]), nil
}
