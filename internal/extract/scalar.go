package extract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxDigits is the maximum length of an exact integer. A longer integer becomes a float, because the time of the conversion grows with the
// square of the length. Python has the same limit (sys.int_info.default_max_str_digits).
const maxDigits = 4300

const (
	// intDigits is a number of digits with which every integer fits in an int.
	intDigits = 9 * strconv.IntSize / 32
	// maxCopied is the maximum length of a number for which the copy of its text does not count as memory (spend). The copy becomes garbage
	// at once.
	maxCopied = 19
)

func (d *decoder) word(w string) error {
	if !bytes.HasPrefix(d.text[d.pos:], []byte(w)) {
		return d.unexpected(w)
	}
	d.pos += len(w)
	return nil
}

// string() reads a text. The next character is its first quote.
func (d *decoder) string() (string, error) {
	start, escaped := d.pos, false
	for d.pos++; ; d.pos++ {
		if d.pos >= len(d.text) {
			return "", errors.New("a text without its closing quote")
		}
		switch c := d.text[d.pos]; {
		case c == '\\':
			escaped = true
			d.pos++
		case c < 0x20:
			return "", fmt.Errorf("%q inside a text", c)
		case c == '"':
			d.pos++
			return d.unquote(d.text[start:d.pos], escaped)
		}
	}
}

// unquote returns the text of a quoted string. `quoted` includes the quotes. Escapes and invalid UTF-8 are rare and are handled by
// encoding/json.
func (d *decoder) unquote(quoted []byte, escaped bool) (s string, err error) {
	inside := quoted[1 : len(quoted)-1]
	if err := d.spend(stringBytes + len(inside)); err != nil {
		return "", err
	}
	if !escaped && utf8.Valid(inside) {
		return string(inside), nil
	}
	if err := d.spend(3 * len(inside)); err != nil { // an invalid byte becomes three bytes
		return "", err
	}
	if json.Unmarshal(quoted, &s) != nil {
		return "", fmt.Errorf("a wrong escape in %.40q", inside)
	}
	return s, nil
}

// number() reads a number (RFC 8259, section 6).
func (d *decoder) number() (any, error) {
	start := d.pos
	d.accept("-")
	if !d.accept("0") && d.digits() == 0 {
		return nil, d.unexpected("a digit")
	}
	float := d.accept(".")
	if float && d.digits() == 0 {
		return nil, d.unexpected("a digit")
	}
	if d.accept("eE") {
		float = true
		d.accept("+-")
		if d.digits() == 0 {
			return nil, d.unexpected("a digit")
		}
	}
	digits := d.text[start:d.pos]
	cost := boxBytes
	if len(digits) > maxCopied || !float && len(digits) > intDigits { // the number may become a *big.Int
		cost += stringBytes + len(digits)
	}
	if err := d.spend(cost); err != nil {
		return nil, err
	}
	return toNumber(string(digits), float), nil
}

func (d *decoder) accept(any string) bool {
	if d.pos < len(d.text) && strings.IndexByte(any, d.text[d.pos]) >= 0 {
		d.pos++
		return true
	}
	return false
}

func (d *decoder) digits() int {
	start := d.pos
	for d.pos < len(d.text) && d.text[d.pos] >= '0' && d.text[d.pos] <= '9' {
		d.pos++
	}
	return d.pos - start
}

// toNumber converts a JSON number to int, *big.Int or float64. A number with a point or an exponent is a float, even if its value is an
// integer. A float that is too large becomes infinite, as in Python.
func toNumber(s string, float bool) any {
	if !float && len(s) <= maxDigits {
		if i, err := strconv.Atoi(s); err == nil {
			return i
		}
		if b, ok := new(big.Int).SetString(s, 10); ok {
			return b
		}
	}
	f, _ := strconv.ParseFloat(s, 64) // the only possible error is a number out of range, for which f is infinite
	return f
}
