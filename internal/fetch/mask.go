package fetch

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"

	"dashboard/internal/stable"
)

const (
	// mostSaid is the maximum length of a response body in an error, in bytes. It is enough for a sentence.
	mostSaid = 200
	// leastMasked is the minimum length of a value that is replaced, in bytes. Shorter values are often parts of ordinary words.
	leastMasked = 4
	masked      = "(secret)"
)

// said() returns the beginning of the body of an error response, for the error message. Secret values of the request are masked, because
// some servers repeat them. If the address is secret, said() returns "", because bodies often contain the address. For a web page said()
// also returns "", because a page is not useful in a log.
func (r *Response) said() string {
	if r.asked != nil && r.asked.Secret || r.IsPage() {
		return ""
	}
	values := r.asked.secrets()
	longest := 0
	for _, v := range values {
		longest = max(longest, len(v))
	}
	// Mask before cutting, because a secret that is cut in two would not be found.
	body := string(r.Body[:min(len(r.Body), mostSaid+longest)])
	for _, v := range values {
		body = strings.ReplaceAll(body, v, masked)
	}
	body = body[:min(len(body), mostSaid)]
	return strings.TrimSpace(strings.ToValidUTF8(body, ""))
}

// secrets() returns the values of a request that only the server may see, longest first.
func (r *Request) secrets() (all []string) {
	if r == nil {
		return nil
	}
	all = append(all, r.Auth.Bearer, r.Auth.Password)
	if r.Auth.Username != "" || r.Auth.Password != "" {
		all = append(all, base64.StdEncoding.EncodeToString([]byte(r.Auth.Username+":"+r.Auth.Password)))
	}
	for name, v := range r.Header {
		if !slices.Contains(openHeaders, strings.ToLower(name)) {
			_, bare, _ := strings.Cut(v, " ") // the value without a scheme such as Bearer is secret too
			all = append(all, v, bare)
		}
	}
	all = append(all, inAddress(r.URL)...)
	for _, list := range r.Query {
		all = append(all, list...)
	}
	all = slices.DeleteFunc(all, func(v string) bool { return len(v) < leastMasked })
	stable.Sort(all, func(a, b string) int { return len(b) - len(a) })
	return all
}

// openHeaders are the headers whose values are not secret.
var openHeaders = []string{"accept", "content-type", "user-agent", "accept-language", "depth"}

// inAddress returns the parts of an address after its host, and the password in the address. Each part may be a key.
func inAddress(raw string) (all []string) {
	u, err := url.Parse(raw)
	if err != nil {
		return nil
	}
	all = append(all, u.RequestURI(), u.EscapedPath(), u.Path)
	for _, list := range u.Query() {
		all = append(all, list...)
	}
	if p, ok := u.User.Password(); ok {
		all = append(all, p)
	}
	return all
}
