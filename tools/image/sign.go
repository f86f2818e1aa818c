package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"

	"aead.dev/minisign"

	"dashboard/appliance/card"
)

// readKey reads the private key that updates are signed with. Its password, if it has one, is in the environment.
func readKey(path string) (k minisign.PrivateKey, err error) {
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

// signed adds a signature to the content of an update. Without a key file the content is unchanged.
func signed(content []byte, keyFile string) ([]byte, error) {
	if keyFile == "" {
		return content, nil
	}
	key, err := readKey(keyFile)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(content)
	block, err := card.SignatureBlock(minisign.Sign(key, sum[:]))
	return append(content, block...), err
}

// publicKey puts the public key of a private one into a root file system.
func publicKey(dir, keyFile string) error {
	if keyFile == "" {
		return nil
	}
	key, err := readKey(keyFile)
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
