package walltest

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"testing"

	"dashboard/render"
	"dashboard/render/picture"
)

// Player is the name of the provider of type mpd.
const Player = "mpd-p"

// Song returns a value of a player. The song is four minutes long and has been played for 83 seconds.
func Song(title, artist string) map[string]any {
	return map[string]any{
		"state": "playing", "title": title, "artist": artist, "album": "Evening Water", "cover": "a.flac",
		"position": 83.4, "length": 241.0, "at": int(T0.Unix()),
	}
}

// Cover returns a cover picture for a song, with its palette. The picture shows a disc on a plain background.
func Cover(t testing.TB, size image.Point, ground, disc color.RGBA) *picture.Picture {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 300, 300))
	c := render.NewCanvas(m)
	c.Fill(m.Rect, ground)
	c.FillRound(image.Rect(60, 60, 240, 240), render.NewCorner(90, image.Pt(180, 180)), disc)
	c.FillRound(image.Rect(130, 130, 170, 170), render.NewCorner(20, image.Pt(40, 40)), ground)
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	p, err := picture.Decode(t.Context(), b.Bytes(), size, picture.Cover, true)
	if err != nil {
		t.Fatal(err)
	}
	colors := picture.Palette(p.Frames[0].Img)
	p.Colors = colors[:]
	return p
}
