package main

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"

	"aead.dev/minisign"

	"dashboard/appliance/card"
	"dashboard/appliance/manifest"
)

// newKey writes a private key without a password, because a key with a password takes a second and a gigabyte of memory.
func newKey(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "minisign.key")
	if err := writeKey(path); err != nil {
		t.Fatal(err)
	}
	return path
}

func writeKey(path string) error {
	_, key, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	text, err := key.MarshalText()
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// A signed update ends with a signature of its root file system and kernel, and then with the checksum of everything before it.
func TestSignedUpdate(t *testing.T) {
	key, dir := newKey(t), t.TempDir()
	root, update := filepath.Join(dir, "root"), filepath.Join(dir, "update")
	content := bytes.Repeat([]byte("root"), 1000)
	if err := os.WriteFile(root, content, 0o600); err != nil {
		t.Fatal(err)
	}
	archive := []byte("a kernel's archive")
	if err := makeUpdate(root, archive, update, key); err != nil {
		t.Fatal(err)
	}
	content = append(content, card.KernelPart(archive)...)
	if err := publicKey(dir, key); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(update)
	if err != nil {
		t.Fatal(err)
	}
	body := got[:len(got)-card.TrailerSize]
	if sum, err := card.ParseTrailer(got[len(body):]); err != nil || sum != sha256.Sum256(body) {
		t.Errorf("got sum %x, %v, want that of all before it", sum, err)
	}
	signature, ok := card.ParseSignature(body[len(content):])
	text, err := os.ReadFile(filepath.Join(dir, card.KeyFile))
	if err != nil {
		t.Fatal(err)
	}
	var public minisign.PublicKey
	if err := public.UnmarshalText(bytes.TrimSpace(text)); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(content)
	if !ok || !minisign.Verify(public, sum[:], signature) {
		t.Errorf("got signature %q, %v, want one that the public key knows", signature, ok)
	}
	if err := makeUpdate(root, nil, update, root); err == nil {
		t.Error("a file that is no key: got no error")
	}
}

// An image for which a next key is given also contains this key.
func TestNextKey(t *testing.T) {
	dir := t.TempDir()
	public, _, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := public.MarshalText()
	file := filepath.Join(dir, "next.pub")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := nextKey(dir, file); err != nil {
		t.Fatal(err)
	}
	if got, err := manifest.ReadPublic(filepath.Join(dir, card.NextKeyFile)); err != nil || got.ID() != public.ID() {
		t.Errorf("got %v, %v", got, err)
	}
	if err := nextKey(dir, newKey(t)); err == nil {
		t.Error("a private key: got no error")
	}
}
