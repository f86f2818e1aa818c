package widgets

import (
	"image"
	"image/color"
	"strings"

	"dashboard/control/notify"
	"dashboard/render/icon"
)

// badgeIcon is the sign of a badge whose notification has none.
const badgeIcon = icon.Prefix + "bell-outline"

// layBadge lays the sign of a notification that is only hinted at, and how often it came.
func (n *notice) layBadge() {
	b := n.b
	_, f := b.styled("body", 0, 500)
	n.begin(f)
	high, side := b.px(toastHigh), b.px(toastIcon)
	x := (high - side) / 2
	n.size = image.Pt(high, high)
	n.icon.place(image.Rect(x, x, x+side, x+side))
	if n.n.Icon == "" {
		n.icon.set(badgeIcon)
	} else {
		n.setIcon()
	}
	if count := n.counted(); count != "" {
		at := x + side + b.px(toastGap)/2
		n.size.X = at + b.textWidth(f, count) + x
		n.title.box = image.Rect(at, 0, n.size.X-x, high)
		n.title.set(count)
	}
}

// layToast lays a small notice as wide as its text: one line, or the title and a line below it.
func (n *notice) layToast(w *overlay) {
	b := n.b
	_, f := b.styled("body", 0, 500)
	n.begin(f)
	small := b.face("caption")
	second := ""
	if n.n.Text != "" && n.heading() != "" {
		second = strings.Join(strings.Fields(notify.Plain(n.n.Text)), " ")
	}
	pad := b.px(bannerPadX)
	n.size = image.Pt(w.width("toast"), b.px(toastHigh))
	if second != "" {
		n.size.Y = f.line + small.line + 2*b.px(14)
	}
	x := n.smallIcon(b.px(20))
	wide := max(b.textWidth(f, n.oneLine()), b.textWidth(small, second))
	n.size.X = min(n.size.X, x+wide+pad)
	n.title.box = image.Rect(x, 0, max(x+1, n.size.X-pad), n.size.Y)
	if second != "" {
		y := b.px(14)
		n.title.box.Min.Y, n.title.box.Max.Y = y, y+f.line
		n.time = b.caption(small, image.Rect(x, y+f.line, max(x+1, n.size.X-pad), y+f.line+small.line), edgeStart)
		n.time.set(second)
	}
	n.title.set(n.oneLine())
}

// layFull lays a notice over the whole wall: its texts in the middle, or at the foot of its picture.
func (n *notice) layFull(w *overlay, more int) {
	b := n.b
	n.size = w.size
	_, title := b.styled("headline", 44, 500)
	n.begin(title)
	wide := min(w.size.X-2*b.px(44), b.px(900))
	x, pad := (w.size.X-wide)/2, b.px(44)
	n.time.set(n.when(false, more))
	n.time.place(image.Rect(pad, pad, w.size.X-pad, pad+n.time.face.line))
	if n.n.Picture != nil || n.n.Fetching {
		n.picture, n.scrim = image.Rectangle{Max: w.size}, true
		n.layMissing()
		white := color.RGBA{255, 255, 255, 255}
		n.ink, n.muted = white, tint(white, 0.78)
		x, wide = pad, w.size.X-2*pad
	}
	side := 0
	if n.n.Icon != "" {
		side = b.px(2 * noticeIcon)
	}
	left := x
	if n.scrim && side > 0 {
		left += side + b.px(iconGap)
	}
	end := n.column(left, 0, wide-(left-x), 0, cardLines)
	foot := n.layButtons(x, 0, wide)
	n.shiftButtons(w.size.Y - pad - foot)
	y := (w.size.Y - end - foot) / 2
	if n.scrim {
		y = w.size.Y - pad - foot - max(end, side)
	} else if side > 0 {
		y += side/2 + b.px(iconGap)/2
	}
	n.shift(y)
	if side > 0 {
		at := image.Pt(x, y-side-b.px(iconGap))
		if n.scrim {
			at.Y = y + (max(end, side)-side)/2
		}
		n.icon.place(image.Rectangle{Min: at, Max: at.Add(image.Pt(side, side))})
		n.setIcon()
	}
	n.layLine()
}

// shift moves the column down.
func (n *notice) shift(y int) {
	by := image.Pt(0, y)
	for _, c := range []*caption{n.title, n.done} {
		c.place(c.box.Add(by))
	}
	n.words, n.bar = n.words.Add(by), n.bar.Add(by)
}
