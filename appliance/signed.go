//go:build linux

package appliance

import (
	"bytes"
	"errors"
	"io/fs"
	"os"

	"aead.dev/minisign"

	"dashboard/appliance/card"
)

// Reasons to refuse an update with a valid checksum.
var (
	errUnsigned = errors.New("the update is not signed, and this image takes only signed updates")
	errSignedBy = errors.New("the update is not signed with the key of this image, or was changed later")
)

// checkSigned returns an error if the running root file system has a key, but the update is not signed with this key. `size` is the
// update's size without its sum.
func checkSigned(keyFile, update string, size int64) error {
	text, err := os.ReadFile(keyFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var key minisign.PublicKey
	if err := key.UnmarshalText(bytes.TrimSpace(text)); err != nil {
		return err
	}
	signature, err := signatureOf(update, size)
	if err != nil {
		return err
	}
	sum, err := readBack(update, size-card.SignatureSize)
	if err == nil && !minisign.Verify(key, sum, signature) {
		err = errSignedBy
	}
	return err
}

// signatureOf reads the signature in an update.
func signatureOf(update string, size int64) ([]byte, error) {
	f, err := os.Open(update)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	block := make([]byte, card.SignatureSize)
	if size < card.SignatureSize {
		return nil, errUnsigned
	}
	if _, err := f.ReadAt(block, size-card.SignatureSize); err != nil {
		return nil, err
	}
	signature, ok := card.ParseSignature(block)
	if !ok {
		return nil, errUnsigned
	}
	return signature, nil
}
