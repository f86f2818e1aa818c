package wallkey

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// scheme is the beginning of the header Authorization in a signed request. The rest of the header consists of the key's ID, Checker.start
// of the other wall, the request's number, and the signature.
const scheme = "Wall "

// A Signer signs requests with one key. Any goroutine may call its methods.
type Signer struct {
	id  string
	key []byte

	mu    sync.Mutex // guards the fields below
	start string     // Checker.start of the other wall, from its last rejection
	next  uint64
}

// NewSigner returns a Signer for a key with its ID.
func NewSigner(id string, key []byte) *Signer { return &Signer{id: id, key: key} }

// Sign adds a signature to the headers of a request. `body` is the body of the request.
func (s *Signer) Sign(r *http.Request, body []byte) {
	s.mu.Lock()
	start, n := s.start, s.next
	s.next++
	s.mu.Unlock()
	sum := signature(s.key, start, n, r.Method, r.URL.RequestURI(), body)
	r.Header.Set("Authorization", fmt.Sprintf("%s%s.%s.%d.%s", scheme, s.id, start, n, hex.EncodeToString(sum)))
}

// Learn reads Checker.start and the next number from a rejection. It returns true if the caller should sign and send the request again.
func (s *Signer) Learn(answer *http.Response) bool {
	rest, ok := strings.CutPrefix(answer.Header.Get("WWW-Authenticate"), scheme)
	start, number, both := strings.Cut(rest, ".")
	n, err := strconv.ParseUint(number, 10, 64)
	if answer.StatusCode != http.StatusUnauthorized || !ok || !both || err != nil || len(start) != startSize {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.start, s.next = start, max(n, 1)
	return true
}

// signature returns an HMAC over the parts of a request that an attacker must not change.
func signature(key []byte, start string, n uint64, method, uri string, body []byte) []byte {
	mac := hmac.New(sha256.New, key)
	sum := sha256.Sum256(body)
	fmt.Fprintf(mac, "%s\n%d\n%s\n%s\n%x", start, n, method, uri, sum)
	return mac.Sum(nil)
}

// ErrSignature is returned for a request without a valid signature. For example, the signature was made with another key or before a
// restart. The request may also have been changed on the way or sent a second time.
var ErrSignature = errors.New("the signature of the wall is not valid; pair the walls again")

// A Checker checks the signatures of requests from other walls. Any goroutine may call its methods.
type Checker struct {
	start string // random text that changes with each start of the program. It makes signatures from before a restart invalid
	key   func(id string) ([]byte, bool)

	mu   sync.Mutex // guards the fields below
	seen map[string]*window
}

// startSize is the length of Checker.start, in characters.
const startSize = 16

// NewChecker returns a Checker. `start` is a text that differs at each start of the program. `key` returns the key with an ID; ok is false
// for an unknown ID.
func NewChecker(start string, key func(id string) ([]byte, bool)) *Checker {
	sum := sha256.Sum256([]byte(start))
	return &Checker{start: hex.EncodeToString(sum[:startSize/2]), key: key, seen: map[string]*window{}}
}

// Signed reports whether a request has a signature. The signature may be invalid.
func Signed(r *http.Request) bool { return strings.HasPrefix(r.Header.Get("Authorization"), scheme) }

// Check returns the ID of the key with which a request is signed. It accepts each signature only once.
func (c *Checker) Check(r *http.Request, body []byte) (id string, err error) {
	parts := strings.Split(strings.TrimPrefix(r.Header.Get("Authorization"), scheme), ".")
	if len(parts) != 4 || !Signed(r) {
		return "", ErrSignature
	}
	key, known := c.key(parts[0])
	n, bad := strconv.ParseUint(parts[2], 10, 64)
	given, worse := hex.DecodeString(parts[3])
	want := signature(key, c.start, n, r.Method, r.URL.RequestURI(), body)
	if subtle.ConstantTimeCompare(given, want) != 1 || !known || bad != nil || worse != nil || !c.fresh(parts[0], n) {
		return "", ErrSignature
	}
	return parts[0], nil
}

// Challenge returns the value of the header WWW-Authenticate for a rejection.
func (c *Checker) Challenge(r *http.Request) string {
	id, _, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("Authorization"), scheme), ".")
	c.mu.Lock()
	defer c.mu.Unlock()
	next := uint64(1)
	if w := c.seen[id]; w != nil {
		next = w.highest + 1
	}
	return fmt.Sprintf("%s%s.%d", scheme, c.start, next)
}

// fresh() records the number of a request and reports whether the number is new. The caller has already checked the signature.
func (c *Checker) fresh(id string, n uint64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	w := c.seen[id]
	if w == nil {
		for old := range c.seen { // forget keys that were revoked
			if _, known := c.key(old); !known {
				delete(c.seen, old)
			}
		}
		w = &window{}
		c.seen[id] = w
	}
	return w.take(n)
}

// A window stores the latest `width` request numbers. A request is rejected if its number is lower than the highest number by `width` or
// more.
const width = 64

// A window records which of the latest numbers were used. It rejects all older numbers.
type window struct {
	highest uint64
	taken   uint64 // bit i is set if the number highest−i was used
}

func (w *window) take(n uint64) bool {
	if n > w.highest {
		shift := n - w.highest
		w.taken = w.taken<<min(shift, width) | 1
		w.highest = n
		return true
	}
	bit := uint64(1) << min(w.highest-n, width)
	if n == 0 || bit == 0 || w.taken&bit != 0 {
		return false
	}
	w.taken |= bit
	return true
}
