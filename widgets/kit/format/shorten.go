package format

import (
	"strings"

	"dashboard/config/value"
	"dashboard/render/icon"
)

// MaxShown is the maximum length in bytes of a text from outside the program. No cell can show a longer text.
const MaxShown = 4096

// Short shortens a text from outside the program to MaxShown bytes.
func Short(s string) string { return ShortTo(s, MaxShown) }

// ShortTo shortens a text from outside the program to the given number of bytes and appends an ellipsis. A text that is short enough is
// not changed. Invalid UTF-8 is replaced.
func ShortTo(s string, most int) string {
	whole := len(s) <= most
	s = strings.ToValidUTF8(s[:min(len(s), most+1)], "\uFFFD")
	if whole && len(s) <= most {
		return s
	}
	s = s[:min(len(s), most)]
	return strings.ToValidUTF8(s, "") + "…"
}

// IconText returns an icon in the form in which jq programs return icons: a name or a path.
func IconText(i value.Icon) string {
	if i.Name != "" {
		return icon.Prefix + i.Name
	}
	return i.File
}
