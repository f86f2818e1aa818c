package card

import (
	"bytes"
	"fmt"
)

const (
	// KeyFile in a root file system is the public key that its updates must be signed with, minisign's. Without it any
	// update is taken.
	KeyFile = "/etc/dashboard-update.pub"
	// SignatureSize is what a signed update has behind its root file system and kernel and before the sum, which counts it:
	// minisign's signature of the SHA-256 sum of all before it, and line ends up to here.
	SignatureSize = 512
)

// signatureBegin is how minisign's signatures begin.
const signatureBegin = "untrusted comment:"

// SignatureBlock returns a signature as an update has it.
func SignatureBlock(signature []byte) ([]byte, error) {
	if len(signature) > SignatureSize || !bytes.HasPrefix(signature, []byte(signatureBegin)) {
		return nil, fmt.Errorf("%d bytes are no signature of minisign's", len(signature))
	}
	return append(signature[:len(signature):len(signature)], bytes.Repeat([]byte("\n"), SignatureSize-len(signature))...), nil
}

// ParseSignature returns the signature of a block; false if it is none.
func ParseSignature(block []byte) (signature []byte, ok bool) {
	if len(block) != SignatureSize || !bytes.HasPrefix(block, []byte(signatureBegin)) {
		return nil, false
	}
	return append(bytes.TrimRight(block, "\n"), '\n'), true
}
