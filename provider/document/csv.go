package document

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// longestNumber is the maximum length, in bytes, of a cell that is read as a number. A longer number could lose digits as a float64 or an
// int.
const longestNumber = 18

// maxCells is the maximum number of separators in a whole table. It limits memory, because the library uses 24 bytes for each cell of a
// row before it returns the row.
const maxCells = 350_000

// ReadCSV returns the rows of a table (RFC 4180). Each row is a mapping whose keys are the names in the first line. The separator is the
// comma, semicolon, tab or bar that is most frequent in the first line. A decimal number is read as a number. The number may have a
// decimal comma, unless commas separate the cells. Missing cells of a short row are null. Cells to the right of the last column name are
// omitted.
func ReadCSV(ctx context.Context, body []byte) ([]any, error) {
	release, err := turn(ctx, body)
	if err != nil {
		return nil, err
	}
	defer release()
	text := toUTF8(body, "")
	sign := separator(text)
	if strings.Count(text, string(sign)) > maxCells {
		return nil, errMemory
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes, r.ReuseRecord = sign, -1, true, true
	first, err := r.Read()
	if err == io.EOF {
		return []any{}, nil
	}
	if err != nil {
		return nil, badCSV(err)
	}
	if len(first) > MaxColumns {
		return nil, fmt.Errorf("%w: a table of more than %d columns", ErrTooLarge, MaxColumns)
	}
	names := columnNames(first)
	rows, budget := []any{}, MaxMemory
	for {
		record, err := r.Read()
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return nil, badCSV(err)
		}
		budget -= rowBytes + cellBytes*len(names)
		for _, cell := range record {
			budget -= len(cell)
		}
		if budget < 0 {
			return nil, errMemory
		}
		rows = append(rows, row(names, record, sign != ','))
	}
}

func badCSV(err error) error {
	var p *csv.ParseError
	if errors.As(err, &p) {
		return fmt.Errorf("not CSV: line %d: %w", p.Line, p.Err)
	}
	return fmt.Errorf("not CSV: %w", err)
}

// separator returns the character that separates the cells.
func separator(text string) rune {
	line, _, _ := strings.Cut(text, "\n")
	best, most := ',', 0
	for _, sign := range []rune{',', ';', '\t', '|'} {
		if n := strings.Count(line, string(sign)); n > most {
			best, most = sign, n
		}
	}
	return best
}

// columnNames returns the names of the columns without surrounding blanks. A column without a name gets its number as its name. The first
// column has the number 1. If a name occurs again, the number of the later column is appended to the name.
func columnNames(first []string) []string {
	names, seen := make([]string, len(first)), map[string]bool{}
	for i, n := range first {
		n = strings.Clone(strings.TrimSpace(n))
		if n == "" || seen[n] {
			n += strconv.Itoa(i + 1)
		}
		names[i], seen[n] = n, true
	}
	return names
}

func row(names, record []string, comma bool) map[string]any {
	m := make(map[string]any, len(names))
	for i, n := range names {
		m[n] = nil
		if i < len(record) {
			m[n] = cell(record[i], comma)
		}
	}
	return m
}

// commaNumber matches a number with a decimal comma, such as 1,5 or 1.234,5.
var commaNumber = regexp.MustCompile(`^-?(?:[0-9]+|[0-9]{1,3}(?:\.[0-9]{3})+),[0-9]+$`)

// cell returns the value of a cell. A plain decimal number becomes a number. The number may have a decimal comma if the argument `comma`
// is true. Any other text, such as 007 or 1e5, stays text.
func cell(s string, comma bool) any {
	t := strings.TrimSpace(s)
	if comma && len(t) <= longestNumber && strings.Contains(t, ",") && commaNumber.MatchString(t) {
		t = strings.Replace(strings.ReplaceAll(t, ".", ""), ",", ".", 1)
	}
	digits := strings.TrimLeft(t, "-")
	plain := t != "" && len(t) <= longestNumber && len(t)-len(digits) <= 1 && strings.Trim(t, "-.0123456789") == ""
	if plain && (digits == "0" || !strings.HasPrefix(digits, "0") || strings.HasPrefix(digits, "0.")) {
		if i, err := strconv.Atoi(t); err == nil {
			return i
		}
		if f, err := strconv.ParseFloat(t, 64); err == nil {
			return f
		}
	}
	return strings.Clone(s)
}
