package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Load reads and parses a file. It returns nil if that failed, with the reason
// in the report. path is also the name in messages; it is relative to the
// working directory, as every path in the files is. secrets may be nil.
func Load(path string, r *Report, secrets SecretSource) *Node {
	data, err := readFile(path)
	if err != nil {
		r.Add(Diagnostic{File: path, Message: err.Error()})
		return nil
	}
	return Parse(path, data, r, secrets)
}

// readFile reads a file of bounded length. Its errors are sentences about the
// file, without its name.
func readFile(path string) ([]byte, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		abs = path
	}
	f, err := os.Open(path)
	if err == nil {
		defer f.Close()
		var info fs.FileInfo
		if info, err = f.Stat(); err == nil && info.IsDir() {
			return nil, fmt.Errorf("is a directory, not a file (%s)", abs)
		}
	}
	var data []byte
	if err == nil {
		// One byte more than allowed, for Parse to see that it is too long.
		data, err = io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	}
	return data, readError(err, abs)
}

func readError(err error, abs string) error {
	var p *fs.PathError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("no such file (looked for %s)", abs)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("not readable (%s)", abs)
	case errors.As(err, &p):
		err = p.Err
	}
	return fmt.Errorf("could not be read (%s): %w", abs, err)
}

// LoadWidgets reads a widgets or theme file with its theme tokens unresolved,
// for package theme to resolve. It returns nil if the file could not be read.
func LoadWidgets(path string, r *Report, secrets SecretSource) *Node {
	return Load(path, r, secrets)
}

// document loads a file in which theme tokens have no meaning, and returns nil
// if its root is no mapping.
func document(path string, r *Report, secrets SecretSource) *Node {
	n := Load(path, r, secrets)
	switch {
	case n == nil:
		return nil
	case n.kind == Null && !n.broken:
		r.Errorf(n, "the file is empty")
		return nil
	case n.kind != Map && n.kind != Token:
		if !n.broken {
			r.Errorf(n, "must be a mapping, not %s", n.shown())
		}
		return nil
	}
	if n = rejectTokens(n, r); n.kind != Map {
		return nil
	}
	return n
}

// rejectTokens reports every theme token and puts broken values in their place.
func rejectTokens(n *Node, r *Report) *Node {
	switch n.kind {
	case Token:
		where := n.path
		if where == "" {
			where = "at its top"
		}
		r.Errorf(n, "theme tokens are only resolved in the widgets file, but this one uses %s (!%s %s)", where, n.tag, n.text)
		return n.AsBroken()
	case List:
		items := make([]*Node, len(n.items))
		for i, item := range n.items {
			items[i] = rejectTokens(item, r)
		}
		return n.WithItems(items)
	case Map:
		pairs := make([]Pair, len(n.pairs))
		for i, p := range n.pairs {
			p.Value = rejectTokens(p.Value, r)
			pairs[i] = p
		}
		return n.WithPairs(pairs)
	}
	return n
}
