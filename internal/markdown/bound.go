package markdown

import "bytes"

const (
	// maxMarkers bounds the quotes and lists that one line begins: the parser looks at all that are open for each one more.
	maxMarkers = 4 * maxDepth
	// maxSigns bounds the signs of emphasis, links and code between two blank lines: the parser looks back from one to those
	// before it.
	maxSigns = 1024
)

// bounded returns a text whose parsing takes time proportional to its length: lines that begin too many quotes and
// lists end there, rows that a table has no room for are left out, and a blank line follows a fixed number of signs.
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

// columns is how many columns a table has whose head this line ends, or 0 if it is another line.
func columns(line []byte) int {
	if len(bytes.Trim(line, "|-: >\t\r\n\v\f")) > 0 || bytes.IndexByte(line, '-') < 0 {
		return 0
	}
	if n := bytes.Count(line, []byte{'|'}); n > 0 {
		return n + 1
	}
	return 0
}

// shallow is a line up to the marker of a quote or a list that is one too many.
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

// marker is the length of the marker at the start of a text, in bytes, or 0.
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

// appendBounded appends a line, with a blank line behind every this many signs. signs counts those since the last one.
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
