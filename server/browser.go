package server

import "strings"

// browserKinds maps words in the User-Agent header to the names of browsers. The first match counts, because most browsers also name the
// browsers that they are compatible with.
var browserKinds = [...][2]string{
	{"Edg", "Edge"}, {"OPR/", "Opera"}, {"SamsungBrowser/", "Samsung Internet"}, {"Firefox/", "Firefox"}, {"FxiOS/", "Firefox"},
	{"CriOS/", "Chrome"}, {"Chromium/", "Chromium"}, {"Chrome/", "Chrome"}, {"Safari/", "Safari"},
}

// systemKinds maps words in the User-Agent header to the names of systems and the kinds of their devices. The first match counts.
var systemKinds = [...]struct{ word, system, device string }{
	{"iPhone", "iPhone", "iPhone"}, {"iPad", "iPad", "iPad"}, {"Android", "Android", "Android device"}, {"CrOS", "ChromeOS", "Chromebook"},
	{"Mac OS", "Mac", "Mac"}, {"Windows", "Windows", "Windows computer"}, {"Linux", "Linux", "Linux computer"},
}

// maxAgent is the length of the part of a User-Agent header that browserOf reads, in bytes.
const maxAgent = 512

// browserOf returns the name of a browser and its system from its User-Agent header, such as "Chrome on Android". If the header names no
// known browser, the name is "Browser".
func browserOf(agent string) string {
	agent = agent[:min(len(agent), maxAgent)]
	name := "Browser"
	for _, one := range browserKinds {
		if strings.Contains(agent, one[0]) {
			name = one[1]
			break
		}
	}
	for _, one := range systemKinds {
		if strings.Contains(agent, one.word) {
			return name + " on " + one.system
		}
	}
	return name
}
