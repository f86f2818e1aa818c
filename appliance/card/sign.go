package card

import (
	"bytes"
	"fmt"
)

const (
	// KeyFile is a file of the root file system with the minisign public key that verifies updates. If the file is missing, unsigned
	// updates are accepted too.
	KeyFile = "/etc/dashboard-update.pub"
	// NextKeyFile is an optional file with a second public key that may sign manifests.
	NextKeyFile = "/etc/dashboard-update-next.pub"
	// SignatureSize is the size of the signature block of a signed update. The block follows the contents. The checksum at the end also
	// covers the block. The block contains minisign's signature of the SHA-256 sum of the contents, padded with line ends.
	SignatureSize = 512
)

// signatureBegin is the beginning of minisign's signatures.
const signatureBegin = "untrusted comment:"

// SignatureBlock returns the signature block of an update.
func SignatureBlock(signature []byte) ([]byte, error) {
	if len(signature) > SignatureSize || !bytes.HasPrefix(signature, []byte(signatureBegin)) {
		return nil, fmt.Errorf("%d bytes are not a signature of minisign", len(signature))
	}
	return append(signature[:len(signature):len(signature)], bytes.Repeat([]byte("\n"), SignatureSize-len(signature))...), nil
}

// ParseSignature returns the signature in a block, and false if there is no signature.
func ParseSignature(block []byte) (signature []byte, ok bool) {
	if len(block) != SignatureSize || !bytes.HasPrefix(block, []byte(signatureBegin)) {
		return nil, false
	}
	return append(bytes.TrimRight(block, "\n"), '\n'), true
}
