package qrcode

import (
	"strings"
	"testing"
)

// The finder pattern is in three corners (ISO/IEC 18004, section 6.3.3). A text that is too long is an error.
func TestEncode(t *testing.T) {
	c, err := Encode("http://192.168.1.20:5000/#token=0123456789abcdef")
	if err != nil || c.Side < 21 || c.Side > 45 {
		t.Fatalf("got %+v, %v, want a small code", c, err)
	}
	dark := map[[2]int]bool{}
	c.Runs(func(x, end, y int) {
		for ; x < end; x++ {
			dark[[2]int{x, y}] = true
		}
	})
	last := c.Side - 1
	for _, at := range [][2]int{{0, 0}, {6, 0}, {3, 3}, {last, 0}, {0, last}} {
		if !dark[at] {
			t.Errorf("%v is light", at)
		}
	}
	if dark[[2]int{1, 1}] || dark[[2]int{7, 7}] {
		t.Error("the finder has no light ring")
	}
	if _, err := Encode(strings.Repeat("x", 5000)); err == nil {
		t.Error("5,000 bytes: got no error")
	}
}

// A short text uses the remaining room for error correction. A longer text has a larger code.
func TestStrongest(t *testing.T) {
	for _, c := range []struct {
		text       string
		most, want int
	}{
		{"HTTP://10.1.1.1/K7QM42XA", 29, 29},
		{"HTTP://10.1.1.1/K7QM42XA", 25, 25},
		{"WIFI:T:WPA;S:wall-7k3f;P:maple-otter-42;;", 29, 29},
		{"WIFI:T:WPA;S:a longer name;P:maple-otter-42;;", 29, 33},
	} {
		if got, err := Strongest(c.text, c.most); err != nil || got.Side != c.want {
			t.Errorf("%s in %d: got %+v, %v, want %d modules", c.text, c.most, got, err, c.want)
		}
	}
}
