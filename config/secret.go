package config

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sort"
	"strings"

	"dashboard/internal/folder"
)

// SecretsName is the name of the file of secrets.
const SecretsName = "secrets.yaml"

// ErrNoSecret is wrapped in the error of a source that does not have the secret. The caller can then use another source.
var ErrNoSecret = errors.New("no such secret")

// SecretsFile returns a source that reads secrets from a YAML file of fsys. The file is a mapping from names to values. The source reads
// the file when it is first used and keeps the content. Create a new source for each load, so that a reload finds changes. Several
// goroutines must not use the source at the same time.
func SecretsFile(fsys fs.FS, path string) SecretSource {
	s := &secretsFile{fsys: fsys, path: path}
	return s.get
}

type secretsFile struct {
	fsys fs.FS
	path string
	read bool
	root *Node
	err  error
}

func (s *secretsFile) get(name string) (any, error) {
	if !s.read {
		s.read = true
		s.root, s.err = s.load()
	}
	if errors.Is(s.err, fs.ErrNotExist) {
		return nil, secretError{fmt.Sprintf("%v, and it is needed to resolve '!secret %s'", s.err, name)}
	}
	if s.err != nil {
		return nil, s.err
	}
	p := s.root.pair(name)
	if p == nil {
		return nil, secretError{fmt.Sprintf("'!secret %s' is not in %s (it defines: %s)", name, s.path, sortedWords(s.root.Keys()))}
	}
	return p.Value.Value(), nil
}

// load reads the file. It does not resolve secrets and theme tokens in the file.
func (s *secretsFile) load() (*Node, error) {
	data, err := folder.Read(s.fsys, s.path, maxFileBytes)
	if err != nil {
		words := readError(err, s.fsys, s.path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, missingFile{fmt.Sprintf("%s: %v", s.path, words)}
		}
		return nil, fmt.Errorf("%s: %w", s.path, words)
	}
	var r Report
	root := Parse(s.path, data, &r, nil)
	if err := r.Err(); err != nil {
		return nil, err
	}
	if root.Kind() != Map && root.Kind() != Null {
		return nil, fmt.Errorf("%s must be a mapping of name to secret", root.Pos())
	}
	return root, nil
}

// A missingFile is fs.ErrNotExist with a text for users.
type missingFile struct{ text string }

func (e missingFile) Error() string        { return e.text }
func (e missingFile) Is(target error) bool { return target == fs.ErrNotExist }

// A secretError is ErrNoSecret with a reason.
type secretError struct{ text string }

func (e secretError) Error() string        { return e.text }
func (e secretError) Is(target error) bool { return target == ErrNoSecret }

func sortedWords(words []string) string {
	if len(words) == 0 {
		return "nothing"
	}
	sort.Strings(words)
	return strings.Join(words, ", ")
}

// maxCredential is the maximum size of a credential file in bytes. systemd allows 1 MiB for all credentials together.
const maxCredential = 1 << 20

// Credentials returns a source that reads each secret from a separate file in fsys. The file has the name of the secret. systemd puts
// such files into the folder $CREDENTIALS_DIRECTORY. The value is the content of the file without the line break at its end.
func Credentials(fsys fs.FS) SecretSource {
	return func(name string) (any, error) {
		if name == "" || name != filepath.Base(name) || name[0] == '.' {
			return nil, secretError{fmt.Sprintf("'!secret %s' cannot be the name of a credential", name)}
		}
		data, err := folder.Read(fsys, name, maxCredential)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, secretError{fmt.Sprintf("'!secret %s' is not in %s", name, place(fsys, "."))}
		case err != nil:
			return nil, fmt.Errorf("credential %s: %w", name, readError(err, fsys, name))
		}
		return strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r"), nil
	}
}

// FirstSecret returns a source that uses several sources in order. It returns the value of the first source that has the secret. If none
// of them has the secret, it returns the error of the last source. Any other error of a source is returned at once.
func FirstSecret(sources ...SecretSource) SecretSource {
	return func(name string) (any, error) {
		err := error(secretError{fmt.Sprintf("'!secret %s': there is nowhere to look", name)})
		for _, source := range sources {
			var v any
			if v, err = source(name); !errors.Is(err, ErrNoSecret) {
				return v, err
			}
		}
		return nil, err
	}
}
