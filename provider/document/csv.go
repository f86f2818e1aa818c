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

// longestNumber bounds the bytes of a cell that is read as a number, so that a float64 or an int holds all of its digits.
const longestNumber = 18

// maxCells bounds the separators in a whole table, because the library uses 24 bytes for each cell of a row before it returns the
// row.
const maxCells = 350_000

// ReadCSV returns the rows of a table as mappings by the names of its first line (RFC 4180). Columns are separated by the sign that
// is most frequent in the first line: comma, semicolon, tab or bar. A decimal number is read as a number. It may have a decimal
// comma, unless commas separate the columns. If a row is too short, the missing cells are null. Cells beyond the names are left
// out.
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

// separator returns the sign that separates the columns.
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

// columnNames trims names. A column without a name gets its number, counted from 1, as its name. If two columns have the same name,
// the number is added to the later one.
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

// commaNumber matches a number with a decimal comma: 1,5 and 1.234,5.
var commaNumber = regexp.MustCompile(`^-?(?:[0-9]+|[0-9]{1,3}(?:\.[0-9]{3})+),[0-9]+$`)

// cell returns a number if a text is a plain decimal number, with a decimal comma if comma is true. 007 and 1e5 are texts.
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
