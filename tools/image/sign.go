package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"

	"aead.dev/minisign"

	"dashboard/appliance/card"
	"dashboard/appliance/manifest"
)

// signed() returns the content of an update with a signature at its end. Without a key file, it returns the content unchanged.
func signed(content []byte, keyFile string) ([]byte, error) {
	if keyFile == "" {
		return content, nil
	}
	key, err := manifest.ReadPrivate(keyFile)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(content)
	block, err := card.SignatureBlock(minisign.Sign(key, sum[:]))
	return append(content, block...), err
}

// publicKey computes the public key of a private key, and writes it into a root file system.
func publicKey(dir, keyFile string) error {
	if keyFile == "" {
		return nil
	}
	key, err := manifest.ReadPrivate(keyFile)
	if err != nil {
		return err
	}
	public, ok := key.Public().(minisign.PublicKey)
	if !ok {
		return fmt.Errorf("%s: no public key", keyFile)
	}
	text, err := public.MarshalText()
	if err != nil {
		return err
	}
	return putFile(filepath.Join(dir, card.KeyFile), append(text, '\n'), 0o644)
}

// nextKey writes a second public key into a root file system. Later releases may be signed with the private key of this public key.
func nextKey(dir, file string) error {
	if file == "" {
		return nil
	}
	key, err := manifest.ReadPublic(file)
	if err != nil {
		return err
	}
	text, err := key.MarshalText() // cannot fail
	return errors.Join(err, putFile(filepath.Join(dir, card.NextKeyFile), append(text, '\n'), 0o644))
}
