package verb

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Kind is the type of a parameter's value.
type Kind int

// The kinds of parameters. Each comment names the Go type of the value in [Args].
const (
	Text    Kind = iota // string
	Seconds             // time.Duration; a number of seconds in JSON
	Share               // float64 from 0 to 1, or -1 for auto; "40%", 0.4 or "auto" in JSON
	Whole               // int
	Number              // float64
	Object              // json.RawMessage: an object
	Body                // json.RawMessage: the whole body of the request
)

// MaxText is the maximum length of a text that has no other limit, in bytes.
const MaxText = 255

// A Param describes a parameter of a verb.
type Param struct {
	Name     string
	Kind     Kind
	Required bool
	Words    []string // allowed texts; nil allows every text
	Min, Max float64  // limits of a number, or of a time in seconds; a Max of 0 is no limit
	Above    bool     // whether the value must be greater than Min, not equal
	Long     int      // maximum length in bytes; 0 means MaxText
	Secret   bool     // whether the value must not be logged
	Late     bool     // whether the effect of the verb checks the value after other arguments
	Wrong    error    // error for an invalid value; nil if the error is made from the other fields
	Help     string
}

// ErrTooLong is returned for a text that exceeds its limit.
var ErrTooLong = fmt.Errorf("a name may have at most %d bytes, a notification %d", MaxText, MaxBody)

// An errKind is the error for a value of the wrong type. Its text is the end of a sentence that begins with ErrBody.
type errKind struct{ error }

// Limit returns the maximum length of a text, in bytes.
func (p *Param) Limit() int {
	if p.Long > 0 {
		return p.Long
	}
	return MaxText
}

// check returns an error if the value is invalid.
func (p *Param) check(v any) error {
	switch v := v.(type) {
	case string:
		switch {
		case p.Kind != Text:
			return p.mismatch()
		case len(v) > p.Limit():
			return ErrTooLong
		case p.Words != nil && !p.Late && !slices.Contains(p.Words, v):
			return p.wrong()
		}
		return nil
	case time.Duration:
		return p.within(p.Kind == Seconds, v.Seconds())
	case int:
		return p.within(p.Kind == Whole, float64(v))
	case float64:
		if p.Kind == Share {
			return p.share(v)
		}
		return p.within(p.Kind == Number, v)
	case json.RawMessage:
		if p.Kind != Object && p.Kind != Body {
			return p.mismatch()
		}
		if p.Long > 0 && len(v) > p.Long {
			return ErrTooLong
		}
		return nil
	}
	return p.mismatch()
}

func (p *Param) share(v float64) error {
	if math.IsNaN(v) || v > 1 || v < 0 && v != -1 {
		return p.wrong()
	}
	return nil
}

// within() returns an error if a number is outside the limits. `right` is false if the value has the wrong type.
func (p *Param) within(right bool, v float64) error {
	switch {
	case !right:
		return p.mismatch()
	case math.IsNaN(v) || v < p.Min || p.Above && v == p.Min || p.Max > 0 && v > p.Max:
		return p.wrong()
	}
	return nil
}

// wrong() returns the error for an invalid value.
func (p *Param) wrong() error {
	if p.Wrong != nil {
		return p.Wrong
	}
	return fmt.Errorf("'%s' must be %s", p.Name, p.Allowed())
}

// mismatch returns the error for a value of the wrong type.
func (p *Param) mismatch() error {
	if p.Wrong != nil && (p.Kind == Share || p.Words != nil) {
		return p.Wrong
	}
	return errKind{fmt.Errorf("'%s' must be %s", p.Name, p.Allowed())}
}

// missing() returns the error for a required parameter that is missing.
func (p *Param) missing() error {
	if p.Wrong != nil {
		return p.Wrong
	}
	return fmt.Errorf("'%s' is required: %s", p.Name, strings.ReplaceAll(p.Help, "`", ""))
}

// Allowed describes the valid values in words, for documents.
func (p *Param) Allowed() string {
	limits := ""
	if p.Max > 0 {
		limits = fmt.Sprintf(" from %s to %s", plain(p.Min), plain(p.Max))
		if p.Above {
			limits = fmt.Sprintf(" above %s, at most %s", plain(p.Min), plain(p.Max))
		}
	}
	switch p.Kind {
	case Text:
		if p.Words != nil {
			return "one of: " + strings.Join(p.Words, ", ")
		}
		return "a text"
	case Seconds:
		return "seconds" + limits
	case Share:
		return "a share such as \"40%\" or 0.4, or \"auto\""
	case Whole:
		return "a whole number" + limits
	case Number:
		return "a number" + limits
	}
	return "a JSON object"
}

func plain(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// read decodes a JSON value. ok is false if the value is null.
func (p *Param) read(raw json.RawMessage) (v any, ok bool, err error) {
	if string(raw) == "null" {
		return nil, false, nil
	}
	switch p.Kind {
	case Text:
		var s string
		err = json.Unmarshal(raw, &s)
		v = s
	case Seconds:
		v, err = seconds(raw)
	case Whole:
		var n int
		err = json.Unmarshal(raw, &n)
		v = n
	case Number:
		var x float64
		err = json.Unmarshal(raw, &x)
		v = x
	case Share:
		v, err = readShare(raw)
	default:
		var m map[string]json.RawMessage
		err = json.Unmarshal(raw, &m)
		v = raw
	}
	if err != nil {
		return nil, false, p.mismatch()
	}
	return v, true, nil
}

var errShare = errors.New("no share")

// readShare decodes a brightness: "40%", 0.4 or "auto".
func readShare(raw json.RawMessage) (float64, error) {
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return 0, err
	}
	switch v := v.(type) {
	case float64:
		if v >= 0 && v <= 1 {
			return v, nil
		}
	case string:
		if v == "auto" {
			return -1, nil
		}
		bare, cut := strings.CutSuffix(v, "%")
		x, err := strconv.ParseFloat(strings.TrimSpace(bare), 64)
		if x /= 100; cut && err == nil && x >= 0 && x <= 1 {
			return x, nil
		}
	}
	return 0, errShare
}

// mostSeconds is greater than every limit of a verb, but fits into a time.Duration.
const mostSeconds = 366 * 24 * 3600

// seconds() decodes a duration. Less than half a nanosecond becomes 0.
func seconds(raw json.RawMessage) (time.Duration, error) {
	var s float64
	if err := json.Unmarshal(raw, &s); err != nil {
		return 0, err
	}
	return time.Duration(math.Round(max(-mostSeconds, min(s, mostSeconds)) * float64(time.Second))), nil
}
