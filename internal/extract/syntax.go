package extract

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/itchyny/gojq"
)

// parse parses a jq program. If the program is not valid, the error names the place and the remedy.
func parse(source string) (*gojq.Query, error) {
	q, err := gojq.Parse(source)
	var wrong *gojq.ParseError
	if !errors.As(err, &wrong) {
		return q, err
	}
	switch text := err.Error(); text {
	case "unexpected EOF":
		return nil, errors.New("the program ends too early: add what belongs after its last operator, or the closing bracket")
	case "unterminated string literal":
		return nil, errors.New(`a text has no end: add the closing "`)
	default:
		at := max(0, min(wrong.Offset, len(source))-len(wrong.Token))
		return nil, fmt.Errorf("%s at character %d", text, utf8.RuneCountInString(source[:at])+1)
	}
}
