package jpegtile

import (
	"bytes"
	"encoding/binary"
	"image"
	"testing"
)

// FuzzRoundTrip makes a picture from the input's bytes and encodes it in three ways: in one call, in strips, and as a delta of all tiles.
// All results must agree.
func FuzzRoundTrip(f *testing.F) {
	f.Add(uint8(17), uint8(9), uint8(85), true, []byte("some pixels"))
	f.Add(uint8(255), uint8(40), uint8(100), false, []byte{0, 255, 255, 0, 0, 255})
	f.Add(uint8(1), uint8(1), uint8(1), true, []byte{})
	f.Fuzz(func(t *testing.T, w, h, quality uint8, half bool, data []byte) {
		if w == 0 || h == 0 || quality == 0 || quality > 100 {
			return
		}
		o := Options{int(quality), Chroma444}
		if half {
			o.Chroma = Chroma420
		}
		pic := image.NewRGBA(image.Rect(0, 0, int(w), int(h)))
		for i := range pic.Pix {
			if len(data) > 0 {
				pic.Pix[i] = data[i%len(data)] ^ byte(i/len(data))
			}
		}
		e := encoder(t, pic, o)
		file := e.AppendTo(nil)
		if got := decode(t, file).Bounds(); got != pic.Rect {
			t.Fatalf("got %v, want %v", got, pic.Rect)
		}
		if !bytes.Equal(strips(t, pic, o, 1), file) {
			t.Fatal("strips give another file")
		}
		all := e.AppendTiles(nil, pic.Rect)
		delta, err := e.AppendDelta(nil, all)
		if err != nil {
			t.Fatal(err)
		}
		shown := image.NewRGBA(pic.Rect)
		paste(t, e, shown, delta, all)
		if at, ok := firstDifference(shown, decode(t, file)); !ok {
			t.Fatalf("pixel %v differs", at)
		}
	})
}

// FuzzBits reads back the bits that a bitWriter wrote.
func FuzzBits(f *testing.F) {
	f.Add([]byte{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF})
	f.Add([]byte{1, 2, 3, 250, 251, 252})
	f.Fuzz(func(t *testing.T, data []byte) {
		w := bitWriter{buf: make([]byte, 4*len(data)+slackBytes)}
		var want []byte // one byte for each bit
		for ; len(data) >= 3; data = data[3:] {
			n := uint(data[0])%27 + 1
			v := uint64(binary.BigEndian.Uint16(data[1:])) * 0x10001 & (1<<n - 1)
			w.put(v, n)
			for i := range n {
				want = append(want, byte(v>>(n-1-i)&1))
			}
		}
		got := w.finish()
		at := 0
		for i := 0; i < len(got); i++ {
			for bit := 7; bit >= 0; bit-- {
				if at < len(want) && want[at] != got[i]>>bit&1 || at >= len(want) && got[i]>>bit&1 == 0 {
					t.Fatalf("bit %d of %d is wrong", at, len(want))
				}
				at++
			}
			if got[i] == 0xFF {
				if i++; i == len(got) || got[i] != 0 {
					t.Fatal("0xFF without its zero")
				}
			}
		}
		if at < len(want) {
			t.Fatalf("got %d bits, want %d", at, len(want))
		}
	})
}
