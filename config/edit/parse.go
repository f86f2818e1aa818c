package edit

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"gopkg.in/yaml.v3"
)

const (
	// MaxBytes is the maximum size of a file in bytes. It is the same limit as in package config.
	MaxBytes = 4 << 20
	// maxDepth is the maximum nesting depth. It is the same limit as in package config.
	maxDepth = 200
)

// ErrText means that the positions of the values in a file cannot be determined. Such a file can be edited only as text.
var ErrText = errors.New("this file can be edited as text only")

// A Document is a file and its tree of nodes. It is immutable: an operation returns a new document.
type Document struct {
	Name  string
	Bytes []byte
	Root  *Node // root node, or nil if the file is empty
	Nodes int

	lines []int // offsets of the first byte of each line
	eol   string
}

// Parse reads a file. The document keeps a reference to `data`.
func Parse(name string, data []byte) (*Document, error) {
	d := &Document{Name: name, Bytes: data, eol: lineEnd(data)}
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("%s is longer than %d bytes", name, MaxBytes)
	}
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return nil, fmt.Errorf("%s: %w: save it as UTF-8", name, ErrText)
	}
	root, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	d.lines = lineStarts(data)
	if root == nil {
		return d, nil
	}
	b := &spanner{doc: d, by: map[*yaml.Node]*Node{}}
	if d.Root, err = b.build(root, -1, 0); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := b.finish(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return d, nil
}

// decode parses a file that contains a single YAML document. If the library panics, decode returns an error.
func decode(data []byte) (root *yaml.Node, err error) {
	defer func() {
		if p := recover(); p != nil {
			root, err = nil, fmt.Errorf("yaml: %v", p)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var first, second yaml.Node
	if err := decoder.Decode(&first); err == io.EOF {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if err := decoder.Decode(&second); err == nil {
		return nil, fmt.Errorf("line %d: a second document begins", second.Line) // the wall cannot read it either
	} else if err != io.EOF {
		return nil, err
	}
	if len(first.Content) == 0 {
		return nil, nil
	}
	return first.Content[0], nil
}

// lineEnd returns the line break after the first line. If there is none, it returns a line feed.
func lineEnd(data []byte) string {
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// breakLen returns the length of the line break at i, or 0. YAML 1.1 defines the possible line breaks.
func breakLen(b []byte, i int) int {
	if i >= len(b) {
		return 0
	}
	switch b[i] {
	case '\n':
		return 1
	case '\r':
		if i+1 < len(b) && b[i+1] == '\n' {
			return 2
		}
		return 1
	case 0xc2:
		if i+1 < len(b) && b[i+1] == 0x85 {
			return 2
		}
	case 0xe2:
		if i+2 < len(b) && b[i+1] == 0x80 && (b[i+2] == 0xa8 || b[i+2] == 0xa9) {
			return 3
		}
	}
	return 0
}

// lineStarts returns the offset of the first byte of each line. If the file begins with a byte
// order mark, the first line begins after it.
func lineStarts(b []byte) []int {
	i := 0
	if bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) {
		i = 3
	}
	lines := []int{i}
	for i < len(b) {
		if n := breakLen(b, i); n > 0 {
			i += n
			lines = append(lines, i)
			continue
		}
		i++
	}
	return lines
}

// Plain returns a document without a tree, for a file that is not valid YAML.
func Plain(name string, data []byte) *Document {
	return &Document{Name: name, Bytes: data, lines: lineStarts(data), eol: lineEnd(data)}
}
