package media

import (
	"image"
	"strconv"
	"time"

	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// Sizes of a player, in px on a screen whose shorter side has 720 px, and proportions.
const (
	leastCover = 32   // minimum side of a cover next to the texts
	leastAbove = 84   // minimum side of a cover above the texts
	coverGap   = 22   // gap between the cover and the texts
	keySide    = 48   // side of the middle button
	keyTouch   = 44   // minimum width of the area in which a button reacts to taps
	barHeight  = 6    // height of the bar
	wideShape  = 1.45 // width divided by height. From this ratio on, the cover is next to the texts
	coverShare = 0.46 // maximum width of a cover next to the texts, as a share of the width
	leastTexts = 7    // minimum width of the texts next to a cover, in em
	roomy      = 0.7  // the texts grow only if they fill at most this share of the room
)

// parts are the parts below the title that are shown.
type parts struct{ artist, album, bar, times, keys bool }

// `choices` are combinations of parts. The first combination that fits is used.
var choices = [...]parts{
	{artist: true, album: true, bar: true, times: true, keys: true},
	{artist: true, bar: true, times: true, keys: true},
	{artist: true, bar: true, keys: true},
	{artist: true, keys: true},
	{artist: true, bar: true, times: true},
	{artist: true, bar: true},
	{artist: true},
	{keys: true},
	{},
}

// build creates the parts whose sizes do not depend on the song.
func (w *nowPlaying) build() {
	b := w.b
	w.none = piece.NewEmpty(b, image.Rectangle{Max: w.size})
	edge := kit.EdgeCenter
	if w.wide() {
		edge = b.EdgeOf("start")
	}
	w.title, w.artist, w.album = piece.Snippet{B: b, Edge: edge}, piece.Snippet{B: b, Edge: edge}, piece.Snippet{B: b, Edge: edge}
	w.passed, w.length = piece.Snippet{B: b, Edge: b.EdgeOf("start")}, piece.Snippet{B: b, Edge: b.EdgeOf("end")}
	w.grow(0)
	side := w.coverSide()
	at := image.Pt(0, (w.size.Y-side)/2)
	if !w.wide() {
		at = image.Pt((w.size.X-side)/2, 0)
	}
	w.cover = b.Mirrored(image.Rectangle{Min: at, Max: at.Add(image.Pt(side, side))}, w.size.X)
	radius := b.Px(b.Look.Sizes.Radius) / 2
	w.stencil, w.corner = render.NewStencil(radius, w.cover.Size()), render.NewCorner(radius, w.cover.Size())
	third := side / 3
	w.note = b.Mark(image.Rectangle{Min: w.cover.Min.Add(image.Pt(third, third)), Max: w.cover.Max.Sub(image.Pt(third, third))})
	w.note.Set("mdi:music-note")
}

// grow() makes the title larger by the given number of styles, and also enlarges the other texts and the buttons.
func (w *nowPlaying) grow(steps int) {
	b := w.b
	w.big = b.Risen("title", b.Look.Styles["title"], steps)
	face := func(name string) kit.Face { return b.Risen(name, b.Look.Styles[name], min(steps, 1)) } // the other texts grow less than the title
	w.small = face("body")
	w.title.Dress(w.big)
	w.artist.Dress(w.small)
	w.album.Dress(face("caption"))
	w.passed.Dress(face("caption"))
	w.length.Dress(face("caption"))
	w.side = b.Px(keySide) * (4 + steps) / 4
}

// wide() reports whether the cover is next to the texts.
func (w *nowPlaying) wide() bool { return float64(w.size.X) >= wideShape*float64(w.size.Y) }

// coverSide returns the side of the cover in px, or 0 if there is no room for a cover.
func (w *nowPlaying) coverSide() int {
	side, least := min(w.size.Y, int(float64(w.size.X)*coverShare)), w.b.Px(leastCover)
	if !w.wide() {
		side = min(w.size.X, w.size.Y-w.high(parts{artist: true, bar: true, keys: len(w.player.actions) > 0})-w.b.Px(coverGap)/2)
		least = w.b.Px(leastAbove)
	}
	if side < least || w.wide() && w.size.X-side-w.b.Px(coverGap) < leastTexts*w.small.Size {
		return 0
	}
	return side
}

// high() returns the height in px that the title and the given parts need.
func (w *nowPlaying) high(p parts) int {
	n := w.big.Line
	if p.artist {
		n += w.small.Line
	}
	if p.album {
		n += w.album.Face.Line
	}
	if p.bar {
		n += w.barRoom()
	}
	if p.times {
		n += w.passed.Face.Line
	}
	if p.keys {
		n += w.side + w.keyGap()
	}
	return n
}

func (w *nowPlaying) barRoom() int { return w.b.Px(barHeight) + w.small.Size*4/5 }
func (w *nowPlaying) keyGap() int  { return w.small.Size / 2 }

// fitting() chooses the text size and the parts that fit into a box. The parameter `room` is the size of this box.
func (w *nowPlaying) fitting(room image.Point) (p parts) {
	w.grow(0)
	for _, c := range choices {
		p = w.having(c)
		p.keys = p.keys && room.X >= allKeys*w.b.Px(keyTouch)
		if w.high(p) <= room.Y {
			break
		}
	}
	for steps := kit.MostSteps; steps > 0; steps-- {
		w.grow(steps)
		w.title.Box = image.Rectangle{Max: room}
		w.title.Set(append(w.buf[:0], w.track.title...))
		if float64(w.high(p)) <= roomy*float64(room.Y) && w.title.Want() <= room.X {
			return p
		}
	}
	w.grow(0)
	return p
}

// having() returns the given parts, except the parts for which the song has no data.
func (w *nowPlaying) having(p parts) parts {
	bar := w.track.length > 0 && !w.b.Look.Ink
	return parts{
		artist: p.artist && w.track.artist != "", album: p.album && w.track.album != "",
		bar: p.bar && bar, times: p.times && bar, keys: p.keys && len(w.player.actions) > 0,
	}
}

// lay places the texts of the current song, the bar, and the buttons.
func (w *nowPlaying) lay() {
	b := w.b
	box := image.Rectangle{Max: w.size}
	if w.wide() && !w.cover.Empty() {
		box.Min.X = w.cover.Dx() + b.Px(coverGap)
	} else if !w.cover.Empty() {
		box.Min.Y = w.cover.Max.Y + b.Px(coverGap)/2
	}
	p := w.fitting(box.Size())
	y := box.Min.Y + max(0, (box.Dy()-w.high(p))/2)
	line := func(c *piece.Snippet, text string, shown bool) {
		if !shown {
			text = ""
		}
		c.Place(b.Mirrored(image.Rect(box.Min.X, y, box.Max.X, y+c.Face.Line), w.size.X))
		c.Set(append(w.buf[:0], text...))
		if shown {
			y += c.Face.Line
		}
	}
	line(&w.title, w.track.title, true)
	if w.title.Want() > box.Dx() {
		w.title.Dress(w.small)
	}
	line(&w.artist, w.track.artist, p.artist)
	line(&w.album, w.track.album, p.album)
	y = w.layBar(p, box, y)
	w.layKeys(p, box, y+w.keyGap())
}

// layBar places the bar and, below it, the times. It returns the y coordinate at which the times end.
func (w *nowPlaying) layBar(p parts, box image.Rectangle, y int) int {
	b := w.b
	w.bar, w.step = nil, -1
	w.passed.Place(image.Rectangle{})
	w.length.Place(image.Rectangle{})
	if !p.bar {
		return y
	}
	end := y + w.barRoom()
	w.bar = piece.NewMeter(b, b.Mirrored(image.Rect(box.Min.X, end-b.Px(barHeight), box.Max.X, end), w.size.X))
	if p.times {
		row := b.Mirrored(image.Rect(box.Min.X, end, box.Max.X, end+w.passed.Face.Line), w.size.X)
		w.passed.Place(row)
		w.length.Place(row)
		w.length.Set(appendPassed(w.buf[:0], w.track.length))
		end += w.passed.Face.Line
	}
	return end
}

// appendPassed appends a duration as players write it: 4:32, 1:04:32.
func appendPassed(dst []byte, d time.Duration) []byte {
	s := int64(d / time.Second)
	minutes := s / 60
	if minutes >= 60 {
		dst = append(strconv.AppendInt(dst, minutes/60, 10), ':')
		if minutes %= 60; minutes < 10 {
			dst = append(dst, '0')
		}
	}
	dst = append(strconv.AppendInt(dst, minutes, 10), ':')
	if s %= 60; s < 10 {
		dst = append(dst, '0')
	}
	return strconv.AppendInt(dst, s, 10)
}
