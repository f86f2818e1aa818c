package markdown

import "bytes"

const (
	// maxMarkers is the maximum number of quotes and lists that begin in one line. For each new quote or list, the parser checks all open
	// quotes and lists.
	maxMarkers = 4 * maxDepth
	// maxSigns is the maximum number of signs of emphasis, links and code between two blank lines. For each sign the parser looks back at
	// the previous signs.
	maxSigns = 1024
)

// bounded() changes a text so that the parser needs time in proportion to its length. It cuts lines in which too many quotes and lists
// begin. In a table, it removes the rows after MaxCells cells. After every maxSigns signs it inserts a blank line.
func bounded(src []byte) []byte {
	out := make([]byte, 0, len(src)+len(src)/maxSigns*2+2)
	signs, rows, table := 0, 0, false
	for len(src) > 0 {
		end := bytes.IndexByte(src, '\n') + 1
		if end == 0 {
			end = len(src)
		}
		line := src[:end]
		src = src[end:]
		if len(bytes.TrimLeft(line, "> \t\r\n")) == 0 {
			signs, table = 0, false
		}
		if table {
			if rows--; rows < 0 {
				continue
			}
		}
		if n := columns(line); n > 0 {
			if !table || MaxCells/n < rows {
				rows = MaxCells / n
			}
			table = true
		}
		out, signs = appendBounded(out, shallow(line), signs)
	}
	return out
}

// columns() returns the number of columns of a table if `line` is the line below the table's head. For other lines it returns 0.
func columns(line []byte) int {
	if len(bytes.Trim(line, "|-: >\t\r\n\v\f")) > 0 || bytes.IndexByte(line, '-') < 0 {
		return 0
	}
	if n := bytes.Count(line, []byte{'|'}); n > 0 {
		return n + 1
	}
	return 0
}

// shallow() cuts a line before the first quote or list marker that is too many. It returns other lines unchanged.
func shallow(line []byte) []byte {
	rest := line
	for n := 0; ; n++ {
		rest = bytes.TrimLeft(rest, " \t")
		size := marker(rest)
		switch {
		case size == 0:
			return line
		case n == maxMarkers:
			return append(bytes.Clone(line[:len(line)-len(rest)]), '\n')
		}
		rest = rest[size:]
	}
}

// marker() returns the length in bytes of the quote or list marker at the start of a text, or 0.
func marker(b []byte) int {
	n := 0
	for n < len(b) && '0' <= b[n] && b[n] <= '9' {
		n++
	}
	switch {
	case n == len(b):
		return 0
	case n == 0 && b[0] == '>':
		return 1
	case n > 0 && b[n] != '.' && b[n] != ')', n == 0 && b[0] != '-' && b[0] != '*' && b[0] != '+':
		return 0
	case n+1 < len(b) && b[n+1] != ' ' && b[n+1] != '\t' && b[n+1] != '\n':
		return 0
	}
	return n + 1
}

// appendBounded appends a line. `signs` is the number of signs since the last blank line. When this number reaches maxSigns,
// appendBounded inserts a blank line. It returns the new number of signs.
func appendBounded(dst, line []byte, signs int) ([]byte, int) {
	for _, c := range line {
		dst = append(dst, c)
		if bytes.IndexByte([]byte("*_~`[]()<!"), c) < 0 {
			continue
		}
		if signs++; signs >= maxSigns {
			dst, signs = append(dst, "\n\n"...), 0
		}
	}
	return dst, signs
}
