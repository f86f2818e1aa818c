package mdns

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	domain = "local."
	// allTypes is where the types of services are listed, RFC 6763 section 9.
	allTypes = "_services._dns-sd._udp." + domain
	// maxLabel is the longest part of a name, bytes, RFC 1035 section 2.3.4.
	maxLabel = 63
	// usualHost is the host name of a machine without a usable name.
	usualHost = "dashboard"
)

// HostLabel makes the first part of a host's name of any text: lower case letters, digits and hyphens.
func HostLabel(name string) string {
	name, _, _ = strings.Cut(name, ".")
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	label := strings.Trim(cut(b.String(), maxLabel), "-")
	if label == "" {
		return usualHost
	}
	return label
}

// instanceLabel makes the name of a service of any text. A dot would have to be escaped, and not every reader knows how.
func instanceLabel(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r == '.' || r == '\\' || unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r) || r == utf8.RuneError:
			return -1
		}
		return r
	}, name)
	name = cut(strings.Join(strings.Fields(name), " "), maxLabel)
	if name == "" {
		return usualHost
	}
	return name
}

// cut shortens a text to at most n bytes, at a character.
func cut(s string, n int) string {
	for len(s) > n {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	return s
}

// numbered is the name for the nth host with the same name, n > 1, in the form of RFC 6762 section 9.
func numbered(name, form string, n int) string {
	if n < 2 {
		return name
	}
	suffix := fmt.Sprintf(form, n)
	return strings.TrimRight(cut(name, maxLabel-len(suffix)), " -") + suffix
}

// fold makes names comparable: only the letters of ASCII have two cases, RFC 6762 section 16.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	}, name)
}
