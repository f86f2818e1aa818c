package fleet

import (
	"bytes"
	"net/http"
	"testing"
)

// TestKeyFollowsWall: if a wall with the name of a paired wall is found at another address, the key is used at the new address. If the
// paired wall is still found at its old address, the key is used only there. A token is never used for another address.
func TestKeyFollowsWall(t *testing.T) {
	key := bytes.Repeat([]byte{7}, keySize)
	hall, garage := "http://10.0.0.1:5000", "http://10.0.0.2:5000"
	for _, tt := range []struct {
		name   string
		kept   Kept
		found  []Address
		paired string // address of the paired wall
	}{
		{"the same address", Kept{URL: hall, Name: "Hall", ID: "k", Key: key}, []Address{{Name: "Hall", URL: hall}}, hall},
		{"another address", Kept{URL: hall, Name: "Hall", ID: "k", Key: key}, []Address{{Name: "Hall", URL: garage}}, garage},
		{"a second wall with the name", Kept{URL: hall, Name: "Hall", ID: "k", Key: key}, []Address{{Name: "Hall", URL: garage}, {Name: "Hall", URL: hall}}, hall},
		{"another name", Kept{URL: hall, Name: "Hall", ID: "k", Key: key}, []Address{{Name: "Garage", URL: garage}}, ""},
		{"a token", Kept{URL: hall, Name: "Hall", Token: "t"}, []Address{{Name: "Hall", URL: garage}}, ""},
		{"a short key", Kept{URL: hall, Name: "Hall", ID: "k", Key: key[:8]}, []Address{{Name: "Hall", URL: hall}}, ""},
	} {
		f := New(Parts{Client: &http.Client{Transport: network{}}, Kept: []Kept{tt.kept}})
		f.discovered(tt.found)
		got := ""
		for _, w := range f.Look() {
			if w.Paired {
				got += w.URL
			}
			if w.token != "" && w.URL != hall {
				t.Errorf("%s: the token goes to %s", tt.name, w.URL)
			}
		}
		if got != tt.paired {
			t.Errorf("%s: got the key at %q, want %q", tt.name, got, tt.paired)
		}
	}
}

// TestKeptIsBounded: at most MaxKept walls are stored, even if the file from the last run has more.
func TestKeptIsBounded(t *testing.T) {
	var many []Kept
	for range 5000 {
		many = append(many, Kept{URL: "http://10.0.0.1:5000", Token: "t"}, Kept{URL: "file:///x", Token: "t"}, Kept{})
	}
	if f := New(Parts{Kept: many}); len(f.kept) != MaxKept {
		t.Errorf("%d walls are kept", len(f.kept))
	}
	f := New(Parts{})
	var err error
	for i := 0; err == nil; i++ {
		if _, err = f.Add("http://10.0.0." + string(rune('a'+i%26)) + string(rune('a'+i/26)) + ":5000"); i > 2*MaxKept {
			t.Fatal("walls are added without end")
		}
	}
	if err != ErrFull {
		t.Errorf("got %v", err)
	}
}
