package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// SecretsName is the file of secrets, next to the others.
const SecretsName = "secrets.yaml"

// ErrNoSecret is in the error of a source that does not have the secret, so
// that another may be asked.
var ErrNoSecret = errors.New("no such secret")

// SecretsFile returns a source that reads secrets from a YAML mapping of name
// to value. The file is read at the first use and then kept: make a new source
// for each load, so that a reload sees a changed file. The source is not safe
// for concurrent use.
func SecretsFile(path string) SecretSource {
	s := &secretsFile{path: path}
	return s.get
}

type secretsFile struct {
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

// load reads the file. Nothing in it is resolved: neither secrets nor tokens.
func (s *secretsFile) load() (*Node, error) {
	data, err := readFile(s.path)
	if err != nil {
		if _, stat := os.Stat(s.path); errors.Is(stat, fs.ErrNotExist) {
			return nil, missingFile{fmt.Sprintf("%s: %v", s.path, err)}
		}
		return nil, fmt.Errorf("%s: %w", s.path, err)
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

// A missingFile is fs.ErrNotExist in our words.
type missingFile struct{ text string }

func (e missingFile) Error() string        { return e.text }
func (e missingFile) Is(target error) bool { return target == fs.ErrNotExist }

// A secretError is ErrNoSecret with the reason.
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

// maxCredential bounds a credential file; systemd allows 1 MiB in all.
const maxCredential = 1 << 20

// CredentialsDir returns a source that reads each secret from a file of its
// name, as systemd puts them where $CREDENTIALS_DIRECTORY points. The value is
// the file's text without its last line end.
func CredentialsDir(dir string) SecretSource {
	return func(name string) (any, error) {
		if name == "" || name != filepath.Base(name) || name[0] == '.' {
			return nil, secretError{fmt.Sprintf("'!secret %s' cannot be the name of a credential", name)}
		}
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, secretError{fmt.Sprintf("'!secret %s' is not in %s", name, dir)}
		case err == nil && (info.IsDir() || info.Size() > maxCredential):
			return nil, fmt.Errorf("%s is no credential: not a file of at most %d bytes", path, maxCredential)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("credential: %w", err)
		}
		return strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r"), nil
	}
}

// FirstSecret asks sources in order and takes the first that has the secret.
// If none has, the error is the last one's.
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
