package kit

import (
	"testing"

	"dashboard/internal/fetch"
	"dashboard/internal/locale"
	"dashboard/render/icon"
)

// TestReasonsHaveIcons checks that failures with different texts have different icons, and that the icons exist.
func TestReasonsHaveIcons(t *testing.T) {
	texts := map[string]locale.Phrase{noReason.icon: noReason.text}
	for class, r := range reasons {
		if _, ok := icon.Lookup(r.icon); !ok {
			t.Errorf("%s: there is no icon %s", class, r.icon)
		}
		if text, ok := texts[r.icon]; ok && text != r.text {
			t.Errorf("%s has the icon %s of another text", class, r.icon)
		}
		texts[r.icon] = r.text
	}
	if _, ok := icon.Lookup(noReason.icon); !ok {
		t.Errorf("there is no icon %s", noReason.icon)
	}
	if r, known := reasonOf(fetch.Cut); r != noReason || known {
		t.Errorf("another class: got %v, %v", r, known)
	}
}

func TestHalves(t *testing.T) {
	for s, want := range map[string][2]string{
		"No connection to the server": {"No connection", "to the server"}, "読み込み中": {"読み込み中", ""}, "": {}, "a b": {"a", "b"},
	} {
		if first, second := halves(s); first != want[0] || second != want[1] {
			t.Errorf("%q: got %q and %q", s, first, second)
		}
	}
}
