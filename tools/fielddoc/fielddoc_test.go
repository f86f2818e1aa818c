package fielddoc

import (
	"reflect"
	"testing"
)

type inner struct {
	// The comment of an inner field,
	// on two lines.
	Deep int `yaml:"deep"`
}

type outer struct {
	inner
	Tagged int     `yaml:"tagged" doc:"The tag."`
	List   []inner `yaml:"list"`
}

// TestFields checks that the tag `doc` is the description of a field. A field without this tag has no description here, because comments
// in test files are not read.
func TestFields(t *testing.T) {
	for _, f := range Fields(reflect.TypeFor[outer]()) {
		if want := map[string]string{"tagged": "The tag."}[f.Name]; f.Doc != want {
			t.Errorf("%s: got %q, want %q", f.Name, f.Doc, want)
		}
	}
}

// TestComments checks that the comment above a field becomes its description, in one line.
func TestComments(t *testing.T) {
	got := commentsOf("tools/fielddoc/testdata/keys")
	for key, want := range map[string]string{"Keys.One": "The first key, on two lines.", "Keys.Two": "", "Keys.Three": "The third."} {
		if got[key] != want {
			t.Errorf("%s: got %q, want %q", key, got[key], want)
		}
	}
}
