package trmnl

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"slices"
	"strings"
)

// tokenOf returns the token for a device. The token depends only on the secret key and the device's name. So a repeated setup gives the
// same token, and the device keeps its access.
func (r *Readers) tokenOf(name string) string {
	h := hmac.New(sha256.New, r.kept.Key)
	h.Write([]byte("token " + name))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// publicName returns a name that is safe for public pages. If the device's name is an address, the public name is computed with the
// secret key. [Friendly] uses no secret key, and makers have known address ranges. So a reader of the page could try addresses until
// Friendly returns the shown name.
func (r *Readers) publicName(name string) string {
	if _, address := Address(name); !address {
		return name
	}
	h := hmac.New(sha256.New, r.kept.Key)
	h.Write([]byte("public " + name))
	return strings.ToUpper(hex.EncodeToString(h.Sum(nil)[:3]))
}

// Friendly returns a short name for showing a device.
func Friendly(name string) string {
	sum := sha256.Sum256([]byte(name))
	return strings.ToUpper(hex.EncodeToString(sum[:3]))
}

// Setup returns the token for a device, and its short name. A device that waits for permission gets
// a token too, but its requests fail with ErrWaits until it is allowed.
func (r *Readers) Setup(said Said) (token, name string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	id, ok := Address(said.ID)
	if !ok {
		return "", "", ErrNoID
	}
	d := named(r.settings.Devices, id)
	switch {
	case d != nil && d.Token != "":
		return "", "", ErrWritten
	case d != nil:
		return r.tokenOf(id), Friendly(id), nil
	case r.settings.Guest == nil:
		r.stranger(id)
		return "", "", ErrUnknown
	case named(r.guests, id) == nil:
		r.stranger(id)
	}
	return r.tokenOf(id), Friendly(id), nil
}

// stranger() remembers an unknown device. If there are too many unknown devices, it forgets the oldest unknown device.
func (r *Readers) stranger(id string) {
	if slices.Contains(r.strangers, id) {
		return
	}
	if len(r.strangers) >= maxStrangers {
		r.strangers = append(slices.Delete(r.strangers, 0, 1), id)
		return
	}
	r.strangers = append(r.strangers, id)
	if r.settings.Guest != nil {
		r.tell("a new e-reader waits; allow it on the page", "name", Friendly(id), "address", id)
		return
	}
	r.tell("unknown e-reader; add its address to devices of the trmnl output", "address", id)
}

// known() returns the device that has sent a request. The token in the request identifies the device. If Setup has created the token, the
// ID in the request must match too.
func (r *Readers) known(said Said) (Device, error) {
	same := func(token string) bool {
		a, b := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(said.Token))
		return subtle.ConstantTimeCompare(a[:], b[:]) == 1
	}
	var found *Device
	for i := range r.settings.Devices { // compare with all tokens, in constant time
		if d := &r.settings.Devices[i]; d.Token != "" && same(d.Token) {
			found = d
		}
	}
	if found != nil {
		return *found, nil
	}
	id, ok := Address(said.ID)
	if !ok {
		return Device{}, ErrToken
	}
	d := cmp.Or(named(r.settings.Devices, id), named(r.guests, id))
	given := same(r.tokenOf(id))
	switch {
	case d != nil && d.Token == "" && given:
		return *d, nil
	case d == nil:
		r.stranger(id)
		if given && r.settings.Guest != nil {
			return Device{}, ErrWaits
		}
	}
	return Device{}, ErrToken
}

// Known returns the device that has sent a request, or an error if the device is unknown.
func (r *Readers) Known(said Said) (Device, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.known(said)
}
