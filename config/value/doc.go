// Package value contains the types of parameters in a wall's files, such as lengths, times, days, locations and conditions.
//
// Each type decodes a node of a configuration ([config.NodeSetter]). It reads the original text of the node and not its YAML 1.1 value,
// so that 22:00 is a time and not 1320. Each type has a name in the documents and a JSON Schema.
package value

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"dashboard/config"
	"dashboard/internal/spelling"
)

// A wordError is an error with a suggestion: the word that the user probably meant.
type wordError struct {
	text, near string
}

func (e wordError) Error() string { return e.text }

// Near returns the suggested word.
func (e wordError) Near() string { return e.near }

// unknown() returns the error for a word that is not in the list `words`. The suggestion is the most similar word in the list.
func unknown(word string, words []string, format string, args ...any) error {
	return wordError{fmt.Sprintf(format, args...), spelling.Nearest(word, words)}
}

// scalar returns the original text of a scalar. For lists and mappings, ok is false.
func scalar(n *config.Node) (text string, ok bool) {
	switch n.Kind() {
	case config.String, config.Int, config.Float, config.Bool:
		return strings.TrimSpace(n.Text()), true
	}
	return "", false
}

// number parses a finite decimal number without an exponent.
func number(s string) (float64, bool) {
	if s == "" || strings.Trim(s, "+-.0123456789") != "" {
		return 0, false
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil && !math.IsInf(x, 0)
}

// amount returns the number in a node, which may be a number or a text.
func amount(n *config.Node) (float64, bool) {
	switch x := n.Value().(type) {
	case int:
		return float64(x), !strings.Contains(n.Text(), ":") // reject 1:30, which YAML reads as the number 90
	case float64:
		return x, !math.IsNaN(x) && !math.IsInf(x, 0) && !strings.Contains(n.Text(), ":")
	case string:
		return number(strings.TrimSpace(x))
	}
	return 0, false
}

// mustBe returns the error for a value with the wrong type. `what` describes the right type.
func mustBe(what string, n *config.Node) error {
	return errors.New("must be " + what + ", not " + n.Shown())
}

func textSchema(pattern, complaint string) map[string]any {
	return map[string]any{"type": "string", "pattern": pattern, "patternErrorMessage": complaint}
}

func anyOf(schemas ...any) map[string]any { return map[string]any{"anyOf": schemas} }

func numberSchema(least float64) map[string]any {
	return map[string]any{"type": "number", "minimum": least}
}
