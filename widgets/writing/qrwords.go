package writing

import (
	"image"
	"math"

	"dashboard/widgets/kit"
)

// narrow makes the code smaller, so that the name and the password of its network fit next to it. If the modules would become too small,
// narrow changes nothing.
func (w *qrWidget) narrow(all int) {
	module, plate, at, words := w.module, w.plate, w.at, w.words
	least := max(fineModule+1, int(math.Ceil(qrYield*float64(module))))
	for w.module--; w.module >= least; w.module-- {
		w.place(w.module*all, w.size.Y)
		if w.tell(); w.words[1] != nil {
			return
		}
	}
	w.module, w.plate, w.at, w.words = module, plate, at, words
}

// qrYield is a share of the module size. A code may become smaller, down to this share, to leave
// room for the name and the password of its network.
const qrYield = 0.7

// wordsHigh returns the height of the name and the password below a code, with the gap above them, in px.
func (w *qrWidget) wordsHigh() int {
	return w.b.Prose("caption").Line + w.b.Prose("body").Line + w.b.Px(qrGap)
}

// yields() reports whether a code becomes smaller, so that the name and the password of its network fit below it. The parameter `all` is
// the number of modules on each side, including the quiet zone.
func (w *qrWidget) yields(all int) bool {
	if w.network == nil || w.caption != nil {
		return false
	}
	whole, less := min(w.size.X, w.size.Y)/all, min(w.size.X, w.size.Y-w.wordsHigh())/all
	return less > fineModule && float64(less) >= qrYield*float64(whole)
}

// tell() places the name and the password of the network next to the code or below it. If the password does not fit, only the name is
// shown. If the name does not fit, neither text is shown.
func (w *qrWidget) tell() {
	b := w.b
	w.words = [2]*kit.Caption{}
	if w.network == nil || w.caption != nil {
		return
	}
	name, pass := b.Prose("caption"), b.Prose("body")
	high, gap := name.Line+pass.Line, b.Px(qrGap)
	box := image.Rect(w.plate.Max.X+gap, w.plate.Max.Y-high, w.size.X, w.plate.Max.Y)
	if w.edge == kit.EdgeEnd {
		box.Min.X, box.Max.X = 0, w.plate.Min.X-gap
	}
	if w.size.Y-w.plate.Max.Y >= high+gap {
		box = image.Rect(0, w.size.Y-high, w.size.X, w.size.Y)
	}
	name, pass = w.narrowed("caption", name, w.network.SSID, box.Dx()), w.narrowed("body", pass, w.network.Password, box.Dx())
	if name.Size == 0 || box.Min.Y < 0 {
		return
	}
	below := pass.Line
	if pass.Size > 0 {
		w.words[1] = b.Caption(pass, image.Rect(box.Min.X, box.Max.Y-pass.Line, box.Max.X, box.Max.Y), w.edge)
		w.words[1].Set(w.network.Password)
	} else { // there is room for the name only, and the code contains the password
		below = 0
	}
	w.words[0] = b.Caption(name, image.Rect(box.Min.X, box.Max.Y-below-name.Line, box.Max.X, box.Max.Y-below), w.edge)
	w.words[0].Set(w.network.SSID)
}

// narrowed() returns a face in the largest size at which a text fits into a width in px. If the text does not fit, the size is 0.
func (w *qrWidget) narrowed(style string, f kit.Face, text string, wide int) kit.Face {
	for px := f.Size; px >= w.b.Least(); px-- {
		smaller := f
		if px < f.Size {
			smaller = w.b.FaceAt(w.b.Look.Styles[style], px)
			smaller.Line = f.Line
		}
		if w.b.TextWidth(smaller, text) <= wide {
			return smaller
		}
	}
	f.Size = 0
	return f
}
