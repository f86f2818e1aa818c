package manifest

import (
	"fmt"
	"os"

	"aead.dev/minisign"
)

// A PrivateKey is a private key of minisign.
type PrivateKey = minisign.PrivateKey

// ReadPrivate reads a minisign private key from a file. If the key has a password, the environment variable MINISIGN_PASSWORD must
// contain it.
func ReadPrivate(path string) (k minisign.PrivateKey, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return k, err
	}
	if !minisign.IsEncrypted(text) {
		err = k.UnmarshalText(text)
	} else if k, err = minisign.DecryptKey(os.Getenv("MINISIGN_PASSWORD"), text); err != nil {
		err = fmt.Errorf("%w: the password of a key that has one is MINISIGN_PASSWORD in the environment", err)
	}
	if err != nil {
		return k, fmt.Errorf("%s: %w", path, err)
	}
	return k, nil
}

// ReadPublic reads minisign's public key from a file.
func ReadPublic(path string) (Key, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Key{}, err
	}
	key, err := ParseKey(string(text))
	if err != nil {
		return key, fmt.Errorf("%s: %w", path, err)
	}
	return key, nil
}
