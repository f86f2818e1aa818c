package piece

import "testing"

func TestEmptySnippet(t *testing.T) {
	if got := new(Snippet).Width(); got != 0 {
		t.Errorf("a text without letters: got a width of %d px, want 0", got)
	}
}
