package panel

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"image"
	"image/png"
)

// kept is the state that is stored for the next start. The file begins with four bytes for the length of the JSON. After these bytes, it
// contains this struct as JSON, and then the shown picture as PNG.
type kept struct {
	Model string
	State
}

// save stores the state and the shown picture. If `shown` is nil, the content of the panel is unknown. After a failure, save logs no
// further failures until it has succeeded again.
func (p *Output) save(shown *image.Paletted) {
	if p.o.Save == nil || p.o.Model.Instant {
		return
	}
	head, err := json.Marshal(kept{p.o.Model.Name, p.state})
	var b bytes.Buffer
	b.Write(binary.BigEndian.AppendUint32(nil, uint32(len(head))))
	b.Write(head)
	if err == nil && shown != nil {
		err = png.Encode(&b, shown)
	}
	if err == nil {
		err = p.o.Save(b.Bytes())
	}
	if err != nil && p.o.Forget != nil {
		// The data of the last Save contains a picture that the panel shows no longer. After the next start, the parts that differ from this
		// picture would stay on the panel. On a full drive, files can still be removed. If this fails too, the data stays.
		_ = p.o.Forget()
	}
	untold := err != nil && !p.unkept
	p.unkept = err != nil
	if untold && p.o.Log != nil {
		p.o.Log.Warn("cannot keep the panel's picture for the next start", "panel", p.o.Model.Name, "error", err)
	}
}

// load restores the state of an earlier run. If the state is damaged or belongs to another panel, load ignores the state. The first
// update then refreshes the whole panel.
func (p *Output) load() {
	if p.o.Load == nil || p.o.Model.Instant {
		return
	}
	data, ok := p.o.Load()
	if !ok || len(data) < 4 {
		return
	}
	n := binary.BigEndian.Uint32(data)
	if int64(n) > int64(len(data)-4) {
		return
	}
	var k kept
	if json.Unmarshal(data[4:4+n], &k) != nil || k.Model != p.o.Model.Name {
		return
	}
	p.state = k.State
	p.state.Known = k.Known && p.loadPicture(data[4+n:])
}

// loadPicture decodes the stored picture. It reports whether the size and the inks of the picture fit the panel.
func (p *Output) loadPicture(data []byte) bool {
	c, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil || image.Pt(c.Width, c.Height) != p.o.Model.Size {
		return false
	}
	m, err := png.Decode(bytes.NewReader(data))
	shown, ok := m.(*image.Paletted)
	if err != nil || !ok || len(shown.Palette) > len(p.shown.Palette) {
		return false
	}
	copy(p.shown.Pix, shown.Pix)
	return true
}
