package server

import "strings"

// browserKinds maps words in the User-Agent header to the names of browsers. The first match counts, because most browsers also name the
// browsers that they are compatible with.
var browserKinds = [...][2]string{
	{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"}, {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"},
	{"CriOS/", "Chrome"}, {"Chromium/", "Chromium"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"},
}

// systemKinds maps words in the User-Agent header to the names of systems. The first match counts.
var systemKinds = [...][2]string{
	{"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Android", "Android"}, {"CrOS", "ChromeOS"}, {"Mac OS", "Mac"},
	{"Windows", "Windows"}, {"Linux", "Linux"},
}

// maxAgent is the length of the part of a User-Agent header that browserOf reads, in bytes.
const maxAgent = 512

// browserOf returns the name of a browser and its system from its User-Agent header, such as "Chrome on Android". If the header names no
// known browser, the name is "Browser".
func browserOf(agent string) string {
	agent = agent[:min(len(agent), maxAgent)]
	find := func(kinds [][2]string) string {
		for _, one := range kinds {
			if strings.Contains(agent, one[0]) {
				return one[1]
			}
		}
		return ""
	}
	name, system := find(browserKinds[:]), find(systemKinds[:])
	if name == "" {
		name = "Browser"
	}
	if system != "" {
		name += " on " + system
	}
	return name
}
