package pages

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A form that is too long is refused before it is read.
func TestLongForm(t *testing.T) {
	f := newFixture(t)
	body := strings.NewReader("code=" + token + "&" + strings.Repeat("x", maxForm))
	r, w, size := httptest.NewRequest(http.MethodPost, "/", body), httptest.NewRecorder(), body.Len()
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	f.ServeHTTP(w, r)
	if w.Code != http.StatusNotFound || body.Len() != size {
		t.Errorf("a form that is too long: got %d after %d bytes, want 404 without reading it", w.Code, size-body.Len())
	}
}
