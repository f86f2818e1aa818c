package trmnl

import (
	"image"
	"strconv"
	"strings"
)

// A Model describes the screen of a kind of device: its size and its number of grays.
type Model struct {
	Name string
	Size image.Point // size of the wall on this screen in px
	Bits int         // bits per pixel: 1, 2, 4 or 8
	Turn bool        // true if the device's own picture is upright, so that the wall's must be rotated clockwise by 90 degrees
	BMP  bool        // the file must be a BMP for the first firmware, not a PNG
	Most int         // greatest file that the device accepts, in bytes
}

const (
	// smallFile is the bound for the first boards, whose buffer has 90,000 bytes.
	smallFile = 90_000
	// largeFile is the bound for boards with more memory, and for all other devices.
	largeFile = 750_000
	// MaxSide bounds the sides of a picture, in px. The longer side of the largest reader has 2480 px.
	MaxSide = 2560
	// minSide is the smallest plausible side in the report of a device, in px.
	minSide = 100
)

// Models returns the models whose names are allowed in the configuration. The makers of the protocol have chosen these names.
func Models() []Model {
	kindle := func(name string, w, h, bits int) Model {
		return Model{Name: name, Size: image.Pt(w, h), Bits: bits, Turn: true, Most: largeFile}
	}
	return []Model{
		{Name: "og_png", Size: image.Pt(800, 480), Bits: 1, Most: smallFile},
		{Name: "og_bmp", Size: image.Pt(800, 480), Bits: 1, Most: smallFile, BMP: true},
		{Name: "og_plus", Size: image.Pt(800, 480), Bits: 2, Most: smallFile},
		{Name: "v2", Size: image.Pt(1872, 1404), Bits: 4, Most: largeFile},
		kindle("amazon_kindle_2024", 1400, 840, 8),
		kindle("amazon_kindle_7", 800, 600, 8),
		kindle("amazon_kindle_oasis_2", 1680, 1264, 8),
		kindle("amazon_kindle_paperwhite_6th_gen", 1024, 768, 8),
		kindle("amazon_kindle_paperwhite_7th_gen", 1448, 1072, 8),
		kindle("amazon_kindle_scribe", 2480, 1860, 8),
		kindle("kobo_libra_2", 1680, 1264, 8),
		kindle("kobo_aura_one", 1872, 1404, 8),
		kindle("kobo_aura_hd", 1440, 1080, 4),
		{Name: "inkplate_10", Size: image.Pt(1200, 820), Bits: 4, Most: largeFile},
	}
}

// Named returns the model with the given name. ok is false for an unknown name.
func Named(name string) (Model, bool) {
	for _, m := range Models() {
		if m.Name == name {
			return m, true
		}
	}
	return Model{}, false
}

// byHeader returns the model for the value of a device's header Model.
func byHeader(word string) (Model, bool) {
	switch word = strings.ToLower(word); word {
	case "og", "trmnl":
		word = "og_png"
	case "x", "trmnl_x":
		word = "v2"
	}
	return Named(word)
}

// readsPNG reports whether a firmware version can show PNG files. The firmware of the first board
// can show PNG files since version 1.5.2. An invalid version counts as a new version.
func readsPNG(version string) bool {
	pngFirmware := [3]int{1, 5, 2}
	var got [3]int
	parts := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil {
			return true
		}
		got[i] = n
	}
	for i := range got {
		if got[i] != pngFirmware[i] {
			return got[i] > pngFirmware[i]
		}
	}
	return true
}

// modelOf returns the model of a device: the configured model, or else the model in the device's headers, or else a general model with
// the size of the frame. If no model is configured, a size in the device's headers replaces the size of the model.
func modelOf(written string, said Said, frame image.Point) Model {
	m, ok := Named(written)
	if ok {
		return m
	}
	if m, ok = byHeader(said.Model); !ok {
		m = Model{Name: "reader", Size: frame, Bits: 4, Most: largeFile}
	}
	if said.Size != (image.Point{}) {
		m.Size, m.Turn = said.Size, false
	}
	if og, _ := Named("og_png"); !ok && m.Size == og.Size {
		m = og
	}
	m.BMP = m.Bits == 1 && m.Size == image.Pt(800, 480) && !readsPNG(said.Firmware)
	return m
}
