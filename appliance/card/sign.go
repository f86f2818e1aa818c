package card

import (
	"bytes"
	"fmt"
)

const (
	// KeyFile in a root file system is minisign's public key, which verifies its updates. If the file is missing, any
	// update is taken.
	KeyFile = "/etc/dashboard-update.pub"
	// NextKeyFile is the key that may sign manifests as well, or is missing.
	NextKeyFile = "/etc/dashboard-update-next.pub"
	// SignatureSize is the size of the signature block between the contents of a signed update and the sum, which
	// covers the block. It has minisign's signature of the SHA-256 sum of everything before it, padded with line ends.
	SignatureSize = 512
)

// signatureBegin is how minisign's signatures begin.
const signatureBegin = "untrusted comment:"

// SignatureBlock returns a signature as an update has it.
func SignatureBlock(signature []byte) ([]byte, error) {
	if len(signature) > SignatureSize || !bytes.HasPrefix(signature, []byte(signatureBegin)) {
		return nil, fmt.Errorf("%d bytes are not a signature of minisign", len(signature))
	}
	return append(signature[:len(signature):len(signature)], bytes.Repeat([]byte("\n"), SignatureSize-len(signature))...), nil
}

// ParseSignature returns the signature in a block, and false without a signature.
func ParseSignature(block []byte) (signature []byte, ok bool) {
	if len(block) != SignatureSize || !bytes.HasPrefix(block, []byte(signatureBegin)) {
		return nil, false
	}
	return append(bytes.TrimRight(block, "\n"), '\n'), true
}
