package ink

import (
	"bytes"
	"image"
	"testing"
)

func TestPack(t *testing.T) {
	m := image.NewPaletted(image.Rect(0, 0, 11, 2), nil)
	for i := range m.Pix {
		m.Pix[i] = uint8(i % 4)
	}
	ones := []uint8{0, 1, 0, 1}
	tests := []struct {
		name  string
		r     image.Rectangle
		bits  int
		codes []uint8
		want  []byte
	}{
		{"1 bit", m.Rect, 1, nil, []byte{0b01010101, 0b01000000, 0b10101010, 0b10100000}},
		{"a plane", image.Rect(0, 0, 8, 1), 1, []uint8{0, 0, 1, 0}, []byte{0b00100010}},
		{"codes", m.Rect, 1, ones, []byte{0b01010101, 0b01000000, 0b10101010, 0b10100000}},
		{"2 bits", m.Rect, 2, nil, []byte{0x1b, 0x1b, 0b00011000, 0b11000110, 0b11000110, 0b11000100}},
		{"4 bits with codes", image.Rect(1, 0, 4, 1), 4, []uint8{0, 5, 6, 2}, []byte{0x56, 0x20}},
		{"8 bits", image.Rect(9, 0, 11, 2), 8, nil, []byte{1, 2, 0, 1}},
		{"nothing", image.Rectangle{}, 4, nil, []byte{}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			dst := bytes.Repeat([]byte{0xff}, 64)
			n := Pack(dst, m, tc.r, tc.bits, tc.codes)
			if !bytes.Equal(dst[:n], tc.want) {
				t.Errorf("got %08b, want %08b", dst[:n], tc.want)
			}
		})
	}
}

func TestRegions(t *testing.T) {
	var r Regions
	r.Add(Region{Rect: image.Rect(0, 0, 5, 5)}) // this region is ignored, because it covers no photo
	r.Add(Region{Rect: image.Rect(10, 10, 30, 30), Photo: true})
	r.Add(Region{Rect: image.Rect(25, 25, 40, 40)})
	r.Add(Region{Photo: true})
	if got := len(r.List()); got != 2 {
		t.Fatalf("got %d regions, want 2", got)
	}
	r.Turn(image.Rect(0, 0, 100, 50))
	if got, want := r.List()[0].Rect, image.Rect(70, 20, 90, 40); got != want {
		t.Errorf("turned: got %v, want %v", got, want)
	}
	for range 2 * MaxRegions {
		r.Add(Region{Rect: image.Rect(0, 0, 5, 5), Photo: true})
	}
	if got := len(r.List()); got != MaxRegions {
		t.Errorf("got %d regions, want %d", got, MaxRegions)
	}
}

func TestPalettes(t *testing.T) {
	want := map[string]int{"bw": 1, "bwr": 2, "gray4": 2, "bwry": 2, "spectra6": 4, "inky7": 4, "gray16": 4, "gray256": 8}
	for _, name := range Names() {
		p := named(t, name)
		if p.Bits() != want[name] {
			t.Errorf("%s: got %d bits, want %d", name, p.Bits(), want[name])
		}
		if len(p.Looks()) != len(p.Inks) || len(p.Pure()) != len(p.Inks) || p.Doc == "" {
			t.Errorf("%s is not whole", name)
		}
	}
	if len(Names()) != len(want) {
		t.Errorf("got %v", Names())
	}
	if _, ok := Named("sepia"); ok {
		t.Error("there is no sepia")
	}
}
