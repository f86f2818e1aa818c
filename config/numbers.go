package config

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

func (d *decoder) integer(n *Node, v reflect.Value, f *Field) {
	x, ok := d.asNumber(n, f)
	if ok && f.Else != "" && d.wrongNumber(n, f, x) {
		least, _ := bound(f.Else)
		v.SetInt(int64(max(least, min(math.Trunc(x), math.MaxInt32))))
		return
	}
	if !ok || x != math.Trunc(x) || math.Abs(x) > math.MaxInt32 {
		d.noNumber(n, "must be a whole number, not %s", nil)
		return
	}
	if d.inRange(n, f, x) && (len(f.Enum) == 0 || d.allowed(n, f)) {
		v.SetInt(int64(x))
	}
}

func (d *decoder) number(n *Node, f *Field) (float64, bool) {
	x, ok := d.asNumber(n, f)
	if !ok {
		d.noNumber(n, "must be a number, not %s", commaNumber)
		return 0, false
	}
	return x, d.inRange(n, f, x)
}

var numberAndUnit = regexp.MustCompile(`^\s*(-?[0-9]+(?:\.[0-9]+)?)\s*(px|s|ms|sec|min|%|°)?\s*$`)

// noNumber reports that the value of n is not a number. If possible, it suggests the number that the user probably meant. `format` is the
// message, with a verb such as %s for the value. `comma` matches numbers with a decimal comma; nil if a decimal number is not valid either.
func (d *decoder) noNumber(n *Node, format string, comma *regexp.Regexp) {
	diag := diagnose(n, Error, fmt.Sprintf(format, n.Shown()))
	if m := numberAndUnit.FindStringSubmatch(n.text); m != nil && n.kind == String && !n.secret {
		if diag.Near = m[1]; m[2] == "" {
			diag.Message += ": it is in quotes"
		} else if m[2] == "px" || m[2] == "s" {
			diag.Message += ": the unit is known"
		} else {
			diag.Near = ""
		}
	}
	if n.kind == String && !n.secret && comma != nil && comma.MatchString(n.text) {
		diag.Message += takesDot
		diag.Near = strings.Replace(n.text, ",", ".", 1)
	}
	d.report.Add(diag)
}

// commaNumber matches a number with a decimal comma.
var commaNumber = regexp.MustCompile(`^[-+]?[0-9]+,[0-9]+$`)

// takesDot is the explanation of an error for a number with a decimal comma.
const takesDot = ": a number takes a dot"

// decimalComma matches a decimal comma, also before a unit.
var decimalComma = regexp.MustCompile(`([0-9]),([0-9])`)

// withDot returns the text of n with dots instead of decimal commas if that text is valid for v. Otherwise it returns "".
func (d *decoder) withDot(n *Node, v reflect.Value, f *Field) string {
	text := decimalComma.ReplaceAllString(n.text, "$1.$2")
	if n.kind != String || n.secret || text == n.text {
		return ""
	}
	other, r := *n, Report{}
	other.text = text
	(&decoder{report: &r, opts: d.opts}).value(other.typed(resolvePlain(text)), reflect.New(v.Type()).Elem(), f)
	if r.Failed() {
		return ""
	}
	return text
}

// asNumber returns a finite number. If the field allows it, the number may be written as text. ok is false if n is not a number.
func (d *decoder) asNumber(n *Node, f *Field) (float64, bool) {
	switch x := n.value.(type) {
	case int:
		return float64(x), n.kind == Int
	case float64:
		return x, n.kind == Float && !math.IsNaN(x) && !math.IsInf(x, 0)
	case string:
		if f.Numeric {
			return parseNumber(x)
		}
	}
	return 0, false
}

// wrongNumber adds a warning about a number that is not whole or is below the minimum. If the number is valid, it adds no warning and
// returns false.
func (d *decoder) wrongNumber(n *Node, f *Field, x float64) bool {
	least, hasLeast := bound(f.Min)
	if x == math.Trunc(x) && (!hasLeast || x >= least) {
		return false
	}
	d.report.Tolerate(n, "must be a whole number of %s, not %s; it counts as the nearest one", rangeText(f), n.Shown())
	return true
}

func (d *decoder) inRange(n *Node, f *Field, x float64) bool {
	least, hasLeast := bound(f.Min)
	most, hasMost := bound(f.Max)
	if (!hasLeast || x >= least) && (!hasMost || x <= most) {
		return true
	}
	d.report.Errorf(n, "must be %s, not %s", rangeText(f), n.Shown())
	return false
}

func rangeText(f *Field) string {
	unit := ""
	if f.Unit != "" {
		unit = " " + f.Unit
	}
	switch {
	case f.Max == "":
		return "at least " + f.Min + unit
	case f.Min == "":
		return "at most " + f.Max + unit
	}
	return "between " + f.Min + " and " + f.Max + unit
}

func bound(s string) (float64, bool) {
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil
}
