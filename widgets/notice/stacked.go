package notice

import (
	"image"
	"strings"
)

// Sizes of notices, in px on a screen whose shorter side has 720 px.
const (
	cardWidth   = 700 // maximum width of a card
	cardPicture = 356
	bannerWidth = 826 // maximum width of a banner
	toastWidth  = 460 // maximum width of a toast
	toastHigh   = 56
	noticeGap   = 10
	stripHigh   = 56 // height of a card behind the first card
)

// width() returns the width of a kind of notice in px.
func (w *overlay) width(kind string) int {
	room := w.size.X - 2*w.b.Px(w.b.Look.Sizes.Margin)
	switch kind {
	case "banner":
		return min(room, w.b.Px(bannerWidth))
	case "toast":
		return min(room, w.b.Px(toastWidth))
	case "fullscreen":
		return w.size.X
	}
	return min(room, w.b.Px(cardWidth))
}

// pictureBox returns the size of the pictures in a kind of notice.
func (w *overlay) pictureBox(kind string) image.Point {
	switch kind {
	case "fullscreen":
		return w.size
	case "card":
		wide := w.width(kind)
		return image.Pt(wide, min(wide*cardPicture/cardWidth, w.size.Y*55/100))
	}
	return image.Pt(w.b.Px(96), w.b.Px(72))
}

// where() returns the name of the place at which a kind of notice is shown.
func (w *overlay) where(kind string) string {
	if kind == w.p.Kind && w.p.Place != "" && w.p.Place != "none" {
		return w.p.Place
	}
	switch kind {
	case "banner":
		return "top"
	case "toast":
		return "top right"
	}
	return "center"
}

// stack() places the notices at the place of the configured kind. Badges are at the place of toasts.
func (w *overlay) stack(all []*notice) {
	var cards, badges []*notice
	for _, n := range all {
		if n.kind == "badge" && w.p.Kind != "toast" {
			badges = append(badges, n)
		} else {
			cards = append(cards, n)
		}
	}
	w.pile(cards, w.where(w.p.Kind))
	w.pile(badges, w.where("toast"))
}

// pile() places notices in a column. The first notice is at the top. If `place` is at the bottom of the wall, the first notice is the
// lowest. Notices that do not fit are hidden.
func (w *overlay) pile(all []*notice, place string) {
	margin, gap := w.b.Px(w.b.Look.Sizes.Margin), w.b.Px(noticeGap)
	if w.p.Kind == "fullscreen" && len(all) > 0 && all[0].kind == "fullscreen" {
		margin, gap = 0, 0
		all[0].aim(w, image.Rectangle{Max: all[0].size}, place)
		for _, n := range all[1:] { // the first notice hides the other notices
			n.aim(w, image.Rectangle{Max: n.size}, place)
			n.covered = true
		}
		all[0].covered = false
		return
	}
	high, fits := 0, 0
	for _, n := range all {
		if high+n.size.Y > w.size.Y-2*margin && fits > 0 {
			break
		}
		high += n.size.Y + gap
		fits++
	}
	high -= gap
	y, down := margin, true
	switch {
	case strings.HasPrefix(place, "bottom"):
		y, down = w.size.Y-margin-w.foot, false
	case !strings.HasPrefix(place, "top"):
		y = (w.size.Y - high) / 2
	}
	for i, n := range all {
		n.covered = i >= fits
		if !down {
			y -= n.size.Y
		}
		at := image.Pt(w.left(n.size.X, place), y)
		n.aim(w, image.Rectangle{Min: at, Max: at.Add(n.size)}, place)
		if down {
			y += n.size.Y + gap
		} else {
			y -= gap
		}
	}
}

// left() returns the x coordinate of a notice with the given width.
func (w *overlay) left(wide int, place string) int {
	margin := w.b.Px(w.b.Look.Sizes.Margin)
	right := strings.HasSuffix(place, "right")
	left := strings.HasSuffix(place, "left")
	switch {
	case right:
		return w.size.X - margin - wide
	case left:
		return margin
	}
	return (w.size.X - wide) / 2
}
