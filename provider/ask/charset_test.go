package ask

import "testing"

// TestCharset: Plain decodes a body with the encoding that the header names. Plain ignores this encoding if the body is valid UTF-8 or
// has a byte order mark.
func TestCharset(t *testing.T) {
	for name, tt := range map[string]struct{ body, kind, want string }{
		"Cyrillic":           {"\xcf\xf0\xe8\xe2\xe5\xf2", "text/csv; charset=windows-1251", "Привет"},
		"Japanese":           {"\x82\xa0", "application/json; charset=Shift_JIS", "あ"},
		"UTF-8 all the same": {"Grün", "text/plain; charset=iso-8859-1", "Grün"},
		"no header":          {"Gr\xfcn", "", "Gr\xfcn"},
		"no encoding":        {"Gr\xfcn", "text/plain", "Gr\xfcn"},
		"an unknown one":     {"Gr\xfcn", "text/plain; charset=klingon", "Gr\xfcn"},
		"wrong bytes":        {"a\xffb", "text/plain; charset=utf-8", "a\xffb"},
		"a mark":             {"\xff\xfeG\x00\xfc\x00", "text/plain; charset=iso-8859-1", "\xff\xfeG\x00\xfc\x00"},
		"a broken header":    {"Gr\xfcn", "text/plain; charset", "Gr\xfcn"},
	} {
		if got := string(Plain([]byte(tt.body), tt.kind)); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}
