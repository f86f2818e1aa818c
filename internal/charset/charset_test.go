package charset

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"flag"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
)

var update = flag.Bool("update", false, "write the tables from golang.org/x/text")

// theirs() decodes a text with the library golang.org/x/text, whose results the tests compare with the results of Decode.
func theirs(t testing.TB, name string, text []byte) []byte {
	e, err := htmlindex.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	out, err := e.NewDecoder().Bytes(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func same(t testing.TB, name string, text []byte) {
	t.Helper()
	got, known := Decode(text, name)
	if want := theirs(t, name, text); !known || !bytes.Equal(got, want) {
		t.Fatalf("%s: % x: got %q, want %q", name, text, got, want)
	}
}

// names() returns the names of all encodings.
func names() (all []string) {
	for line := range strings.Lines(labels) {
		all = append(all, strings.Fields(line)[0])
	}
	return all
}

// one() returns the only rune of a text. For other texts it returns 0.
func one(t *testing.T, name string, text ...byte) rune {
	out := theirs(t, name, text)
	if r, size := utf8.DecodeRune(out); size == len(out) && r != utf8.RuneError {
		return r
	}
	return 0
}

func square(t *testing.T, name string, rows int, before ...byte) (all []rune) {
	for i := range rows * 94 {
		all = append(all, one(t, name, append(before[:len(before):len(before)], byte(i/94)+0xa1, byte(i%94)+0xa1)...))
	}
	return all
}

func shifted(t *testing.T) (all []rune) {
	for i := range 60 * 188 {
		lead, trail := byte(i/188)+0x81, byte(i%188)+0x40
		if lead > 0x9f {
			lead += 0x40
		}
		if trail > 0x7e {
			trail++
		}
		all = append(all, one(t, "shift_jis", lead, trail))
	}
	return all
}

func wideGrid(t *testing.T, name string) (all []rune) {
	for i := range 126 * 191 {
		all = append(all, one(t, name, byte(i/191)+0x81, byte(i%191)+0x40))
	}
	return all
}

// runs() returns two numbers for each range in GB18030's four-byte form: the position of the range's first character, counted from 1, and
// the rune of this character.
func runs(t *testing.T) (all []rune) {
	last := rune(-2)
	for i := range rune(basic) {
		r := one(t, "gb18030", byte(i/12600)+0x81, byte(i/1260%10)+0x30, byte(i/10%126)+0x81, byte(i%10)+0x30)
		if r == 0 {
			r = last + 1
		}
		if r != last+1 {
			all = append(all, i+1, r)
		}
		last = r
	}
	return all
}

// The tables of this package contain the same characters as the tables of golang.org/x/text.
func TestTables(t *testing.T) {
	for name, c := range map[string]struct{ got, want []rune }{
		"jis0208": {jis0208(), shifted(t)},
		"jis0212": {jis0212(), square(t, "euc-jp", 94, 0x8f)},
		"korean":  {korean(), wideGrid(t, "euc-kr")},
		"chinese": {chinese(), wideGrid(t, "gbk")},
		"taiwan":  {taiwan(), wideGrid(t, "big5")},
		"ranges":  {ranges(), append(runs(t), make([]rune, 2*maxRanges)...)[:2*maxRanges]},
	} {
		if *update {
			pack(t, name, c.want)
			continue
		}
		for i := range c.want {
			if c.got[i] != c.want[i] {
				t.Fatalf("%s: %d: got %U, want %U", name, i, c.got[i], c.want[i])
			}
		}
	}
}

// pack writes a table in compressed form.
func pack(t *testing.T, name string, runes []rune) {
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression)
	last := rune(0)
	for _, r := range runes {
		step := int64(0)
		if r != 0 {
			if step = int64(r - last); step >= 0 {
				step++
			}
			last = r
		}
		if _, err := w.Write(binary.AppendVarint(nil, step)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("tables/"+name, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Decode uses the same encoding for every label as golang.org/x/text. Decode rejects texts that are not labels.
func TestLabels(t *testing.T) {
	for line := range strings.Lines(labels) {
		for _, label := range strings.Fields(line) {
			for _, text := range []string{"a\xe4\xb8\x80\x81\x40", "\xd5\xff\xa4\x80", "\x30\x42\xfe\xa1"} {
				same(t, " "+strings.ToUpper(label)+"\n", []byte(text))
			}
		}
	}
	for _, label := range []string{"", "x", "utf-7", "latin9", "utf-8 utf-16le"} {
		if _, err := htmlindex.Get(label); err == nil {
			t.Fatalf("the library knows %q", label)
		}
		if text, known := Decode([]byte("a"), label); known || text != nil {
			t.Errorf("%q: got %q", label, text)
		}
	}
}

// Decode gives the same result as golang.org/x/text for every byte and every pair of bytes, in every state of ISO-2022-JP. With the flag
// -short, the test reads only every 37th pair.
func TestSequences(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 37
	}
	for _, name := range names() {
		for _, start := range starts(name) {
			for i := range 1 << 8 {
				same(t, name, append([]byte(start), byte(i)))
			}
			for i := 0; i < 1<<16 && single[name] == nil; i += step {
				same(t, name, append([]byte(start), byte(i>>8), byte(i)))
			}
		}
	}
}

// starts() returns texts that can come before a sequence: the empty text, the first bytes of a longer character, or an escape sequence
// that chooses a character set.
func starts(name string) []string {
	switch name {
	case "iso-2022-jp":
		return []string{"", "\x1b$B", "\x1b$(D", "\x1b(I", "\x1b"}
	case "euc-jp":
		return []string{"", "\x8f"}
	case "gb18030":
		return []string{"", "\x81\x30", "\x84\x31", "\x90\x30", "\xe3\x32", "\xfe\x3f"}
	}
	return []string{""}
}

// Decode gives the same result as golang.org/x/text for random texts, valid or not.
func TestRandomTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	texts := 10_000
	if testing.Short() {
		texts = 1000
	}
	parts := []string{"\x1b$B", "\x1b(B", "\x1b(I", "\x1b$(D", "\x8f\xa1", "\x81\x30\x81", "\x88\x62", "\n", "a", "\xff"}
	for _, name := range names() {
		for range texts {
			var text []byte
			for range random.IntN(30) {
				switch random.IntN(4) {
				case 0:
					text = append(text, parts[random.IntN(len(parts))]...)
				case 1:
					text = append(text, byte(0x81+random.IntN(0x7e)), byte(0x40+random.IntN(0xbf)))
				default:
					text = append(text, byte(random.IntN(256)))
				}
			}
			same(t, name, text)
		}
	}
}

// A sequence that is not in an encoding becomes U+FFFD, and the text continues after it.
func TestInvalid(t *testing.T) {
	for name, text := range map[string]string{
		"shift_jis": "\x81\x20a", "euc-jp": "\x8f\xa1 a", "iso-2022-jp": "\x1bxa", "euc-kr": "\xc9\xa1a",
		"gbk": "\x81\x20a", "gb18030": "\x81\x30 a", "big5": "\x81\x20a",
	} {
		got, known := Decode([]byte(text), name)
		if !known || !strings.Contains(string(got), "\uFFFD") || !strings.HasSuffix(string(got), "a") {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for i := range names() {
		f.Add(byte(i), []byte("\x1b$B0l\x81\x30\x81\x30\x88\x62\x8f\xb0\xa1"))
	}
	f.Fuzz(func(t *testing.T, which byte, text []byte) {
		all := names()
		name := all[int(which)%len(all)]
		same(t, name, text)
		if got, _ := Decode(text, name); len(got) > 3*len(text) || !utf8.Valid(got) {
			t.Fatalf("%s: %d bytes of % x", name, len(got), text)
		}
	})
}
