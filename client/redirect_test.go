package client

import (
	"net/http"
	"testing"
)

// TestTokenStaysHome: the token is sent only to the configured scheme, host and port. After a redirect to another host and back, the
// configured host does not get the token again.
func TestTokenStaysHome(t *testing.T) {
	const home = "http://wall.lan:5000/frame"
	for name, tt := range map[string]struct {
		hops []string // after home
		want bool     // true if the last request must contain the token
	}{
		"same place":            {[]string{"http://wall.lan:5000/other"}, true},
		"other port":            {[]string{"http://wall.lan:5001/frame"}, false},
		"no port":               {[]string{"http://wall.lan/frame"}, false},
		"other scheme":          {[]string{"https://wall.lan:5000/frame"}, false},
		"other host":            {[]string{"http://evil.example:5000/frame"}, false},
		"a host below":          {[]string{"http://x.wall.lan:5000/frame"}, false},
		"left and came back":    {[]string{"http://evil.example/", home}, false},
		"stayed, then left":     {[]string{home, "http://wall.lan:5001/"}, false},
		"left by port and back": {[]string{"http://wall.lan:5001/", home, home}, false},
	} {
		var token, referer string
		asked := 0
		c := http.Client{CheckRedirect: redirect, Transport: roundTrip(func(r *http.Request) *http.Response {
			token, referer = r.Header.Get("Authorization"), r.Header.Get("Referer")
			a := &http.Response{StatusCode: http.StatusOK, Body: http.NoBody, Header: http.Header{}, Request: r}
			if asked < len(tt.hops) {
				a.StatusCode = http.StatusFound
				a.Header.Set("Location", tt.hops[asked])
			}
			asked++
			return a
		})}
		req, err := http.NewRequest(http.MethodGet, home, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer secret")
		if _, err := c.Do(req); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if asked != len(tt.hops)+1 || (token != "") != tt.want {
			t.Errorf("%s: after %d requests the last one had the token %q (Referer %q), want it there: %v", name, asked, token, referer, tt.want)
		}
	}
}

// TestRedirectsEnd: the number of redirects is bounded.
func TestRedirectsEnd(t *testing.T) {
	asked := 0
	c := http.Client{CheckRedirect: redirect, Transport: roundTrip(func(r *http.Request) *http.Response {
		asked++
		return &http.Response{StatusCode: http.StatusFound, Body: http.NoBody, Header: http.Header{"Location": {"/again"}}, Request: r}
	})}
	if _, err := c.Get("http://wall.lan:5000/frame"); err == nil || asked != maxRedirects+1 {
		t.Errorf("got %v after %d requests, want an error after %d", err, asked, maxRedirects+1)
	}
}

type roundTrip func(*http.Request) *http.Response

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), nil }
