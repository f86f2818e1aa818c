package writing

import (
	"image"
	"image/color"
	"strings"

	"dashboard/config"
	"dashboard/internal/qrcode"
	"dashboard/render"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// QRParams are the parameters of the qr widget.
type QRParams struct {
	kit.Framed
	// Any text. Exactly one of text, url, wifi and contact is required.
	Text *config.Live[string] `yaml:"text"`
	// Address to open.
	URL *config.Live[string] `yaml:"url"`
	// Wireless network that a phone joins.
	Wifi *Wifi `yaml:"wifi"`
	// Contact to save.
	Contact *Contact `yaml:"contact"`
	// Line below the code.
	Caption string `yaml:"caption"`
}

// Wifi is a wireless network.
type Wifi struct {
	// Name.
	SSID string `yaml:"ssid" required:"true"`
	// Password of the network. Default: an open network.
	Password string `yaml:"password"`
	// The network does not broadcast its name.
	Hidden bool `yaml:"hidden" default:"false"`
}

// Contact is the contact data in a code.
type Contact struct {
	// Name.
	Name string `yaml:"name" required:"true"`
	// Telephone number.
	Phone string `yaml:"phone"`
	// Mail address.
	Email string `yaml:"email"`
}

// code() returns the text of a code by which a phone joins the network. The format is in ZXing's "Barcode Contents", section Wi-Fi Network
// config.
func (w *Wifi) code() string {
	kind := "WPA"
	if w.Password == "" {
		kind = "nopass"
	}
	s := "WIFI:T:" + kind + ";S:" + escapedCode.Replace(w.SSID) + ";"
	if w.Password != "" {
		s += "P:" + escapedCode.Replace(w.Password) + ";"
	}
	if w.Hidden {
		s += "H:true;"
	}
	return s + ";"
}

// code() returns the text of a code by which a phone saves the contact. The format is NTT Docomo's MECARD.
func (c *Contact) code() string {
	s := "MECARD:N:" + escapedCode.Replace(c.Name) + ";"
	if c.Phone != "" {
		s += "TEL:" + escapedCode.Replace(c.Phone) + ";"
	}
	if c.Email != "" {
		s += "EMAIL:" + escapedCode.Replace(c.Email) + ";"
	}
	return s + ";"
}

var escapedCode = strings.NewReplacer(`\`, `\\`, `;`, `\;`, `,`, `\,`, `:`, `\:`, `"`, `\"`)

const (
	qrRadius    = 10
	qrGap       = 16 // gap between the code and the text, in px on a screen whose shorter side has 720 px
	leastModule = 2  // module size in px. No phone reads a code with smaller modules, so a text replaces the code
	fineModule  = 3  // module size in px. Smaller modules require a close phone, so the caption is hidden if this enlarges the modules

	// captionClear is a width in em. In a narrower widget, a caption that does not fit is hidden, because only a few letters would fit.
	captionClear = 6
)

// qrWidget shows a QR code. In every theme, the code is black on white.
type qrWidget struct {
	b       *kit.Builder
	size    image.Point
	in      kit.Input
	edge    kit.Edge
	label   string // caption, or name of the contact
	caption *kit.Caption
	words   [2]*kit.Caption // name and password of the network, nil for a text that does not fit
	network *Wifi
	contact *Contact
	none    *kit.Caption     // dash shown if there is no code
	plain   *piece.Paragraph // text shown instead of a code with modules that no phone can read, nil if `sign` shows the text
	text    string
	seen    bool
	failed  bool // true if the text is too long for a QR code

	code   *qrcode.Code // nil if there is no code
	sign   *piece.Empty // shown instead of a code with modules that no phone can read
	module int          // side of a module, in px
	full   int          // height of the widget including the caption, in px
	bare   bool         // true if the caption is hidden so that the code has more room
	plate  image.Rectangle
	at     image.Point // top left corner of the code in the plate
	corner *render.Corner
	muted  color.RGBA
	ink    color.RGBA
}

func buildQR(b *kit.Builder, s *kit.Spec, p *QRParams, size image.Point) render.Widget {
	w := &qrWidget{b: b, size: size, full: size.Y, muted: b.Role("muted"), ink: b.Role("text")}
	written := 0
	for _, in := range []*config.Live[string]{p.Text, p.URL} {
		if in != nil {
			w.in = kit.InputOf(b, s, in, kit.AnyOf[string])
			written++
		}
	}
	if p.Wifi != nil {
		w.in, w.network = kit.Input{Plain: p.Wifi.code()}, p.Wifi
		written++
	}
	if p.Contact != nil {
		w.in, w.contact = kit.Input{Plain: p.Contact.code()}, p.Contact
		written++
	}
	if written != 1 {
		s.Errorf("", "a qr shows one of text, url, wifi and contact, not %d of them", written)
		return nil
	}
	w.edge, w.label = b.EdgeOf("start"), p.Caption
	if p.Contact != nil && w.label == "" {
		w.label = p.Contact.Name
	}
	if f := b.Face("caption"); p.Caption != "" && size.Y >= 4*f.Line {
		h := f.Line
		w.caption = b.Caption(f, image.Rect(0, size.Y-h, size.X, size.Y), w.edge)
		if w.caption.Set(p.Caption); w.caption.Shortened() && size.X < captionClear*f.Size {
			w.caption = nil
		}
		w.size.Y -= h + b.Px(8)
	}
	w.none = b.Caption(b.Face("body"), image.Rectangle{Max: w.size}, w.edge)
	w.none.Set("—")
	w.sign = piece.NewEmpty(b, image.Rect(0, 0, size.X, w.full))
	if w.in.Cell == nil {
		w.load()
		if w.failed { // the message does not include the text, which may be a password
			s.Errorf("", "the content is too long for a QR code: %d bytes", len(w.text))
		}
		w.legible(s)
	}
	return w
}

// legible() warns about a code with modules that are too small for phones.
func (w *qrWidget) legible(s *kit.Spec) {
	if w.code == nil || w.module >= fineModule {
		return
	}
	instead := ""
	if w.unreadable() {
		instead = "; it is replaced by its text"
	}
	s.Warnf("", "the modules of the QR code are %d px in a picture of %dx%d, less than the %d px that phones can read%s",
		w.module, w.b.Picture.X, w.b.Picture.Y, fineModule, instead)
}

// unreadable() reports whether the modules of the code are so small that the widget shows a text instead.
func (w *qrWidget) unreadable() bool { return w.code != nil && w.module < leastModule }

// load creates the code for the current text.
func (w *qrWidget) load() {
	w.text, w.seen = w.in.Text(), true
	w.code, w.failed = nil, false
	if w.text == "" {
		return
	}
	code, err := qrcode.Encode(w.text)
	if err != nil {
		w.failed = true
		return
	}
	w.code = code
	w.lay()
}

// lay places the code. Each module has the largest whole number of pixels that fits.
func (w *qrWidget) lay() {
	all, high := w.code.Side+2*qrcode.Quiet, w.size.Y
	if w.yields(all) {
		high -= w.wordsHigh()
	}
	w.module = min(w.size.X, high) / all
	if larger := min(w.size.X, w.full) / all; w.module < fineModule && larger > w.module {
		w.module, high = larger, w.full
	}
	w.bare = high > w.size.Y
	side := w.module * all
	if full := min(w.size.X, high); w.module > 0 && full > side { // the remaining pixels widen the border
		side = full
	}
	w.place(side, high)
	if w.tell(); w.network != nil && w.words[1] == nil {
		w.narrow(all)
	}
	w.replace()
	w.corner = render.NewCorner(min(w.b.Px(qrRadius), 2*w.module), w.plate.Size())
}

// place() places the code with its border. `side` is the side of the border, and `high` is the height of the area, both in px.
func (w *qrWidget) place(side, high int) {
	at := image.Pt((w.size.X-side)*int(w.edge)/2, (high-side)/2)
	if w.edge != kit.EdgeCenter {
		at.Y = 0
	}
	w.plate = image.Rectangle{Min: at, Max: at.Add(image.Pt(side, side))}
	w.at = at.Add(image.Pt(side, side).Sub(image.Pt(w.module*w.code.Side, w.module*w.code.Side)).Div(2))
}

// Natural implements kit.Sized.
func (w *qrWidget) Natural(width int) image.Point {
	p := w.plate.Size()
	if w.caption != nil {
		p.Y += w.caption.Face.Line
	}
	return p
}

// Update implements render.Widget.
func (w *qrWidget) Update(t render.Tick) {
	if (w.in.Update(t) || !w.seen) && (w.in.Text() != w.text || !w.seen) {
		w.load()
		t.DamageAll()
	}
}

// Paint implements render.Widget.
func (w *qrWidget) Paint(c render.Canvas) {
	if w.caption != nil && !w.bare {
		w.caption.Paint(c, w.muted)
	}
	if w.code == nil || w.unreadable() {
		w.paintPlain(c)
		return
	}
	if w.words[0] != nil {
		w.words[0].Paint(c, w.muted)
	}
	if w.words[1] != nil {
		w.words[1].Paint(c, w.ink)
	}
	c.FillRound(w.plate, w.corner, color.RGBA{255, 255, 255, 255})
	m, from := w.module, w.at
	w.code.Runs(func(x, end, y int) {
		c.Fill(image.Rect(from.X+x*m, from.Y+y*m, from.X+end*m, from.Y+(y+1)*m), color.RGBA{0, 0, 0, 255})
	})
}
