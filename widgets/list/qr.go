package list

import (
	"image"
	"image/color"
	"strings"

	"dashboard/config"
	"dashboard/internal/qrcode"
	"dashboard/render"
	"dashboard/widgets/kit"
)

// QRParams are the parameters of the qr widget.
type QRParams struct {
	kit.Framed
	// Any text. Exactly one of text, url, wifi and contact is required.
	Text *config.Live[string] `yaml:"text"`
	// Address to open.
	URL *config.Live[string] `yaml:"url"`
	// Wireless network to join.
	Wifi *Wifi `yaml:"wifi"`
	// Person or place to save.
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

// Contact is the contact of a code.
type Contact struct {
	// Name.
	Name string `yaml:"name" required:"true"`
	// Telephone number.
	Phone string `yaml:"phone"`
	// Mail address.
	Email string `yaml:"email"`
}

// code is the network as cameras read it (ZXing's "Barcode Contents", section Wi-Fi Network config).
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

// code is the contact as cameras read it (NTT Docomo's MECARD).
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
	qrRadius   = 10
	fineModule = 3 // px: below it telephones have to come near, and the caption leaves if that helps
)

// qrWidget shows a QR code: black on white in every theme.
type qrWidget struct {
	b       *kit.Builder
	size    image.Point
	in      kit.Input
	edge    kit.Edge
	caption *kit.Caption
	none    *kit.Caption // stands for no code
	text    string
	seen    bool
	failed  bool // the text is too long for a code

	code   *qrcode.Code // nil for none
	module int          // px
	full   int          // height with the caption's
	bare   bool         // the caption gives its room to the code
	plate  image.Rectangle
	corner *render.Corner
	muted  color.RGBA
}

func buildQR(b *kit.Builder, s *kit.Spec, p *QRParams, size image.Point) render.Widget {
	w := &qrWidget{b: b, size: size, full: size.Y, muted: b.Role("muted")}
	written := 0
	for _, in := range []*config.Live[string]{p.Text, p.URL} {
		if in != nil {
			w.in = kit.InputOf(b, s, in, kit.AnyOf[string])
			written++
		}
	}
	if p.Wifi != nil {
		w.in = kit.Input{Plain: p.Wifi.code()}
		written++
	}
	if p.Contact != nil {
		w.in = kit.Input{Plain: p.Contact.code()}
		written++
	}
	if written != 1 {
		s.Errorf("", "a qr shows one of text, url, wifi and contact, not %d of them", written)
		return nil
	}
	w.edge = b.EdgeOf("start")
	if f := b.Face("caption"); p.Caption != "" && size.Y >= 4*f.Line {
		h := f.Line
		w.caption = b.Caption(f, image.Rect(0, size.Y-h, size.X, size.Y), w.edge)
		if w.caption.Set(p.Caption); w.caption.Shortened() { // it leaves before it is cut
			w.caption = nil
		}
		w.size.Y -= h + b.Px(8)
	}
	w.none = b.Caption(b.Face("body"), image.Rectangle{Max: w.size}, w.edge)
	w.none.Set("—")
	if w.in.Cell == nil {
		w.load()
		if w.failed { // not with the text: it may be a password
			s.Errorf("", "what the code tells is too long for one: %d bytes", len(w.text))
		}
	}
	return w
}

// load makes the code of the present text.
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

// lay places the code: as many whole pixels a module as fit.
func (w *qrWidget) lay() {
	all, high := w.code.Side+2*qrcode.Quiet, w.size.Y
	w.module = min(w.size.X, high) / all
	if larger := min(w.size.X, w.full) / all; w.module < fineModule && larger > w.module {
		w.module, high = larger, w.full
	}
	w.bare = high > w.size.Y
	side := w.module * all
	at := image.Pt((w.size.X-side)*int(w.edge)/2, (high-side)/2)
	if w.edge != kit.EdgeCenter {
		at.Y = 0
	}
	w.plate = image.Rectangle{Min: at, Max: at.Add(image.Pt(side, side))}
	w.corner = render.NewCorner(min(w.b.Px(qrRadius), 2*w.module), w.plate.Size())
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
	if w.code == nil || w.module == 0 {
		w.none.Paint(c, w.muted)
		return
	}
	c.FillRound(w.plate, w.corner, color.RGBA{255, 255, 255, 255})
	m, from := w.module, w.plate.Min.Add(image.Pt(qrcode.Quiet*w.module, qrcode.Quiet*w.module))
	w.code.Runs(func(x, end, y int) {
		c.Fill(image.Rect(from.X+x*m, from.Y+y*m, from.X+end*m, from.Y+(y+1)*m), color.RGBA{0, 0, 0, 255})
	})
}
