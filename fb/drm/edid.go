package drm

import (
	"encoding/binary"
	"errors"
	"strings"
)

// An EDID is the description that a screen sends (VESA E-EDID 1.4), reduced to the fields that this program uses.
type EDID struct {
	Maker    string // three letters
	Name     string // may be empty
	Serial   string // may be empty
	WidthCM  int    // width of the picture (0 if unknown)
	HeightCM int    // height of the picture (0 if unknown)
	MaxClock int    // greatest pixel clock, in kHz (0 if unknown)
}

const (
	edidBlock       = 128
	edidHeader      = "\x00\xff\xff\xff\xff\xff\xff\x00"
	edidDescriptors = 54 // four descriptors, 18 bytes each
	tagName         = 0xfc
	tagSerial       = 0xff
	tagLimits       = 0xfd // tag of the display range limits. Byte 9 of this descriptor is the maximum pixel clock in units of 10 MHz
)

// ParseEDID parses the first block of an EDID. It ignores the checksum, because some screens send a wrong checksum.
func ParseEDID(b []byte) (EDID, error) {
	if len(b) < edidBlock || string(b[:8]) != edidHeader {
		return EDID{}, errors.New("not an EDID")
	}
	e := EDID{Maker: maker(binary.BigEndian.Uint16(b[8:])), WidthCM: int(b[21]), HeightCM: int(b[22])}
	for at := edidDescriptors; at+18 <= edidBlock-2; at += 18 {
		d := b[at : at+18]
		if d[0] != 0 || d[1] != 0 || d[2] != 0 { // this descriptor is a timing, not a text
			continue
		}
		switch d[3] {
		case tagName:
			e.Name = edidText(d[5:])
		case tagSerial:
			e.Serial = edidText(d[5:])
		case tagLimits:
			e.MaxClock = int(d[9]) * 10_000
		}
	}
	return e, nil
}

// maker unpacks the three letters of the manufacturer, with five bits each.
func maker(v uint16) string {
	var s [3]byte
	for i := range s {
		s[i] = '@' + byte(v>>(10-5*i)&31)
	}
	return strings.Map(printable, string(s[:]))
}

// edidText returns the text before the line feed in b, without unprintable characters.
func edidText(b []byte) string {
	s, _, _ := strings.Cut(string(b), "\n")
	return strings.TrimSpace(strings.Map(printable, s))
}

func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return -1
	}
	return r
}

// String returns the maker and the name, such as "GSM LG TV".
func (e EDID) String() string { return strings.TrimSpace(e.Maker + " " + e.Name) }
