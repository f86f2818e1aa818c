package fetch

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestDigestHeader checks the examples of RFC 7616, section 3.9.1, and of RFC 2069 (with its erratum). It also checks quotes in the
// challenge and a -sess algorithm.
func TestDigestHeader(t *testing.T) {
	const (
		realm  = `realm="http-auth@example.org", qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`
		cnonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
	)
	rfc := Auth{Username: "Mufasa", Password: "Circle of Life"}
	for _, c := range []struct {
		name, challenge, uri string
		who                  Auth
		want                 []string
	}{
		{"SHA-256 before MD5", "Digest " + realm + ", algorithm=MD5, Basic realm=x, Digest " + realm + ", algorithm=SHA-256", "/dir/index.html", rfc,
			[]string{`response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"`, "algorithm=SHA-256", "qop=auth, nc=00000001", `opaque="FQhe`}},
		{"MD5", "Digest " + realm + ", algorithm=MD5", "/dir/index.html", rfc, []string{`response="8ca523f5e9506fed4657c9700eebdbec"`}},
		{"without qop", `digest realm="testrealm@host.com",nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093" , opaque="5ccc"`, "/dir/index.html",
			Auth{Username: "Mufasa", Password: "CircleOfLife"}, []string{`response="1949323746fe6a43ef61f9606e7febea"`, `realm="testrealm@host.com"`}},
		{"quotes", `Digest realm="a \"b\\", nonce=n`, "/", rfc, []string{`realm="a \"b\\"`, `nonce="n"`}},
		{"a session", `Digest realm="r", nonce="n", qop=auth, algorithm=MD5-sess`, "/", rfc, []string{"algorithm=MD5-sess", "cnonce="}},
	} {
		d, ok := chooseDigest(challenges([]string{c.challenge}))
		if !ok {
			t.Errorf("%s: nothing to answer", c.name)
			continue
		}
		got := d.header("GET", c.uri, c.who, cnonce)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: got %s, want %s", c.name, got, want)
			}
		}
	}
	for _, other := range []string{"", "Basic realm=x", `Digest realm="r"`, `Digest nonce="n", algorithm=ROT13`, `Digest nonce="n", qop="auth-int"`, `nonce="n"`, "Digest,,=,\"", `Digest nonce="`} {
		if _, ok := chooseDigest(challenges([]string{other})); ok {
			t.Errorf("%s is answered", other)
		}
	}
}

// digestServer behaves like a camera: it refuses requests that do not contain the right digest for its nonce. It appends the method, path
// and body of every request to `asked`.
func digestServer(t *testing.T, asked *[]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*asked = append(*asked, r.Method+" "+r.URL.Path+" "+string(body))
		d := digest{params: map[string]string{"realm": "camera", "nonce": "abc", "qop": "auth"}, algorithm: "MD5"}
		first, ok := chooseDigest([]challenge{{"digest", d.params}})
		if !ok {
			t.Error("the challenge cannot be answered")
		}
		said := challenges(r.Header.Values("Authorization"))
		if len(said) == 1 && said[0].scheme == "digest" {
			want := first.header(r.Method, r.URL.RequestURI(), Auth{Username: "anna", Password: "hush"}, said[0].params["cnonce"])
			if said[0].params["response"] == challenges([]string{want})[0].params["response"] && said[0].params["uri"] == r.URL.RequestURI() {
				io.WriteString(w, "a picture")
				return
			}
		}
		w.Header().Add("WWW-Authenticate", `Basic realm="camera"`)
		w.Header().Add("WWW-Authenticate", `Digest realm="camera", nonce="abc", qop="auth"`)
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, "who?")
	}
}

// TestDigest checks that a server that requires a digest receives one. The name and the password come from the configuration keys or from
// the address. The request may have a body or be a stream. A wrong password is refused after two requests. After a redirect to another
// host, the other host receives no credentials.
func TestDigest(t *testing.T) {
	var asked []string
	base := serve(t, digestServer(t, &asked))
	c := newClient(t, nil)
	anna := Auth{Username: "anna", Password: "hush"}
	for _, r := range []Request{
		{URL: base + "/snap?channel=1", Auth: anna},
		{URL: strings.Replace(base, "://", "://anna:hush@", 1) + "/snap"},
		{URL: base + "/report", Method: "REPORT", Body: []byte("<query/>"), Auth: anna},
	} {
		asked = nil
		got, err := c.Do(t.Context(), &r)
		if err != nil || got.Status != http.StatusOK || string(got.Body) != "a picture" || len(asked) != 2 || asked[0] != asked[1] {
			t.Errorf("%s: got %+v, %v, asked %q", r.URL, got, err, asked)
		}
	}
	s, err := c.Stream(t.Context(), &Request{URL: base + "/live", Auth: anna})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	asked = nil
	if got, err := c.Do(t.Context(), &Request{URL: base, Auth: Auth{Username: "anna", Password: "wrong"}}); err != nil || got.Status != http.StatusUnauthorized || len(asked) != 2 {
		t.Errorf("a wrong password: got %+v, %v after %d requests", got, err, len(asked))
	}
	if got, err := c.Do(t.Context(), &Request{URL: base}); err != nil || got.Status != http.StatusUnauthorized || len(asked) != 3 {
		t.Errorf("nobody: got %+v, %v after %d requests", got, err, len(asked))
	}
	leads := httptest.NewServer(http.RedirectHandler(base+"/there", http.StatusTemporaryRedirect))
	defer leads.Close()
	asked = nil
	if got, err := c.Do(t.Context(), &Request{URL: leads.URL, Auth: anna}); err != nil || got.Status != http.StatusUnauthorized || len(asked) != 1 {
		t.Errorf("elsewhere: got %+v, %v after %d requests", got, err, len(asked))
	}
}

// FuzzChallenges checks that any WWW-Authenticate header can be parsed, and that the answer to its challenge does not contain the
// password.
func FuzzChallenges(f *testing.F) {
	for _, s := range []string{`Digest realm="a", nonce="b", qop="auth,auth-int"`, `Basic realm="x", Digest nonce=1`, `Digest nonce="\`, "=,=\"", "Negotiate"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d, ok := chooseDigest(challenges([]string{s})); ok {
			got := d.header("GET", "/", Auth{Username: "u", Password: "secret of theirs"}, "c")
			if strings.Contains(got, "secret of theirs") && !strings.Contains(s, "secret of theirs") {
				t.Errorf("%q tells the password", got)
			}
		}
	})
}
