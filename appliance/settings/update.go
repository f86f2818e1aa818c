package settings

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// window matches two times of day with a hyphen between them.
var window = regexp.MustCompile(`^(([01]?[0-9]|2[0-3]):[0-5][0-9]|24:00) *- *(([01]?[0-9]|2[0-3]):[0-5][0-9]|24:00)$`)

// updateEntries returns the settings of updates from a network.
func updateEntries() []entry {
	return []entry{
		{"update", "stable, beta or off", func(s *Settings, v string) bool {
			v = strings.ToLower(v)
			return take(&s.Update, v, v == "stable" || v == "beta" || v == "off")
		}},
		{"update_url", "an address, as https://example.org/releases", func(s *Settings, v string) bool {
			return take(&s.UpdateURL, v, isUpdateURL(v))
		}},
		{"update_window", "two times, as 03:00-04:00", func(s *Settings, v string) bool {
			return take(&s.UpdateWindow, v, window.MatchString(v))
		}},
	}
}

// isUpdateURL reports whether v is valid for the address of releases. Releases are signed, so a server in the local network does
// not need a certificate.
func isUpdateURL(v string) bool {
	u, err := url.Parse(v)
	return err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Hostname() != "" && isPort(u.Port()) &&
		u.RawQuery == "" && u.Fragment == ""
}

// Set returns a copy of the file with a new value of a setting. It changes the last line with the setting's name. If there is no such line,
// it changes a commented line with this name. If there is no commented line either, it adds a line. Everything else stays the same, except
// that the file becomes UTF-8.
func Set(file []byte, name, value string) []byte {
	lines := slices.Collect(strings.Lines(feeds(file)))
	at := -1
	for i, line := range lines {
		if named(line, name) || named(strings.TrimPrefix(strings.TrimSpace(line), "#"), name) && at < 0 {
			at = i
		}
	}
	end := "\n"
	if bytes.Contains(file, []byte("\r\n")) {
		end = "\r\n"
	}
	if at < 0 {
		if n := len(lines); n > 0 && !strings.HasSuffix(lines[n-1], "\n") {
			lines[n-1] += end
		}
		lines, at = append(lines, ""), len(lines)
	}
	lines[at] = name + " = " + value + end
	return []byte(strings.Join(lines, ""))
}

// named() reports whether a line sets the setting with this name.
func named(line, name string) bool {
	key, _, ok := strings.Cut(line, "=")
	return ok && strings.ToLower(strings.TrimSpace(key)) == name
}
