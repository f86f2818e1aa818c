package scene

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dashboard/widgets"
)

// fileWord matches a word in the name of a key that may contain the name of a file.
var fileWord = regexp.MustCompile(`path|image|file|folder|picture|font`)

// notFiles lists the keys that fileWord matches, but whose values are paths inside of data.
var notFiles = []string{"json_path", "data_path", "labels_data_path"}

// textKeys returns the keys of a struct of parameters and of its embedded structs. It returns only keys whose values may be texts.
func textKeys(t reflect.Type) (keys []string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for i := range t.NumField() {
		f := t.Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			keys = append(keys, textKeys(f.Type)...)
		case key != "" && (f.Type.Kind() == reflect.String || strings.Contains(f.Type.String(), "Live[string]")):
			keys = append(keys, key)
		}
	}
	return keys
}

// TestRecipeReadsNoFile: a recipe cannot name a file in any key of any widget. This test finds the keys in the parameters of the widgets.
func TestRecipeReadsNoFile(t *testing.T) {
	tried := 0
	for _, kind := range widgets.Kinds() {
		for _, key := range textKeys(reflect.TypeOf(kind.Params())) {
			if !fileWord.MatchString(key) || slices.Contains(notFiles, key) {
				continue
			}
			tried++
			_, _, report := loadRecipe(t, "[]", "  one: {type: derived, value: !data 1}\n", "{widget: "+kind.Name+", "+key+": secret.png}", "")
			if got := report.String(); !strings.Contains(got, "a recipe may not read files") && !strings.Contains(got, "a recipe cannot have a") {
				t.Errorf("%s: %s: got %s", kind.Name, key, got)
			}
		}
	}
	if tried < 9 { // at least photos, markdown, image, grid, and the fonts of classic widgets
		t.Errorf("tried only %d keys", tried)
	}
}
