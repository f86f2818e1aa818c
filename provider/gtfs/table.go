package gtfs

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxRecord is the maximum length of a record, in bytes. The longest records in real feeds have descriptions of a few kilobytes.
const maxRecord = 64 << 10

// maxColumns is the maximum number of columns. The reference describes at most 30 columns for a table.
const maxColumns = 100

// errRecord is returned for a record that is too long.
var errRecord = errors.New("a record is too long")

// A table reads the records of one table of a feed: CSV (RFC 4180) in UTF-8. The first record has the names of the columns. encoding/csv
// is not used, because it does not limit the length of a quoted field. A table has one record in memory at a time.
type table struct {
	in     *bufio.Reader
	record []byte   // text of the record without quotes
	fields [][]byte // fields of the record; they are parts of the field `record`
	ends   []int
	at     []int // index in `fields` for each wanted column; -1 if the column is missing
	row    int
}

// openTable reads the names of the columns and finds the wanted columns.
func openTable(r io.Reader, wanted ...string) (*table, error) {
	t := &table{in: bufio.NewReaderSize(r, maxRecord)}
	if bom, _ := t.in.Peek(3); bytes.Equal(bom, []byte("\xef\xbb\xbf")) {
		t.in.Discard(len(bom))
	}
	if err := t.next(); err != nil {
		return nil, err
	}
	t.at = make([]int, len(wanted))
	for i, name := range wanted {
		t.at[i] = -1
		for k, field := range t.fields {
			if string(bytes.TrimSpace(field)) == name {
				t.at[i] = k
			}
		}
	}
	return t, nil
}

// field() returns the field of the wanted column with index i, or nil if the column is missing. The result is valid until the next record
// is read.
func (t *table) field(i int) []byte {
	if k := t.at[i]; k >= 0 && k < len(t.fields) {
		return bytes.TrimSpace(t.fields[k])
	}
	return nil
}

// text() returns the field of the wanted column with index i as a string.
func (t *table) text(i int) string { return string(t.field(i)) }

// number() returns the field of the wanted column with index i as a number. For a field that is not a number of one to nine digits, it
// returns the argument `otherwise`.
func (t *table) number(i int, otherwise int32) int32 {
	n, ok := digits(t.field(i))
	if !ok {
		return otherwise
	}
	return n
}

// digits() converts a number without a sign. ok is false for any other text.
func digits(b []byte) (n int32, ok bool) {
	const most = 9
	if len(b) == 0 || len(b) > most {
		return 0, false
	}
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int32(c-'0')
	}
	return n, true
}

// next() reads the next record that is not empty. At the end of the table it returns io.EOF.
func (t *table) next() error {
	for {
		err := t.read()
		if err != nil {
			return err
		}
		t.row++
		if len(t.ends) > 1 || len(t.record) > 0 {
			break
		}
	}
	t.fields = t.fields[:0]
	from := 0
	for _, end := range t.ends {
		t.fields = append(t.fields, t.record[from:end])
		from = end
	}
	return nil
}

// read reads the next record into the struct fields `record` and `ends`.
func (t *table) read() error {
	t.record, t.ends = t.record[:0], t.ends[:0]
	quoted := false
	for {
		line, err := t.in.ReadSlice('\n')
		if err != nil && (err != io.EOF || len(line) == 0 && len(t.record) == 0) {
			if err == bufio.ErrBufferFull {
				err = fmt.Errorf("record %d: %w: more than %d bytes", t.row+1, errRecord, maxRecord)
			}
			return err
		}
		if quoted = t.split(line, quoted); len(t.record) > maxRecord || len(t.ends) > maxColumns {
			return fmt.Errorf("record %d: %w: more than %d bytes or %d columns", t.row+1, errRecord, maxRecord, maxColumns)
		}
		if !quoted || err == io.EOF {
			t.ends = append(t.ends, len(t.record))
			return nil
		}
	}
}

// split() adds the text of a line to the record. `quoted` reports whether the line begins inside quotes. The result reports whether the
// line ends inside quotes. split() does not add the end of the line's last field to `ends`.
func (t *table) split(line []byte, quoted bool) bool {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"' && quoted && i+1 < len(line) && line[i+1] == '"':
			t.record = append(t.record, '"')
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
			t.record = append(t.record, c)
		case c == ',':
			t.ends = append(t.ends, len(t.record))
		case c != '\r' && c != '\n':
			t.record = append(t.record, c)
		}
	}
	return quoted
}
