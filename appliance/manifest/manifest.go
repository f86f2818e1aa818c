// Package manifest reads the signed description of a release of the card's system. The description contains the kind of board, the
// earlier releases that can be updated to this release, and the checksum of the root file system. The signature covers the whole
// description, so the files of a release do not have to be trusted.
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
	// MaxSize is the maximum size of a manifest with its signature, in bytes. A manifest with ten delta files has 3 kB.
	MaxSize = 64 << 10
	// maxFiles is the maximum number of files of a release: one complete file, and delta files for earlier releases.
	maxFiles = 32
	// maxNotes is the maximum number of lines about changes. maxNote is the maximum length of a line, in bytes.
	maxNotes, maxNote = 8, 200
	// format is the version of the manifest's format. A program refuses a manifest with another version.
	format = 1
)

// Channels of releases. A board on the channel Off does not install releases.
const (
	Stable = "stable"
	Beta   = "beta"
	Off    = "off"
)

// A Manifest describes one release for one kind of board.
type Manifest struct {
	Format   int       `json:"format"`
	Sequence uint64    `json:"sequence"` // number that increases with every release of any channel
	Version  string    `json:"version"`
	Board    string    `json:"board"`   // arm64 or amd64
	Channel  string    `json:"channel"` // stable or beta
	Least    uint64    `json:"least"`   // lowest sequence number of a system that can be updated to this release
	Made     time.Time `json:"made"`
	Urgent   bool      `json:"urgent,omitempty"`   // true if boards install the release outside of the maintenance window too
	Percent  int       `json:"percent"`            // percentage of the boards that install the release
	NextKey  string    `json:"next_key,omitempty"` // minisign public key that may sign later releases too
	Notes    []string  `json:"notes,omitempty"`    // changes, one in each line
	Slot     Slot      `json:"slot"`
	Files    []File    `json:"files"`
}

// A Slot describes the resulting root file system.
type Slot struct {
	Size int64 `json:"size"` // size in bytes
	Sum  Sum   `json:"sha256"`
}

// Name returns the file name of the manifest for a channel and a kind of board.
func Name(channel, board string) string { return channel + "-" + board + ".manifest" }

// A Key is a public key of minisign.
type Key = minisign.PublicKey

// A File is a delta file. It makes the content of the slot from the root file system with the sum From, or from nothing if From is zero.
type File struct {
	Name string `json:"name"` // name of the file in the folder of the manifest
	Size int64  `json:"size"` // size in bytes
	Sum  Sum    `json:"sha256"`
	From Sum    `json:"from,omitzero"` // zero if the file needs no other file system
}

// A Sum is a SHA-256 sum. In JSON it has 64 hexadecimal digits.
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

// IsZero reports whether the sum is empty.
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
	Next    *minisign.PublicKey // second trusted key, or nil
}

// Which identifies the key that signed a manifest.
type Which int

// The keys that can sign a manifest.
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

// Read returns a signed manifest and the key that has signed it. Read verifies the signature before it parses the manifest.
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

// check returns an error if the fields are not valid.
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

// Choose returns the file to fetch: the smallest file that fits the running root file system. It returns false if the release has no
// fitting file.
func (m *Manifest) Choose(running Sum) (File, bool) {
	fits := slices.DeleteFunc(slices.Clone(m.Files), func(f File) bool { return !f.From.IsZero() && f.From != running })
	if len(fits) == 0 {
		return File{}, false
	}
	return slices.MinFunc(fits, func(a, b File) int { return int(a.Size - b.Size) }), true
}
