package fetch

import (
	"crypto/md5" // many cameras support only MD5
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"net/http"
	"slices"
	"strings"
)

// maxRefusal limits the bytes that are read from a refusal, which is a response with the status 401. A refusal is read to its end,
// because only then can the next request use the connection.
const maxRefusal = 64 << 10

// A challenge is one challenge of a response with the status 401. It consists of a scheme, and of parameters by name (RFC 9110, section
// 11.6.1). The scheme and the names are in lower case.
type challenge struct {
	scheme string
	params map[string]string
}

// challenges() reads WWW-Authenticate headers. Invalid parts are skipped.
func challenges(headers []string) (all []challenge) {
	for _, rest := range headers {
		for rest = strings.Trim(rest, " \t,"); rest != ""; rest = strings.TrimLeft(rest, " \t,") {
			end := strings.IndexAny(rest, " \t,=")
			if end < 0 {
				end = len(rest)
			}
			word, after := rest[:end], strings.TrimLeft(rest[end:], " \t")
			if value, ok := strings.CutPrefix(after, "="); !ok {
				all, rest = append(all, challenge{strings.ToLower(word), map[string]string{}}), after
			} else if value, rest = cutValue(strings.TrimLeft(value, " \t")); len(all) > 0 {
				all[len(all)-1].params[strings.ToLower(word)] = value
			}
		}
	}
	return all
}

// cutValue takes a token or a quoted text from the beginning of a text.
func cutValue(s string) (value, rest string) {
	if !strings.HasPrefix(s, `"`) {
		end := strings.IndexAny(s, " \t,")
		if end < 0 {
			end = len(s)
		}
		return s[:end], s[end:]
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '"':
			return b.String(), s[i+1:]
		case s[i] == '\\' && i+1 < len(s):
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String(), ""
}

// `digests` lists the algorithms of digest authentication, the best algorithm first (RFC 7616, section 3.3).
var digests = []struct {
	name string
	make func() hash.Hash
}{{"SHA-256", sha256.New}, {"MD5", md5.New}}

// A digest is a challenge of the scheme digest, with everything that header() needs for the answer.
type digest struct {
	params    map[string]string
	algorithm string // algorithm as spelled in the challenge, or "" if it has none
	session   bool   // true for a -sess algorithm, whose secret includes nonce and cnonce
	hash      func(string) string
}

// chooseDigest returns the challenge with the best supported algorithm.
func chooseDigest(all []challenge) (d digest, ok bool) {
	for _, known := range digests {
		for _, c := range all {
			name, session := strings.CutSuffix(strings.ToUpper(c.params["algorithm"]), "-SESS")
			if name == "" {
				name = "MD5"
			}
			if c.scheme != "digest" || name != known.name || c.params["nonce"] == "" || c.params["qop"] != "" && !allows(c.params["qop"], "auth") {
				continue
			}
			return digest{c.params, c.params["algorithm"], session, func(s string) string {
				h := known.make()
				_, _ = io.WriteString(h, s)
				return hex.EncodeToString(h.Sum(nil))
			}}, true
		}
	}
	return digest{}, false
}

// allows() reports whether a list of words, which are separated by commas, contains a word.
func allows(list, word string) bool {
	return slices.ContainsFunc(strings.Split(list, ","), func(s string) bool { return strings.EqualFold(strings.TrimSpace(s), word) })
}

// header() returns the value of the Authorization header for a request (RFC 7616, section 3.4). `cnonce` is a random text.
func (d *digest) header(method, uri string, who Auth, cnonce string) string {
	const count = "00000001" // each nonce is used once
	realm, nonce := d.params["realm"], d.params["nonce"]
	secret := d.hash(who.Username + ":" + realm + ":" + who.Password)
	if d.session {
		secret = d.hash(secret + ":" + nonce + ":" + cnonce)
	}
	request := d.hash(method + ":" + uri)
	var b strings.Builder
	fmt.Fprintf(&b, "Digest username=%s, realm=%s, nonce=%s, uri=%s", quoted(who.Username), quoted(realm), quoted(nonce), quoted(uri))
	response := d.hash(secret + ":" + nonce + ":" + request)
	if d.params["qop"] != "" {
		response = d.hash(strings.Join([]string{secret, nonce, count, cnonce, "auth", request}, ":"))
		fmt.Fprintf(&b, ", qop=auth, nc=%s", count)
	}
	if d.params["qop"] != "" || d.session {
		fmt.Fprintf(&b, ", cnonce=%s", quoted(cnonce))
	}
	fmt.Fprintf(&b, ", response=%s", quoted(response))
	if d.algorithm != "" {
		fmt.Fprintf(&b, ", algorithm=%s", d.algorithm)
	}
	if opaque, ok := d.params["opaque"]; ok {
		fmt.Fprintf(&b, ", opaque=%s", quoted(opaque))
	}
	return b.String()
}

// quoted() returns a text as a quoted string (RFC 9110, section 5.6.4).
func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// password() returns the user's name and the password of a request. The name and the password come from the header of the request or from
// its address.
func password(req *http.Request) (who Auth, ok bool) {
	if who.Username, who.Password, ok = req.BasicAuth(); ok || req.URL.User == nil || req.Header.Get("Authorization") != "" {
		return who, ok
	}
	who.Username = req.URL.User.Username()
	who.Password, _ = req.URL.User.Password()
	return who, true
}

// answerTo returns a new request that answers the digest challenge of a refusal. It returns nil if the refusal has no such challenge, or
// if the request has no password. It also returns nil if the refusal came after a redirect.
func answerTo(req *http.Request, refusal *http.Response) *http.Request {
	last := refusal.Request
	who, ok := password(req)
	if refusal.StatusCode != http.StatusUnauthorized || !ok || last == nil || !SameOrigin(req.URL, last.URL) || last.Response != nil {
		return nil
	}
	d, ok := chooseDigest(challenges(refusal.Header.Values("WWW-Authenticate")))
	if !ok {
		return nil
	}
	again := req.Clone(req.Context())
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil
		}
		again.Body = body
	}
	again.Header.Set("Authorization", d.header(again.Method, again.URL.RequestURI(), who, rand.Text()))
	return again
}

// drop reads a refusal to its end, up to maxRefusal bytes, and closes it.
func drop(refusal *http.Response) {
	_, _ = io.Copy(io.Discard, io.LimitReader(refusal.Body, maxRefusal))
	refusal.Body.Close()
}
