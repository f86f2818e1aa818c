package fetch

import (
	"bytes"
	"path/filepath"
	"strings"

	"dashboard/internal/folder"
)

const maxNetrc = 64 << 10 // maximum size in bytes. The file has one line for each host

// Environment returns options from the environment. Grydgets reads the same variables, because it uses Python's requests.
// REQUESTS_CA_BUNDLE or CURL_CA_BUNDLE is a file or folder of certificates that replaces the system's certificates. NETRC is the path of
// the file with logins, by default ~/.netrc. Proxies are not part of the options: a client without a guard always reads them from the
// environment.
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

// netrc() returns the login for a host in a file. It reads the file at each call, so that changes take effect at once. If the file is
// missing or unreadable, there is no login.
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

// parseNetrc reads the format of ftp(1), a sequence of words. "machine NAME" or "default" begins an entry. A macro ends at the next empty
// line. parseNetrc uses the first entry for the host. If no entry is for the host, parseNetrc uses the first entry "default". As in
// Python, "default" need not be the last entry.
func parseNetrc(data []byte, host string) (who Auth, found bool) {
	words := netrcWords(data)
	mine, exact := false, false
	for i := 0; i < len(words); i++ {
		value := ""
		if i+1 < len(words) {
			value = words[i+1]
		}
		switch words[i] {
		case "machine":
			if exact {
				return who, true
			}
			if mine = strings.EqualFold(value, host); mine {
				who, found, exact = Auth{}, true, true
			}
			i++
		case "default":
			mine, found = !found, true
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

// netrcWords splits the text into words, without comments and macros. A word may be in double quotes.
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
