package config

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"dashboard/internal/folder"
)

// Load reads and parses a file of fsys. If this fails, it returns nil, and the report contains the reason. Messages contain `path` as the
// name of the file. `secrets` may be nil.
func Load(fsys fs.FS, path string, r *Report, secrets SecretSource) *Node {
	data, err := readFile(fsys, path)
	if err != nil {
		r.Add(Diagnostic{File: path, Message: err.Error()})
		return nil
	}
	return Parse(path, data, r, secrets)
}

// readFile reads a file of at most maxFileBytes. The text of an error describes the problem and contains the full path if this helps the
// user.
func readFile(fsys fs.FS, path string) ([]byte, error) {
	data, err := folder.Read(fsys, path, maxFileBytes)
	return data, readError(err, fsys, path)
}

// place returns the path of a file for messages. If `fsys` is a folder of the machine, the path begins with this folder.
func place(fsys fs.FS, path string) string {
	if root, ok := fsys.(interface{ Path(string) string }); ok {
		return root.Path(path)
	}
	return path
}

// misnamed() returns `path` with the ending .yml instead of .yaml if a file with this path exists. Otherwise it returns "".
func misnamed(fsys fs.FS, path string) string {
	stem, ok := strings.CutSuffix(path, ".yaml")
	if _, err := fs.Stat(fsys, stem+".yml"); !ok || err != nil {
		return ""
	}
	return stem + ".yml"
}

func readError(err error, fsys fs.FS, path string) error {
	var long *folder.TooLong
	place := place(fsys, path)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist) && misnamed(fsys, path) != "":
		return fmt.Errorf("no such file (looked for %s); rename %s", place, misnamed(fsys, path))
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("no such file (looked for %s)", place)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("not readable (%s): the user who runs this program has no permission", place)
	case errors.As(err, &long):
		return long
	}
	err = folder.Reason(err)
	if errors.Is(err, folder.ErrNotRegular) {
		return fmt.Errorf("%w (%s)", err, place)
	}
	return fmt.Errorf("could not be read (%s): %w", place, err)
}

// LoadWidgets reads a widgets file or a theme file. It does not resolve theme tokens, because
// package theme does this. If the file cannot be read, it returns nil.
func LoadWidgets(fsys fs.FS, path string, r *Report, secrets SecretSource) *Node {
	return Load(fsys, path, r, secrets)
}

// document loads a file that must not contain theme tokens. If the root is not a mapping, it returns nil.
func document(fsys fs.FS, path string, r *Report, secrets SecretSource) *Node {
	n := Load(fsys, path, r, secrets)
	switch {
	case n == nil:
		return nil
	case n.kind == Null && !n.broken:
		r.Errorf(n, "the file is empty")
		return nil
	case n.kind != Map && n.kind != Token:
		if !n.broken {
			r.Errorf(n, "must be a mapping, not %s", n.Shown())
		}
		return nil
	}
	if n = rejectTokens(n, r); n.kind != Map {
		return nil
	}
	return n
}

// rejectTokens reports each theme token in n as an error. It returns a copy of n in which each
// value with the tag !data is a program and each theme token is broken.
func rejectTokens(n *Node, r *Report) *Node {
	if n.IsProgram() {
		return n.AsProgram()
	}
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
