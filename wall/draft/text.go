package draft

import (
	"strings"

	"dashboard/config/edit"
)

// File returns the working text of a file in the draft.
func (t *Draft) File(name string) (map[string]any, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.files[name]
	if f == nil {
		return nil, fail(404, "there is no file %s here", name)
	}
	return map[string]any{"name": name, "text": string(f.work), "hash": edit.Hash(f.work), "writable": t.writable}, nil
}

// SetFile replaces the working text of a file, or adds a new file. `hash` is the hash of the text that the caller has read. If the
// working text has changed since then, SetFile returns an error.
func (t *Draft) SetFile(name, text, hash string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.files[name]
	switch {
	case !t.open():
		return fail(404, "the draft is closed")
	case len(text) > edit.MaxBytes:
		return fail(413, "a file has at most %d bytes", edit.MaxBytes)
	case !editable(name):
		return fail(403, "%s is no file of the configuration", name)
	case f == nil && len(t.files) >= maxFiles:
		return fail(422, "a configuration has at most %d files", maxFiles)
	case f != nil && hash != edit.Hash(f.work):
		return &Error{Status: 409, Text: "the file has changed since it was read", More: map[string]any{"conflict": true}}
	case strings.Contains(text, "\x00"):
		return fail(422, "the text has a zero byte")
	}
	var old []byte
	if f != nil {
		old = f.work
	}
	edits := edit.Diff(document(name, old), []byte(text))
	if len(edits) == 0 {
		return nil
	}
	t.commit(map[string]*change{name: {edits: edits}}, "")
	return nil
}
