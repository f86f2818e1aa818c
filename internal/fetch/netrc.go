package fetch

import (
	"bytes"
	"path/filepath"
	"strings"

	"dashboard/internal/folder"
)

const maxNetrc = 64 << 10 // bytes. The file has one line for each host

// Environment returns the settings that Grydgets, through Python's requests, takes from the environment: REQUESTS_CA_BUNDLE or
// CURL_CA_BUNDLE, a file or folder of certificates that replaces the system's, and ~/.netrc or the file that NETRC names. The
// proxies of the environment are used in any case.
func Environment(getenv func(string) string) *Options {
	o := &Options{CABundle: getenv("REQUESTS_CA_BUNDLE"), Netrc: getenv("NETRC")}
	if o.CABundle == "" {
		o.CABundle = getenv("CURL_CA_BUNDLE")
	}
	if home := getenv("HOME"); o.Netrc == "" && home != "" {
		o.Netrc = filepath.Join(home, ".netrc")
	}
	return o
}

// netrc finds the login for a host in a file. It reads the file each time, so that changes take effect at once. A missing or
// unreadable file has no logins.
func netrc(path, host string) (Auth, bool) {
	if path == "" {
		return Auth{}, false
	}
	data, err := folder.Read(folder.Dir(""), path, maxNetrc)
	if err != nil {
		return Auth{}, false
	}
	return parseNetrc(data, host)
}

// parseNetrc reads the format of ftp(1), a sequence of words. "machine NAME" or "default" begins an entry. A macro ends at the next
// empty line. As in requests, the first entry of the host counts, and default counts only without such an entry.
func parseNetrc(data []byte, host string) (who Auth, found bool) {
	words := netrcWords(data)
	mine := false
	for i := 0; i < len(words); i++ {
		value := ""
		if i+1 < len(words) {
			value = words[i+1]
		}
		switch words[i] {
		case "machine":
			if found {
				return who, true
			}
			mine = strings.EqualFold(value, host)
			found = mine
			i++
		case "default":
			if found {
				return who, true
			}
			mine, found = true, true
		case "login":
			if mine {
				who.Username = value
			}
			i++
		case "password":
			if mine {
				who.Password = value
			}
			i++
		case "account":
			i++
		}
	}
	return who, found
}

// netrcWords splits the text, without comments and macros. A word may be in double quotes.
func netrcWords(data []byte) (words []string) {
	macro := false
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(string(line))
		switch {
		case text == "":
			macro = false
		case strings.HasPrefix(text, "macdef"):
			macro = true
		case !macro && !strings.HasPrefix(text, "#"):
			for _, w := range strings.Fields(text) {
				words = append(words, strings.Trim(w, `"`))
			}
		}
	}
	return words
}
