// Package imager reads the files that Raspberry Pi Imager writes onto a card if the image has the init_format cloudinit. It reads only
// values for which an appliance has a setting.
//
// Imager writes a small and fixed form of YAML: maps by indentation, lists of plain items, and values in double quotes or without quotes.
// Other forms are skipped.
package imager

import (
	"strconv"
	"strings"

	"dashboard/appliance/settings"
)

// Names of the files on the card's first partition.
const (
	UserFile    = "user-data"
	NetworkFile = "network-config"
)

const (
	maxFile  = 64 << 10 // maximum size of a file, in bytes. Imager writes two kilobytes
	maxDepth = 8        // maximum depth of maps. Imager's networks have a depth of six
	maxLines = 2000
)

// Lines converts the contents of the two files to lines of settings.txt. It ignores files that are too large.
func Lines(user, network []byte) string {
	var b strings.Builder
	unnamed := false // true after a network whose name cannot be used. The next password belongs to this network and is ignored
	set := func(name, value string) {
		bad := value == "" || strings.ContainsAny(value, "\r\n\x00")
		if name == "wifi_name" {
			unnamed = bad
		}
		if !bad && !(name == "wifi_password" && unnamed) {
			b.WriteString(name + " = " + settings.Quote(value) + "\n")
		}
	}
	each(user, func(path []string, value string) {
		switch strings.Join(path, "/") {
		case "hostname", "timezone":
			set(path[0], value)
		case "locale":
			locale, _, _ := strings.Cut(value, ".") // locale without the encoding
			set("locale", strings.ReplaceAll(locale, "_", "-"))
		case "user/ssh_authorized_keys", "ssh_authorized_keys":
			set("ssh_key", value)
		}
	})
	each(network, func(path []string, value string) { wifi(path, value, set) })
	return b.String()
}

// wifi handles one value of network-config. The path starts with network, wifis and the device, and the device's keys follow.
func wifi(path []string, value string, set func(name, value string)) {
	const device, key = 3, 4
	if len(path) < key || path[0] != "network" || path[1] != "wifis" {
		return
	}
	switch rest := path[device:]; {
	case rest[0] == "regulatory-domain":
		set("wifi_country", value)
	case rest[0] != "access-points":
	case len(rest) == 2:
		set("wifi_name", rest[1])
	case len(rest) == 3 && rest[2] == "password":
		set("wifi_password", value)
	}
}

// A level is a key of a map, with its indentation.
type level struct {
	indent int
	key    string
}

// each() calls the function `do` with the path and the value of every entry. The value of a key that contains a map is empty.
func each(file []byte, do func(path []string, value string)) {
	if len(file) > maxFile {
		return
	}
	var levels []level
	n, block := 0, -1
	for line := range strings.Lines(string(file)) {
		line = strings.TrimRight(line, "\r\n ")
		text := strings.TrimLeft(line, " ")
		indent := len(line) - len(text)
		if n++; n > maxLines || text == "" || text[0] == '#' || strings.HasPrefix(text, "---") {
			continue
		}
		if block >= 0 && indent > block {
			continue // line of a block scalar, which has several lines
		}
		block = -1
		item := strings.HasPrefix(text, "- ")
		for len(levels) > 0 && (levels[len(levels)-1].indent > indent || levels[len(levels)-1].indent == indent && !item) {
			levels = levels[:len(levels)-1]
		}
		if item {
			do(pathOf(levels, ""), scalar(text[len("- "):]))
			continue
		}
		key, value, ok := split(text)
		if !ok || len(levels) >= maxDepth {
			continue
		}
		if value == "|" || value == ">" {
			block = indent
			continue
		}
		do(pathOf(levels, key), scalar(value))
		if value == "" {
			levels = append(levels, level{indent, key})
		}
	}
}

func pathOf(levels []level, key string) []string {
	path := make([]string, 0, len(levels)+1)
	for _, l := range levels {
		path = append(path, l.key)
	}
	if key != "" {
		path = append(path, key)
	}
	return path
}

// split returns the key and the value in a line of a map. A key in quotation marks may contain a colon.
func split(text string) (key, value string, ok bool) {
	if text[0] != '"' {
		key, value, ok = strings.Cut(text, ":")
		return strings.TrimSpace(key), strings.TrimSpace(value), ok
	}
	end := 1
	for end < len(text) && text[end] != '"' {
		if text[end] == '\\' {
			end++
		}
		end++
	}
	if end+1 >= len(text) || text[end+1] != ':' {
		return "", "", false
	}
	return scalar(text[:end+1]), strings.TrimSpace(text[end+2:]), true
}

// scalar returns the value of a word with or without quotation marks.
func scalar(text string) string {
	text = strings.TrimSpace(text)
	if len(text) < 2 || text[0] != text[len(text)-1] {
		return text
	}
	switch text[0] {
	case '\'':
		return strings.ReplaceAll(text[1:len(text)-1], "''", "'")
	case '"':
		return unescape(text[1 : len(text)-1])
	}
	return text
}

// escapes maps the characters that Imager writes after a backslash to their meanings (YAML 1.2, section 5.7).
var escapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f', '0': 0, '"': '"', '\\': '\\', '/': '/'}

func unescape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		if text[i] == 'x' && i+2 < len(text) {
			if v, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(v))
				i += 2
				continue
			}
		}
		if c, ok := escapes[text[i]]; ok {
			b.WriteByte(c)
		} else {
			b.WriteByte(text[i])
		}
	}
	return b.String()
}
