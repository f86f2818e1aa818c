package gtfs

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxRecord bounds the bytes of a record. The longest ones in real feeds are descriptions of some kilobytes.
const maxRecord = 64 << 10

// maxColumns bounds the columns of a table. The reference has at most 30.
const maxColumns = 100

// errRecord is the error for a record that is too long.
var errRecord = errors.New("a record is too long")

// A table reads the records of a file of a feed: CSV (RFC 4180) in UTF-8 with names in the first record. encoding/csv is not used,
// because it reads a quoted field without a bound. A table holds one record, and reuses its memory for the next one.
type table struct {
	in     *bufio.Reader
	record []byte   // the record without quotes
	fields [][]byte // parts of record
	ends   []int
	at     []int // index in fields of each wanted column, or -1
	row    int
}

// openTable reads the names of the columns. For a missing column, at is -1.
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

// field returns the field of the wanted column i, or nil. It is valid until the next record.
func (t *table) field(i int) []byte {
	if k := t.at[i]; k >= 0 && k < len(t.fields) {
		return bytes.TrimSpace(t.fields[k])
	}
	return nil
}

// text returns the field as a string.
func (t *table) text(i int) string { return string(t.field(i)) }

// number returns the field as a number of at most nine digits. If it is not such a number, number returns otherwise.
func (t *table) number(i int, otherwise int32) int32 {
	n, ok := digits(t.field(i))
	if !ok {
		return otherwise
	}
	return n
}

// digits reads a number without a sign.
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

// next reads the next record that is not empty. At the end it returns io.EOF.
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

// read reads the next record into the fields record and ends.
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

// split appends the fields of a line, which may begin and end inside quotes. The last field of the record has no end yet.
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
