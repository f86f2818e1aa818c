package initramfs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
)

// Tokens of a flattened device tree (Devicetree Specification, section 5.4.1).
const (
	treeMagic = 0xd00dfeed
	beginNode = 1
	endNode   = 2
	property  = 3
	noToken   = 4
	endTree   = 9
)

// ErrTree is returned for a file that is not a device tree.
var ErrTree = errors.New("not a flattened device tree")

// Compatible returns the names of the devices in a flattened device tree. They are the strings of all properties "compatible", sorted.
func Compatible(dtb []byte) ([]string, error) {
	t := treeReader{data: dtb}
	if t.word(0) != treeMagic {
		return nil, ErrTree
	}
	t.at, t.names = int(t.word(8)), int(t.word(12))
	for {
		switch t.next() {
		case beginNode:
			t.skip(len(t.text(t.at)) + 1)
		case property:
			size, name := int(t.next()), t.text(t.names+int(t.next()))
			if value := t.slice(t.at, size); name == "compatible" {
				t.found = append(t.found, strings.FieldsFunc(string(value), func(r rune) bool { return r == 0 })...)
			}
			t.skip(size)
		case endNode, noToken:
		case endTree:
			slices.Sort(t.found)
			return slices.Compact(t.found), nil
		default:
			return nil, ErrTree
		}
	}
}

// A treeReader reads a device tree, which may be truncated. After the end it reads zeros, which are not a token.
type treeReader struct {
	data      []byte
	at, names int
	found     []string
}

// slice returns `size` bytes from an offset of the data, or fewer if the data ends earlier.
func (t *treeReader) slice(at, size int) []byte {
	if at < 0 || size < 0 || at >= len(t.data) {
		return nil
	}
	return t.data[at:min(at+size, len(t.data))]
}

func (t *treeReader) word(at int) uint32 {
	if s := t.slice(at, 4); len(s) == 4 {
		return binary.BigEndian.Uint32(s)
	}
	return 0
}

func (t *treeReader) next() uint32 {
	w := t.word(t.at)
	t.at += 4
	return w
}

// skip moves the position forward by n bytes, and then to a multiple of four.
func (t *treeReader) skip(n int) { t.at = (t.at + n + 3) &^ 3 }

// text returns the string at a position.
func (t *treeReader) text(at int) string {
	s := t.slice(at, len(t.data))
	if end := bytes.IndexByte(s, 0); end >= 0 {
		return string(s[:end])
	}
	return ""
}
