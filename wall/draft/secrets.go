package draft

import (
	"errors"
	"io/fs"
	"path/filepath"
	"regexp"

	"dashboard/config"
	"dashboard/config/edit"
	"dashboard/internal/folder"
	"dashboard/internal/state"
)

// maxSecret is the maximum size of a secret in bytes. Even private keys are smaller.
const maxSecret = 16 << 10

var secretName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$`)

// SetSecret stores a secret in secrets.yaml. If a secret with this name exists, SetSecret replaces it.
func (d *Editor) SetSecret(name, value string) error {
	switch {
	case !secretName.MatchString(name):
		return fail(400, "the name of a secret has letters, digits, _, . and -")
	case len(value) > maxSecret:
		return fail(413, "a secret has at most %d bytes", maxSecret)
	}
	if why := d.whyReadOnly(); why != "" {
		return fail(403, "%s: the secret cannot be stored", why)
	}
	d.saving.Lock()
	defer d.saving.Unlock()
	doc, before, err := d.secrets()
	if err != nil {
		return err
	}
	r, err := doc.Append(name, quotedWord(value))
	if e := doc.Root.Entry(name); e != nil {
		r, err = doc.SetText(e.Value, quotedWord(value))
	}
	if err != nil {
		return fail(422, "the secret cannot be stored: %v", err)
	}
	if err := d.storeSecrets(before, r.Doc.Bytes); err != nil {
		return fail(503, "the secret cannot be stored: %v", err)
	}
	d.Log.Info("the editor stored a secret", "name", name)
	return nil
}

// storeSecrets writes secrets.yaml. Only its owner can read the file. If the editor has a Keeper, the Keeper writes the file.
func (d *Editor) storeSecrets(before, after []byte) error {
	path := filepath.Join(d.Folder().Open().Path("."), config.SecretsName)
	if d.Keeper == nil {
		return state.Replace(path, after)
	}
	return d.Keeper.Save([]Replaced{{config.SecretsName, before, after, path}})
}

// secrets() reads secrets.yaml. If the file does not exist, `data` is nil.
func (d *Editor) secrets() (doc *edit.Document, data []byte, err error) {
	data, err = folder.Read(d.Folder().Open(), config.SecretsName, edit.MaxBytes)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fail(500, "%s cannot be read", config.SecretsName)
	}
	doc, err = edit.Parse(config.SecretsName, data)
	if err != nil {
		return nil, nil, fail(422, "%s is not valid YAML", config.SecretsName)
	}
	return doc, data, nil
}

// SecretNames lists the names of the secrets. It does not return their values.
func (d *Editor) SecretNames() ([]map[string]any, error) {
	doc, _, err := d.secrets()
	if err != nil {
		return nil, err
	}
	list := []map[string]any{}
	for _, e := range doc.Root.Items() {
		if e.Key != nil {
			list = append(list, map[string]any{"name": e.Key.Value, "set": e.Value.Text() != "" || len(e.Value.Items()) > 0})
		}
	}
	return list, nil
}
