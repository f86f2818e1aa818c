package locale

import (
	"bytes"
	"compress/gzip"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write words.gz again")

// words.gz contains the current words.txt.
func TestWordsArePacked(t *testing.T) {
	want, err := os.ReadFile("words.txt")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		var packed bytes.Buffer
		z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is valid
		if _, err := z.Write(want); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("words.gz", packed.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		packedWords = packed.Bytes()
	}
	if got := ownWords(); got != string(want) {
		t.Error("words.gz differs from words.txt: run make docs")
	}
}
