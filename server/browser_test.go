package server

import (
	"strings"
	"testing"
)

// The name of a browser contains only known words, whatever the browser sends.
func TestBrowserOf(t *testing.T) {
	const webkit = "AppleWebKit/537.36"
	for agent, want := range map[string]string{
		"(Linux; Android 10; K) " + webkit + " Chrome/126.0.0.0 Mobile Safari/537.36":                  "Chrome on Android",
		"(Linux; Android 13) " + webkit + " SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36": "Samsung Internet on Android",
		"(Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0":                                     "Firefox on Android",
		"(iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1":                         "Safari on iPhone",
		"(iPad; CPU OS 17_5 like Mac OS X) CriOS/126.0 Mobile/15E148 Safari/604.1":                     "Chrome on iPad",
		"(Macintosh; Intel Mac OS X 10_15_7) Version/17.5 Safari/605.1.15":                             "Safari on Mac",
		"(Windows NT 10.0; Win64; x64) " + webkit + " Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0":    "Edge on Windows",
		"(X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0":                                   "Firefox on Linux",
		"(X11; CrOS x86_64 14541.0.0) " + webkit + " Chrome/126.0.0.0 Safari/537.36":                   "Chrome on ChromeOS",
		"curl/8.5.0": "Browser",
		"":           "Browser",
		"<b>Linux":   "Browser on Linux",
		strings.Repeat("x", maxAgent) + " Firefox/127.0": "Browser",
	} {
		if got := browserOf(agent); got != want {
			t.Errorf("%s: got %q, want %q", agent, got, want)
		}
	}
}
