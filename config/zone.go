package config

import (
	"strings"
	"time"
)

// zoneAreas lists the areas with which most names of time zones begin.
var zoneAreas = []string{"Europe/", "America/", "Asia/", "Africa/", "Australia/", "Pacific/", "Atlantic/", "Indian/"}

// longestZone is the maximum length of a name for which a similar time zone is searched, in bytes.
const longestZone = 40

// nearestZone returns the name of a time zone that is similar to `name`. It differs from `name` by one letter, by its area, or by upper and
// lower case. If there is none, nearestZone returns "".
func nearestZone(name string) string {
	if len(name) > longestZone {
		return ""
	}
	name = strings.ReplaceAll(strings.TrimSpace(name), " ", "_")
	whole := titled(name)
	candidates := []string{whole}
	for _, area := range zoneAreas {
		candidates = append(candidates, area+whole)
	}
	for _, c := range candidates {
		if knownZone(c) {
			return c
		}
	}
	for at := range len(whole) + 1 {
		for _, c := range oneLetter(whole, at) {
			if knownZone(c) {
				return c
			}
		}
	}
	return ""
}

// oneLetter returns the texts that result from one change at the given index. The change inserts, replaces or removes a letter, or swaps
// the letter with the next letter.
func oneLetter(name string, at int) []string {
	var all []string
	for letter := 'a'; letter <= 'z'; letter++ {
		all = append(all, name[:at]+string(letter)+name[at:])
		if at < len(name) && name[at] != '/' {
			all = append(all, name[:at]+string(letter)+name[at+1:])
		}
	}
	if at < len(name) {
		all = append(all, name[:at]+name[at+1:])
	}
	if at+1 < len(name) {
		all = append(all, name[:at]+name[at+1:at+2]+name[at:at+1]+name[at+2:])
	}
	return all
}

// knownZone reports whether a name is the name of a time zone with an area, such as Europe/Berlin.
func knownZone(name string) bool {
	_, err := time.LoadLocation(name)
	return err == nil && strings.Contains(name, "/")
}

// titled() returns a name in which each word begins with a capital letter.
func titled(name string) string {
	b := []byte(strings.ToLower(name))
	for i := range b {
		if b[i] >= 'a' && b[i] <= 'z' && (i == 0 || b[i-1] == '/' || b[i-1] == '_' || b[i-1] == '-') {
			b[i] -= 'a' - 'A'
		}
	}
	return string(b)
}
