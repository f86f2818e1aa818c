package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"slices"
	"strings"
	"testing"
	"time"

	"dashboard/appliance/startscreen"
	"dashboard/internal/qrcode"
	"dashboard/render/text"
)

// noteTime bounds the time until the note with the machine's address appears on the wall. The note needs the network, which starts late
// on a busy host.
const noteTime = reportTime

// notes() takes screenshots until ctx ends, and returns them. If several screenshots are equal, it returns only the first of them.
func (m *machine) notes(ctx context.Context) (all []*image.RGBA, err error) {
	for ; ctx.Err() == nil; time.Sleep(lookPause) {
		if m.last, err = m.Look(); err != nil {
			return all, err
		}
		if !slices.ContainsFunc(all, func(o *image.RGBA) bool { return bytes.Equal(o.Pix, m.last.Pix) }) {
			all = append(all, m.last)
		}
	}
	return all, nil
}

// awaitCode waits until the screen shows the QR code for the address with a token.
func (m *machine) awaitCode(token string) (err error) {
	for end := time.Now().Add(noteTime); time.Now().Before(end); time.Sleep(lookPause) {
		if m.last, err = m.Look(); err != nil {
			return err
		}
		if err = codeShown(m.last, token); err == nil {
			return nil
		}
	}
	return err
}

// addressCode returns the QR code for the address of the test's machine in QEMU's network. If `token` is not empty, the address contains
// this control token.
func addressCode(token string) *qrcode.Code {
	url := "http://10.0.2.15:5000/"
	if token != "" {
		url += "#token=" + token
	}
	code, _ := qrcode.Encode(url) // the address is never too long
	return code
}

// noteOf returns the content of the note that the test's machine must show.
func (k *kit) noteOf(token string, timeSet bool, wrong []string, problems []string) startscreen.Content {
	c := startscreen.Content{Name: "cut-test", Version: "Dashboard " + k.version, Code: addressCode(token), Lines: []startscreen.Line{
		{Icon: "lan-connect", Role: "good", Text: "10.0.2.15"}, {Icon: "web", Text: "cut-test.local:5000"},
		{Icon: "clock-check-outline", Role: "good", Text: "The time is set"},
	}}
	if !timeSet {
		c.Lines[2] = startscreen.Line{Icon: "clock-alert-outline", Role: "warn", Text: "The time is not set yet: no time server has answered"}
	}
	for _, w := range wrong {
		c.Lines = append(c.Lines, startscreen.Line{Icon: "alert-circle", Role: "bad", Text: w})
	}
	for _, p := range problems {
		c.Lines = append(c.Lines, startscreen.Line{Icon: "alert", Role: "warn", Text: p})
	}
	return c
}

// noteShown returns nil if one of the pictures contains one of the notes, in the colors of the day or of the night. The corners of the
// notes are not compared.
func noteShown(pics []*image.RGBA, notes ...startscreen.Content) error {
	cache, least := text.NewCache(1<<20), screenSize.X*screenSize.Y
	for _, c := range notes {
		for _, night := range []bool{true, false} {
			note, at := startscreen.Note(screenSize, c, night, cache)
			for _, pic := range pics {
				least = min(least, otherPixels(pic, note, at.Min))
			}
		}
	}
	if least > 0 {
		return fmt.Errorf("the note was not seen: %d pixels of the most alike differ", least)
	}
	return nil
}

// otherPixels counts the opaque pixels of `part` that differ from `pic`. The upper left corner of `part` is at the point `at` of `pic`.
func otherPixels(pic, part *image.RGBA, at image.Point) (n int) {
	for y := range part.Rect.Dy() {
		for x := range part.Rect.Dx() {
			want := part.Pix[part.PixOffset(x, y):]
			if want[3] == 0xff && apart(pic.Pix[pic.PixOffset(at.X+x, at.Y+y):], want, paintTolerance) {
				n++
			}
		}
	}
	return n
}

// codeShown returns nil if a picture contains the QR code for the address with a token, at any place and in any size.
func codeShown(pic *image.RGBA, token string) error {
	code := addressCode(token)
	grid := make([][]bool, code.Side)
	for y := range grid {
		grid[y] = make([]bool, code.Side)
	}
	code.Runs(func(x, end, y int) {
		for ; x < end; x++ {
			grid[y][x] = true
		}
	})
	const least, most = 2, 8 // px of a module
	for px := least; px <= most; px++ {
		for y := range pic.Rect.Dy() - px*code.Side {
			for x := range pic.Rect.Dx() - px*code.Side {
				if hasGrid(pic, grid, x, y, px) {
					return nil
				}
			}
		}
	}
	return errors.New("the code with the token was not seen")
}

// hasGrid reports whether a picture contains the modules of a code at a place. Each module is `px` pixels wide.
func hasGrid(pic *image.RGBA, grid [][]bool, x, y, px int) bool {
	for j, row := range grid {
		for i, dark := range row {
			const middle = 128
			if p := pic.PixOffset(x+i*px+px/2, y+j*px+px/2); (pic.Pix[p] < middle) != dark {
				return false
			}
		}
	}
	return true
}

// awaitNote waits until the screen shows one of the given notes.
func (m *machine) awaitNote(ctx context.Context, limit time.Duration, notes ...startscreen.Content) error {
	var err error
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(lookPause) {
		if m.last, err = m.Look(); err != nil {
			return err
		}
		if err = noteShown([]*image.RGBA{m.last}, notes...); err == nil || ctx.Err() != nil {
			return err
		}
	}
	return err
}

// awaitAnyNote waits until a note covers a part of the wall. The first pictures of the wall can be older than the note.
func (m *machine) awaitAnyNote(ctx context.Context) (err error) {
	n := 0
	for end := time.Now().Add(reportTime); time.Now().Before(end) && ctx.Err() == nil; time.Sleep(lookPause) {
		if m.last, err = m.Look(); err != nil {
			return err
		}
		if n = differ(m.last, m.kit.want, paintTolerance); n >= m.kit.note.Dx()*m.kit.note.Dy()/4 {
			return nil
		}
	}
	return errors.Join(ctx.Err(), fmt.Errorf("the note with the address is not on the wall: %d pixels", n))
}

// `longest` is a token of the test that is as long as a real token.
var longest = strings.Repeat("A", 26)

// codeShown finds the QR code in a note that contains it, and does not find another code.
func TestCodeShown(t *testing.T) {
	k := &kit{version: "1"}
	pic := image.NewRGBA(image.Rectangle{Max: screenSize})
	note, at := startscreen.Note(screenSize, k.noteOf(longest, true, nil, nil), true, text.NewCache(1<<20))
	draw.Draw(pic, at, note, image.Point{}, draw.Over)
	if err := codeShown(pic, longest); err != nil {
		t.Error(err)
	}
	if codeShown(pic, strings.Repeat("B", 26)) == nil {
		t.Error("the code of another token was found")
	}
	if err := noteShown([]*image.RGBA{pic}, k.noteOf(longest, true, nil, nil)); err != nil {
		t.Error(err)
	}
	if noteShown([]*image.RGBA{pic}, k.noteOf(longest, false, nil, nil)) == nil {
		t.Error("another note was found")
	}
}
