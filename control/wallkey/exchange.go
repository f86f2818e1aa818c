// Package wallkey signs the requests that a wall sends to another wall. The common key of the two walls is never sent over the network.
package wallkey

import (
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
)

// keySize is the size of a key, in bytes.
const keySize = 32

// ErrHalf is returned for a text that is not a valid public half of a key.
var ErrHalf = errors.New("the key is not 32 bytes in base64")

// A Half is one side of a key exchange (X25519) between two walls. Each pairing must use a new half.
type Half struct{ private *ecdh.PrivateKey }

// NewHalf returns a new half with a random private key.
func NewHalf() (*Half, error) {
	private, err := ecdh.X25519().GenerateKey(rand.Reader)
	return &Half{private}, err
}

// Public returns the public half as text. The text is sent to the other wall.
func (h *Half) Public() string {
	return base64.StdEncoding.EncodeToString(h.private.PublicKey().Bytes())
}

// Key returns the common key. `other` is the public half of the other wall. `asks` is the public half of the wall that started the pairing,
// and `asked` is the public half of the wall that answered.
func (h *Half) Key(other, asks, asked string) ([]byte, error) {
	raw, err := base64.StdEncoding.DecodeString(other)
	if err != nil || len(raw) != keySize {
		return nil, ErrHalf
	}
	public, err := ecdh.X25519().NewPublicKey(raw)
	if err != nil {
		return nil, ErrHalf
	}
	shared, err := h.private.ECDH(public)
	if err != nil {
		return nil, ErrHalf // the public half of the other wall is a point of small order
	}
	return hkdf.Key(sha256.New, shared, nil, "dashboard wall key "+asks+" "+asked, keySize)
}
