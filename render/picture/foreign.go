package picture

import (
	"bytes"
	"fmt"
)

// foreignFormats lists the first bytes of unsupported picture formats, so that errors can name the format.
var foreignFormats = []struct {
	at    int
	begin string
	name  string
}{
	{4, "ftypavi", "AVIF"},
	{4, "ftyphei", "HEIC"}, {4, "ftyphev", "HEIC"}, {4, "ftypmif1", "HEIC"}, {4, "ftypmsf1", "HEIC"},
	{0, "II*\x00", "TIFF"}, {0, "MM\x00*", "TIFF"},
	{0, "\xff\x0a", "JPEG XL"}, {4, "JXL \r\n\x87\n", "JPEG XL"},
	{0, "%PDF-", "PDF"},
}

// unknown() returns the error for data in an unsupported format. If foreignFormats contains the format, the error names it.
func unknown(data []byte) error {
	for _, f := range foreignFormats {
		if len(data) > f.at && bytes.HasPrefix(data[f.at:], []byte(f.begin)) {
			return fmt.Errorf("%w: %s is not read; convert the picture to JPEG or PNG", ErrUnknown, f.name)
		}
	}
	return ErrUnknown
}
