package picture

import (
	"errors"
	"image"
	"strings"
	"testing"
)

// TestForeignFormats: the error names the unsupported format.
func TestForeignFormats(t *testing.T) {
	for data, want := range map[string]string{
		"\x00\x00\x00\x18ftypheic\x00": "HEIC", "\x00\x00\x00\x1cftypavif\x00": "AVIF", "II*\x00\x08\x00": "TIFF", "MM\x00*\x00": "TIFF",
		"\xff\x0a\x00": "JPEG XL", "%PDF-1.7": "PDF", "hello": "known format", "": "known format",
	} {
		_, err := Decode(t.Context(), []byte(data), image.Pt(8, 8), Contain, true)
		if !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", data, err, want)
		}
	}
}
