package notice

import (
	"image"
	"math"
	"strings"
	"unicode"

	"dashboard/control/notify"
	"dashboard/render"
	"dashboard/render/icon"
	"dashboard/render/text"
	"dashboard/theme/look"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// Sizes of the parts of notices, in px on a screen whose shorter side has 720 px.
const (
	noticePadX  = 28
	noticePadY  = 22
	bannerPadX  = 24
	bannerPadY  = 20
	noticeIcon  = 44
	toastIcon   = 24
	iconGap     = 18
	toastGap    = 12
	leftHigh    = 4
	meterHigh   = 8
	meterAbove  = 16
	headingSize = 30
	cardLines   = 8 // maximum number of lines of a text
	fewLines    = 3 // maximum number of lines of a text below a picture
	bannerRows  = 2
)

// begin() creates the small parts without content.
func (n *notice) begin(title kit.Face) {
	n.icon = n.b.Mark(image.Rectangle{})
	n.title = n.b.Caption(title, image.Rectangle{}, kit.EdgeStart)
	n.time = n.b.Caption(n.b.Face("caption"), image.Rectangle{}, kit.EdgeEnd)
	n.done = n.b.Caption(n.b.Face("caption"), image.Rectangle{}, kit.EdgeEnd)
}

// styled() returns a copy of a theme's style with the given weight, and its face at the given size. A weight or a size of 0 keeps the
// theme's value. The size is in px on a screen whose shorter side has 720 px.
func styled(b *kit.Builder, name string, size float64, weight int) (look.Style, kit.Face) {
	st := b.Look.Styles[name]
	factor := 1.0
	if usual := b.Look.Styles[name].Size; usual > 0 && size > 0 {
		factor = size / usual
	}
	if weight > 0 {
		st.Weight = weight
	}
	f := b.FaceOf(name, st)
	return st, b.FaceAt(st, int(float64(f.Size)*factor+0.5))
}

// column() places the title, the text and the progress one below the other, starting at the point (x, y). The title leaves a free width of
// titleRoom px at its end, for the time. Without a title, the text leaves this width free. column() returns the y coordinate at which the
// column ends.
func (n *notice) column(x, y, wide, titleRoom, lines int) int {
	if h := n.heading(); h != "" {
		n.title.Box = image.Rect(x, y, x+max(1, wide-titleRoom), y+n.title.Face.Line)
		n.title.Set(h)
		y = n.title.Box.Max.Y
		titleRoom = 0
	}
	if n.n.Text != "" {
		if n.title.Raw != "" {
			y += n.b.Px(kit.TitleBelow)
		}
		y = n.lay(image.Rect(x, y, x+max(1, wide-titleRoom), y), lines)
	}
	if n.n.Progress != nil {
		y = n.layBar(x, y, wide)
	}
	return y
}

// fitColumn does the same as column(), but with fewer lines of text if the column would end below the y coordinate `most`. Progress and
// buttons are more important than the last lines of a text.
func (n *notice) fitColumn(x, y, wide, titleRoom, lines, most int) int {
	for {
		end := n.column(x, y, wide, titleRoom, lines)
		if end <= most || lines <= 1 {
			return end
		}
		lines--
	}
}

// lay sets the text of the notice in at most the given number of lines. It returns the y coordinate at which the text ends.
func (n *notice) lay(box image.Rectangle, lines int) int {
	b := n.b
	st, f := styled(b, "body", 0, 0)
	if n.kind == "fullscreen" {
		st, f = styled(b, "title", 0, 400)
	}
	lines = max(1, min(lines, (n.b.Picture.Y*6/10)/f.Line))
	if n.n.Marked && !b.Locale.RightToLeft && !strings.ContainsFunc(n.n.Text, rightToLeft) {
		n.marks = newRunText(b, st, f, notify.Runs(n.n.Text), box.Dx(), lines)
		box.Max.Y = box.Min.Y + n.marks.lines*f.Line
		n.words = box
		return box.Max.Y
	}
	s := n.n.Text
	if n.n.Marked {
		s = notify.Plain(s)
	}
	n.text = piece.NewParagraph(b, f, image.Pt(box.Dx(), lines*f.Line), b.EdgeOf(""), text.Top, lines)
	n.text.Set(s)
	box.Max.Y = box.Min.Y + max(1, n.text.Block.Lines())*f.Line
	n.words = box
	return box.Max.Y
}

// rightToLeft reports whether a letter is Hebrew or Arabic. Both scripts are written from right to left.
func rightToLeft(r rune) bool { return unicode.Is(unicode.Hebrew, r) || unicode.Is(unicode.Arabic, r) }

// layBar places the progress bar and, after it, the percentage. It returns the y coordinate at which the bar ends.
func (n *notice) layBar(x, y, wide int) int {
	b := n.b
	high := b.Px(meterHigh)
	y += b.Px(meterAbove)
	words := string(b.Locale.AppendPercent(nil, *n.n.Progress, 0))
	room := b.TextWidth(n.done.Face, "100 %") + b.Px(kit.HeadGap)
	n.bar = image.Rect(x, y, x+max(1, wide-room), y+high)
	n.barCorner = render.NewCorner(high/2, n.bar.Size())
	n.share = *n.n.Progress
	line := n.done.Face.Line
	n.done.Place(image.Rect(n.bar.Max.X, y+high/2-line/2, x+wide, y+high/2-line/2+line))
	n.done.Set(words)
	return n.bar.Max.Y
}

// layCard places the parts of a card or a banner.
func (n *notice) layCard(w *overlay, more int) {
	b := n.b
	padX, padY, lines := b.Px(noticePadX), b.Px(noticePadY), cardLines
	_, title := styled(b, "title", headingSize, 600)
	banner := n.kind == "banner"
	if banner {
		padX, padY, lines = b.Px(bannerPadX), b.Px(bannerPadY), bannerRows
		title = b.Face("title")
	}
	n.begin(title)
	n.size.X = w.width(n.kind)
	x, y := padX, padY
	pictured := n.n.Picture != nil || n.n.Fetching
	timeRoom, most := 0, w.size.Y-padY-b.Px(leftHigh)
	if len(n.n.Actions) > 0 {
		most -= b.Px(buttonAbove) + b.Px(buttonHigh)
	}
	switch {
	case pictured && banner:
		n.layThumb(w, x, y)
		x = n.picture.Max.X + b.Px(iconGap)
	case pictured:
		n.picture = image.Rectangle{Max: image.Pt(n.size.X, w.pictureBox("card").Y)}
		n.layMissing()
		y, lines, most = n.picture.Max.Y+padY, fewLines, math.MaxInt // squeeze makes the picture smaller
		n.layPill(more)
	}
	if !pictured || banner {
		n.time.Set(n.when(false, more))
		timeRoom = b.TextWidth(n.time.Face, n.time.Raw) + b.Px(iconGap)
	}
	if n.n.Icon != "" && !(pictured && banner) {
		x += b.Px(noticeIcon) + b.Px(iconGap)
	}
	top := y
	y = n.fitColumn(x, y, n.size.X-padX-x, timeRoom, lines, most)
	if timeRoom > 0 {
		high := n.time.Face.Line
		if n.title.Raw != "" {
			high = n.title.Box.Dy()
		}
		n.time.Place(image.Rect(n.size.X-padX-timeRoom, top, n.size.X-padX, top+high))
	}
	n.finish(n.layButtons(padX, max(y, n.layIcon(padX, top, y)), n.size.X-2*padX), padY)
	n.squeeze(w)
}

// squeeze() reduces the height of the picture of a card, so that the card fits on the wall. It does nothing if less than half of the
// picture would remain.
func (n *notice) squeeze(w *overlay) {
	over := n.size.Y - (w.size.Y - 2*n.b.Px(n.b.Look.Sizes.Margin)*3/5)
	if n.kind != "card" || over <= 0 || n.picture.Dy() < 2*over {
		return
	}
	up := image.Pt(0, -over)
	n.picture.Max.Y -= over
	n.layMissing()
	n.icon.Place(n.icon.Box.Add(up))
	n.shift(-over)
	n.shiftButtons(-over)
	n.line = n.line.Add(up)
	n.size.Y -= over
}

// layIcon places the icon next to a column. The parameters `top` and `end` are the y coordinates of the column. The icon is in the middle
// of the column, or at the top of a long column. layIcon returns the y coordinate below the icon and the column.
func (n *notice) layIcon(x, top, end int) int {
	if n.n.Icon == "" || n.kind == "banner" && !n.picture.Empty() {
		return end
	}
	side := n.b.Px(noticeIcon)
	y := top
	if end-top < 3*side {
		y = max(top, (top+end-side)/2)
	}
	n.icon.Place(image.Rect(x, y, x+side, y+side))
	n.setIcon()
	return max(end, y+side)
}

// finish sets the height of the notice. It also places the line for the remaining time at the bottom.
func (n *notice) finish(end, padY int) {
	n.size.Y = end + padY
	if n.n.Title == "" && n.n.Text == "" && n.n.Icon == "" && n.n.Progress == nil && len(n.buttons) == 0 && n.kind == "card" && !n.picture.Empty() {
		n.size.Y = n.picture.Max.Y // the notice is only a picture
	}
	n.layLine()
}

// layLine places the line for the remaining time. There is no line with reduced motion, on e-paper, or for a notification that stays.
func (n *notice) layLine() {
	if n.n.Hold || n.b.Reduced || n.b.Look.Ink {
		return
	}
	high := n.b.Px(leftHigh)
	n.line = image.Rect(0, n.size.Y, n.size.X, n.size.Y+high)
	if n.kind == "fullscreen" || n.size.Y == n.picture.Max.Y {
		n.line = n.line.Sub(image.Pt(0, high))
		return
	}
	n.size.Y += high
}

// layMissing places the icon that is shown until the picture is loaded.
func (n *notice) layMissing() {
	side := min(n.picture.Dx(), n.picture.Dy(), n.b.Px(64))
	at := n.picture.Min.Add(n.picture.Size().Sub(image.Pt(side, side)).Div(2))
	n.missing = n.b.Mark(image.Rectangle{Min: at, Max: at.Add(image.Pt(side, side))})
}

// layThumb places a small picture at the point (x, y).
func (n *notice) layThumb(w *overlay, x, y int) {
	n.picture = image.Rectangle{Max: w.pictureBox(n.kind)}.Add(image.Pt(x, y))
	n.round = render.NewStencil(n.b.Px(10), n.picture.Size())
	n.layMissing()
}

// layPill places the time on the picture. `more` is the number of waiting notifications.
func (n *notice) layPill(more int) {
	b := n.b
	n.time.Set(n.when(true, more))
	wide := b.TextWidth(n.time.Face, n.time.Raw) + 2*b.Px(12)
	high := n.time.Face.Line + b.Px(6)
	at := image.Pt(n.size.X-b.Px(b.Look.Sizes.Margin)-wide, b.Px(16))
	n.pill.Rect = image.Rectangle{Min: at, Max: at.Add(image.Pt(wide, high))}
	n.pill.Corner = render.NewCorner(high/2, n.pill.Rect.Size())
	n.pill.Color = n.ground
	if n.n.Background == nil {
		n.pill.Color = b.Role("background") // stands out from the picture
	}
	n.time.Edge = kit.EdgeCenter
	n.time.Place(n.pill.Rect)
}

// layStrip places the parts of a card behind the first card: the icon, the title and the time, in one line.
func (n *notice) layStrip(w *overlay) {
	b := n.b
	_, f := styled(b, "body", 0, 500)
	n.begin(f)
	n.size = image.Pt(w.width("card"), b.Px(stripHigh))
	x, end := b.Px(bannerPadX), n.size.X-b.Px(bannerPadX)
	n.time.Set(n.when(false, 0))
	room := b.TextWidth(n.time.Face, n.time.Raw)
	n.time.Place(image.Rect(end-room, 0, end, n.size.Y))
	x = n.smallIcon(x)
	n.title.Box = image.Rect(x, 0, max(x+1, end-room-b.Px(iconGap)), n.size.Y)
	n.title.Set(n.oneLine())
}

// oneLine returns the title, or the start of the text if there is no title.
func (n *notice) oneLine() string {
	if h := n.heading(); h != "" {
		return h
	}
	s := n.n.Text
	if n.n.Marked {
		s = notify.Plain(s)
	}
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// setIcon sets the icon.
func (n *notice) setIcon() {
	if strings.HasPrefix(n.n.Icon, icon.Prefix) {
		n.icon.Set(n.n.Icon)
	} else {
		n.icon.Show(n.n.Icons)
	}
}

// iconSizes returns the larger and the smaller size of icons for a kind of notice, in px. Toasts have only small icons, so their larger
// size is 0.
func iconSizes(b *kit.Builder, kind string) [2]image.Point {
	large := b.Px(noticeIcon)
	switch kind {
	case "fullscreen":
		large = b.Px(2 * noticeIcon)
	case "toast":
		large = 0
	}
	small := b.Px(toastIcon)
	return [2]image.Point{{large, large}, {small, small}}
}

// smallIcon places a small, vertically centered icon at x. It returns the x coordinate at which the text starts.
func (n *notice) smallIcon(x int) int {
	if n.n.Icon == "" {
		return x
	}
	side := n.b.Px(toastIcon)
	n.icon.Place(image.Rect(x, (n.size.Y-side)/2, x+side, (n.size.Y+side)/2))
	n.setIcon()
	return x + side + n.b.Px(toastGap)
}
