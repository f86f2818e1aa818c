package settings

import (
	"encoding/base64"
	"encoding/binary"
	"slices"
	"strings"
)

// keyTypes are the types of public keys that dropbear accepts.
var keyTypes = []string{"ssh-ed25519", "ssh-rsa", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521"}

// addKey adds a public key without its comment. The decoded key must contain the same type as the line (RFC 4253, section 6.6).
func (s *Settings) addKey(v string) bool {
	words := strings.Fields(v)
	if len(words) < 2 || !slices.Contains(keyTypes, words[0]) || len(s.SSHKeys) == maxKeys {
		return false
	}
	blob, err := base64.StdEncoding.DecodeString(words[1])
	if err != nil || len(blob) < 4 {
		return false
	}
	n := binary.BigEndian.Uint32(blob)
	if rest := blob[4:]; uint64(n) >= uint64(len(rest)) || string(rest[:n]) != words[0] {
		return false
	}
	s.SSHKeys = append(s.SSHKeys, words[0]+" "+words[1])
	return true
}

// AuthorizedKeys returns the file with the keys that may log in, or nil.
func (s Settings) AuthorizedKeys() []byte {
	if len(s.SSHKeys) == 0 {
		return nil
	}
	return []byte(strings.Join(s.SSHKeys, "\n") + "\n")
}
