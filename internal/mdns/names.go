package mdns

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	domain = "local."
	// The records of the name allTypes list the types of services, RFC 6763 section 9.
	allTypes = "_services._dns-sd._udp." + domain
	// maxLabel is the maximum length of a label in bytes, RFC 1035 section 2.3.4.
	maxLabel = 63
	// usualHost is the default for the host name and for the name of the services. It is used if the configured name has no usable
	// characters.
	usualHost = "dashboard"
)

// HostLabel converts any text to the first label of a host name. A label contains lower case letters, digits and hyphens.
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

// instanceLabel converts any text to the name of a service. It replaces dots, because they would have to be escaped and some programs do
// not support this.
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

// cut shortens a text to at most n bytes. It does not cut a character in two.
func cut(s string, n int) string {
	for len(s) > n {
		_, size := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-size]
	}
	return s
}

// numbered() returns the name of the nth host with the same configured name (RFC 6762 section 9). For n = 1 it returns the name unchanged.
func numbered(name, form string, n int) string {
	if n < 2 {
		return name
	}
	suffix := fmt.Sprintf(form, n)
	return strings.TrimRight(cut(name, maxLabel-len(suffix)), " -") + suffix
}

// fold converts a name to lower case for comparison. Only ASCII letters have two cases, RFC 6762 section 16.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + ('a' - 'A')
		}
		return r
	}, name)
}
