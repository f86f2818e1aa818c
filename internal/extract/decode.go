package extract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
)

// maxDigits is the longest integer kept exactly; a longer one becomes a float. Converting it takes time that grows with
// the square of its length, and Python draws the same line (sys.int_info.default_max_str_digits).
const maxDigits = 4300

// Decode reads one JSON value and nothing after it. The result is made of nil, bool, int, *big.Int (integers that int
// cannot hold), float64, string, []any and map[string]any: integers and floats stay apart, as formatting needs.
func Decode(body []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("not JSON: text after the value, at byte %d", d.InputOffset())
	}
	return numbers(v), nil
}

// Text is what a body stands for: its JSON value, or where it is no JSON, the body itself as a string.
func Text(body []byte) any {
	if v, err := Decode(body); err == nil {
		return v
	}
	return string(body)
}

// numbers replaces every json.Number in v, in place where it can.
func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		return number(string(v))
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

// number turns the text of a JSON number into the narrowest type that holds it: one with a point or an exponent is a float,
// also where its value is whole. A float too large is infinite, as in Python.
func number(s string) any {
	if !strings.ContainsAny(s, ".eE") && len(s) <= maxDigits {
		if i, err := strconv.Atoi(s); err == nil {
			return i
		}
		if b, ok := new(big.Int).SetString(s, 10); ok {
			return b
		}
	}
	f, _ := strconv.ParseFloat(s, 64) // the only error left is the range, and then f is infinite
	return f
}
