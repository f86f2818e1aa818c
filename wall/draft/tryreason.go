package draft

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"dashboard/internal/extract"
	"dashboard/internal/fetch"
)

// `reasons` are the failures of a test in plain words: the reason, then the next step. They contain no part of the address, because the
// address can be a secret.
var reasons = map[fetch.Class]string{
	fetch.NoName:      "The server's name was not found. Check the address, and the wall's network.",
	fetch.NoNetwork:   "The wall has no network. Check its cable or Wi-Fi.",
	fetch.NoHost:      "The server does not answer. Check the address, and whether the server is on.",
	fetch.NoService:   "The server refuses the connection. Check the port in the address, and whether the program there is running.",
	fetch.Cut:         "The server closed the connection. Test again, or check the address.",
	fetch.TimedOut:    "The server did not answer in time. Test again, or check the address.",
	fetch.Certificate: "The server's certificate is not trusted. Check the address, or set ca_file.",
	fetch.NoTLS:       "The server does not use https. Try the address with http.",
	fetch.Denied:      "The server denies access. Check the password or the token, or copy the address again.",
	fetch.NotFound:    "The server has nothing at this address. Copy the whole address again.",
	fetch.Busy:        "The server gets too many requests. Test again in a few minutes.",
	fetch.ServerFault: "The server has a problem. Test again later.",
	fetch.WebPage:     "The answer is a web page, not data. Check the address and the login.",
	fetch.BadStatus:   "The server rejects the request. Check the address.",
}

// reasonOf returns the failure of a test in plain words, with the status of the answer. If `reasons` has no words for an error, reasonOf
// returns the text of the error.
func reasonOf(err error, mask *strings.Replacer) string {
	words, ok := reasons[fetch.ClassOf(err)]
	if !ok {
		return mask.Replace(err.Error())
	}
	var status *fetch.StatusError
	if errors.As(err, &status) {
		words = strings.Replace(words, ".", fmt.Sprintf(" (status %d).", status.Code), 1)
	}
	return words
}

// notJSON returns plain words for an answer from which no value could be selected because it is not JSON. For any other error, or without
// a recorded answer, notJSON returns "".
func (r *recorder) notJSON(err error) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var picked *extract.Error
	if len(r.all) == 0 || fetch.ClassOf(err) != fetch.Unclassified || !errors.As(err, &picked) || !picked.Text {
		return ""
	}
	start := shown(r.all).body.Bytes()
	switch text := strings.TrimSpace(string(start)); {
	case text == "":
		return "The answer is empty, not JSON. Check the address."
	case !strings.HasPrefix(http.DetectContentType(start), "text/"):
		return "The answer is a binary file, for example a picture, not JSON. Check the address."
	case text[0] == '{' || text[0] == '[':
		return "The answer is incomplete or wrong JSON. Test again, or correct it on the server."
	}
	return "The answer is plain text, not JSON. Check the address, set format, or remove json_path and jq_expression."
}
