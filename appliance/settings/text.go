package settings

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

// Byte order marks, which Windows editors write.
const (
	markUTF8  = "\xef\xbb\xbf"
	markLarge = "\xfe\xff" // UTF-16, big endian
	markSmall = "\xff\xfe" // UTF-16, little endian
)

// textOf returns the file's text in UTF-8. If a file has no byte order mark, its first character shows whether the file is UTF-8 or
// UTF-16. A settings file begins with ASCII, and in UTF-16 every second byte of ASCII is zero.
func textOf(file []byte) string {
	text := string(file)
	switch {
	case strings.HasPrefix(text, markSmall):
		return utf16Text(file[len(markSmall):], binary.LittleEndian)
	case strings.HasPrefix(text, markLarge):
		return utf16Text(file[len(markLarge):], binary.BigEndian)
	case len(file) > 1 && file[1] == 0:
		return utf16Text(file, binary.LittleEndian)
	case len(file) > 1 && file[0] == 0:
		return utf16Text(file, binary.BigEndian)
	}
	return strings.TrimPrefix(text, markUTF8)
}

func utf16Text(file []byte, order binary.ByteOrder) string {
	units := make([]uint16, len(file)/2)
	for i := range units {
		units[i] = order.Uint16(file[2*i:])
	}
	return string(utf16.Decode(units))
}

// feeds() returns the text of a file, with a line feed at the end of each line. Some editors write only a carriage return at the end of a
// line.
func feeds(file []byte) string {
	text := textOf(file)
	if !strings.Contains(text, "\n") {
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	return text
}
