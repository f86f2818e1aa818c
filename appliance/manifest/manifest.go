// Package manifest reads the signed description of a release of the card's system: its boards, the releases that it replaces, and
// the checksum of its root file system. The signature covers all of that, so the files of a release need no trust.
package manifest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"aead.dev/minisign"

	"dashboard/appliance/card"
)

const (
	// MaxSize bounds a manifest with its signature, bytes. One with ten deltas has 3 kB.
	MaxSize = 64 << 10
	// maxFiles bounds the files of a release: a whole one and deltas from earlier releases.
	maxFiles = 32
	// maxNotes bounds the lines about changes, and maxNote each of them, bytes.
	maxNotes, maxNote = 8, 200
	// format is the version of the form. A program that knows another one is too old.
	format = 1
)

// Channels of releases. Off takes none.
const (
	Stable = "stable"
	Beta   = "beta"
	Off    = "off"
)

// A Manifest describes one release for one kind of board.
type Manifest struct {
	Format   int       `json:"format"`
	Sequence uint64    `json:"sequence"` // grows with every release of all channels
	Version  string    `json:"version"`
	Board    string    `json:"board"`   // arm64 or amd64
	Channel  string    `json:"channel"` // stable or beta
	Least    uint64    `json:"least"`   // the lowest sequence that can be updated to this release
	Made     time.Time `json:"made"`
	Urgent   bool      `json:"urgent,omitempty"`   // does not wait for the maintenance window
	Percent  int       `json:"percent"`            // of the boards that take it
	NextKey  string    `json:"next_key,omitempty"` // minisign's public key that signs later releases as well
	Notes    []string  `json:"notes,omitempty"`    // changes, a line each
	Slot     Slot      `json:"slot"`
	Files    []File    `json:"files"`
}

// A Slot is the root file system that results.
type Slot struct {
	Size int64 `json:"size"` // bytes
	Sum  Sum   `json:"sha256"`
}

// Name is the name of the manifest of a channel for a kind of boards, at the address of releases.
func Name(channel, board string) string { return channel + "-" + board + ".manifest" }

// A Key is a public key of minisign.
type Key = minisign.PublicKey

// A File makes the slot, in the form of package delta: from nothing, or from the root file system with the sum From.
type File struct {
	Name string `json:"name"` // relative to the manifest's address
	Size int64  `json:"size"` // bytes
	Sum  Sum    `json:"sha256"`
	From Sum    `json:"from,omitzero"` // zero for a file that needs no other
}

// A Sum is a SHA-256 sum, in JSON as 64 hexadecimal digits.
type Sum [sha256.Size]byte

// MarshalText implements encoding.TextMarshaler.
func (s Sum) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, s[:]), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Sum) UnmarshalText(text []byte) error {
	if hex.DecodedLen(len(text)) != len(s) {
		return fmt.Errorf("a SHA-256 sum has %d digits, not %d", hex.EncodedLen(len(s)), len(text))
	}
	_, err := hex.Decode(s[:], text)
	return err
}

// IsZero reports whether there is no sum.
func (s Sum) IsZero() bool { return s == Sum{} }

// Errors of a manifest that cannot be used.
var (
	ErrSize   = errors.New("the manifest is too long")
	ErrSigned = errors.New("the manifest is not signed with a key of this board, or was changed later")
	ErrForm   = errors.New("the manifest is damaged")
	ErrFormat = errors.New("the manifest is of a later form: update by hand once")
)

// Keys are the public keys that a board trusts.
type Keys struct {
	Current minisign.PublicKey
	Next    *minisign.PublicKey // nil for none
}

// Which key signed a manifest.
type Which int

// The keys.
const (
	ByCurrent Which = iota
	ByNext
)

// Sign returns the published form of a manifest: its JSON, then a signature block of [card.SignatureSize] bytes.
func Sign(m Manifest, key minisign.PrivateKey) ([]byte, error) {
	m.Format = format
	if err := m.check(); err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, err
	}
	text = append(text, '\n')
	block, err := card.SignatureBlock(minisign.Sign(key, text))
	if err != nil {
		return nil, err
	}
	if out := append(text, block...); len(out) <= MaxSize {
		return out, nil
	}
	return nil, ErrSize
}

// Read returns a signed manifest. Nothing of it is looked at before the signature is verified.
func Read(data []byte, keys Keys) (m Manifest, by Which, err error) {
	if len(data) > MaxSize {
		return m, by, ErrSize
	}
	if len(data) < card.SignatureSize {
		return m, by, ErrSigned
	}
	text := data[:len(data)-card.SignatureSize]
	signature, ok := card.ParseSignature(data[len(text):])
	switch {
	case !ok:
		return m, by, ErrSigned
	case minisign.Verify(keys.Current, text, signature):
	case keys.Next != nil && minisign.Verify(*keys.Next, text, signature):
		by = ByNext
	default:
		return m, by, ErrSigned
	}
	if err := json.Unmarshal(text, &m); err != nil {
		return Manifest{}, by, fmt.Errorf("%w: %w", ErrForm, err)
	}
	return m, by, m.check()
}

// check reports whether the fields make sense.
func (m *Manifest) check() error {
	wrong := func(what string) error { return fmt.Errorf("%w: %s", ErrForm, what) }
	switch {
	case m.Format != format:
		return ErrFormat
	case m.Sequence == 0 || m.Least > m.Sequence:
		return wrong("its sequence number")
	case m.Version == "" || len(m.Version) > 100:
		return wrong("its version")
	case len(m.Notes) > maxNotes || slices.ContainsFunc(m.Notes, func(n string) bool { return len(n) > maxNote }):
		return wrong("its notes")
	case m.Channel != Stable && m.Channel != Beta:
		return wrong("its channel")
	case m.Percent < 0 || m.Percent > 100:
		return wrong("its percentage")
	case m.Slot.Size <= 0 || m.Slot.Size > card.Layout()[card.SlotA].Size || m.Slot.Sum.IsZero():
		return wrong("its root file system")
	case len(m.Files) == 0 || len(m.Files) > maxFiles:
		return wrong("the number of its files")
	}
	if m.NextKey != "" {
		if _, err := ParseKey(m.NextKey); err != nil {
			return wrong("its next key")
		}
	}
	for _, f := range m.Files {
		if f.Size <= 0 || f.Sum.IsZero() || f.Name == "" || f.Name != path.Base(f.Name) || strings.ContainsAny(f.Name, "\\:?#%") {
			return wrong("its file " + f.Name)
		}
	}
	return nil
}

// ParseKey reads a public key of minisign.
func ParseKey(text string) (key minisign.PublicKey, err error) {
	err = key.UnmarshalText(bytes.TrimSpace([]byte(text)))
	return key, err
}

// Choose returns the file to fetch: the smallest one that fits the running root file system. It returns false if the release has no
// fitting file.
func (m *Manifest) Choose(running Sum) (File, bool) {
	fits := slices.DeleteFunc(slices.Clone(m.Files), func(f File) bool { return !f.From.IsZero() && f.From != running })
	if len(fits) == 0 {
		return File{}, false
	}
	return slices.MinFunc(fits, func(a, b File) int { return int(a.Size - b.Size) }), true
}
