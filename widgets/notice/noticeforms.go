package notice

import (
	"image"
	"image/color"
	"strings"

	"dashboard/control/notify"
	"dashboard/render/icon"
	"dashboard/widgets/kit"
)

// badgeIcon is the icon of a badge if the notification has no icon.
const badgeIcon = icon.Prefix + "bell-outline"

// layBadge places the parts of a badge: the icon, and the number of times that the notification arrived.
func (n *notice) layBadge() {
	b := n.b
	_, f := styled(b, "body", 0, 500)
	n.begin(f)
	high, side := b.Px(toastHigh), b.Px(toastIcon)
	x := (high - side) / 2
	n.size = image.Pt(high, high)
	n.icon.Place(image.Rect(x, x, x+side, x+side))
	if n.n.Icon == "" {
		n.icon.Set(badgeIcon)
	} else {
		n.setIcon()
	}
	if count := n.counted(); count != "" {
		at := x + side + b.Px(toastGap)/2
		n.size.X = at + b.TextWidth(f, count) + x
		n.title.Box = image.Rect(at, 0, n.size.X-x, high)
		n.title.Set(count)
	}
}

// layToast places the parts of a toast: one line of text, or the title and a line below the title. A toast is only as wide as its text.
func (n *notice) layToast(w *overlay) {
	b := n.b
	_, f := styled(b, "body", 0, 500)
	n.begin(f)
	small := b.Face("caption")
	second := ""
	if n.n.Text != "" && n.heading() != "" {
		second = strings.Join(strings.Fields(notify.Plain(n.n.Text)), " ")
	}
	pad := b.Px(bannerPadX)
	n.size = image.Pt(w.width("toast"), b.Px(toastHigh))
	if second != "" {
		n.size.Y = f.Line + small.Line + 2*b.Px(14)
	}
	x := n.smallIcon(b.Px(20))
	wide := max(b.TextWidth(f, n.oneLine()), b.TextWidth(small, second))
	n.size.X = min(n.size.X, x+wide+pad)
	n.title.Box = image.Rect(x, 0, max(x+1, n.size.X-pad), n.size.Y)
	if second != "" {
		y := b.Px(14)
		n.title.Box.Min.Y, n.title.Box.Max.Y = y, y+f.Line
		n.time = b.Caption(small, image.Rect(x, y+f.Line, max(x+1, n.size.X-pad), y+f.Line+small.Line), kit.EdgeStart)
		n.time.Set(second)
	}
	n.title.Set(n.oneLine())
}

// layFull places the parts of a notice that fills the wall. The texts are in the middle or, if there is a picture, at the bottom of the
// picture.
func (n *notice) layFull(w *overlay, more int) {
	b := n.b
	n.size = w.size
	_, title := styled(b, "headline", 44, 500)
	n.begin(title)
	wide := min(w.size.X-2*b.Px(44), b.Px(900))
	x, pad := (w.size.X-wide)/2, b.Px(44)
	n.time.Set(n.when(false, more))
	n.time.Place(image.Rect(pad, pad, w.size.X-pad, pad+n.time.Face.Line))
	if n.n.Picture != nil || n.n.Fetching {
		n.picture, n.scrim = image.Rectangle{Max: w.size}, true
		n.layMissing()
		white := color.RGBA{255, 255, 255, 255}
		n.ink, n.muted = white, kit.Tint(white, 0.78)
		x, wide = pad, w.size.X-2*pad
	}
	side := 0
	if n.n.Icon != "" {
		side = b.Px(2 * noticeIcon)
	}
	left := x
	if n.scrim && side > 0 {
		left += side + b.Px(iconGap)
	}
	foot := n.layButtons(x, 0, wide)
	above := max(n.time.Face.Line, side+b.Px(iconGap))
	end := n.fitColumn(left, 0, wide-(left-x), 0, cardLines, w.size.Y-2*pad-above-foot)
	n.shiftButtons(w.size.Y - pad - foot)
	y := (w.size.Y - end - foot) / 2
	if n.scrim {
		y = w.size.Y - pad - foot - max(end, side)
	} else if side > 0 {
		y += side/2 + b.Px(iconGap)/2
	}
	n.shift(y)
	if side > 0 {
		at := image.Pt(x, y-side-b.Px(iconGap))
		if n.scrim {
			at.Y = y + (max(end, side)-side)/2
		}
		n.icon.Place(image.Rectangle{Min: at, Max: at.Add(image.Pt(side, side))})
		n.setIcon()
	}
	n.layLine()
}

// shift moves the title, the text and the progress down by y px.
func (n *notice) shift(y int) {
	by := image.Pt(0, y)
	for _, c := range []*kit.Caption{n.title, n.done} {
		c.Place(c.Box.Add(by))
	}
	n.words, n.bar = n.words.Add(by), n.bar.Add(by)
}
