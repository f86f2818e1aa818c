package list

import (
	"image"
	"strings"

	"dashboard/render"
	"dashboard/widgets/kit"
)

// Limits for rows with two lines in narrow lists.
const (
	stackText = 0.75 // a row has two lines if less than this share of its text would be visible on one line
	stackRoom = 4    // divisor of the text size. The result is the room around the two lines
)

// stack() gives a second line to each shown row whose text would be cut to a few letters. It removes the second line of the other rows. n
// is the number of shown rows. stack() reports whether it changed a row.
func (w *List) stack(n int) (changed bool) {
	for i, s := range w.slots[:n] {
		if tall := &w.src.tall[w.pager.from+i]; *tall != s.stacks {
			*tall, changed = s.stacks, true
		}
	}
	return changed
}

// stacked() sets all rows again after stack() changed some of them. y and n are the result of showAll without the change. If less than
// half of the rows would then be shown, all rows keep one line. stacked() returns the same results as set().
func (w *List) stacked(t render.Tick, y, n int) (int, int) {
	least := w.told(y, n)
	again := func() {
		w.spread()
		w.forget()
		t.DamageAll()
		t.Wake(t.Now()) // containers have already read the old height
		y, n = w.showAll(t)
	}
	for more := 2; more > 0 && w.stack(n); more-- { // a second time, because a row that was hidden before may also need two lines
		again()
	}
	if w.look.stack && 2*w.told(y, n) < least {
		w.look.stack = false
		clear(w.src.tall)
		again()
	}
	return y, n
}

// told() returns how many rows remain above the line that counts the hidden rows. y and n are the results of showAll.
func (w *List) told(y, n int) int {
	if w.crowdsMore(y, n) && n < len(w.src.rows)+w.unseen() {
		return n - 1
	}
	return n
}

// crowdsMore reports whether the line with the number of hidden rows needs the room of row n-1. The parameter y is the y coordinate at
// which this row ends.
func (w *List) crowdsMore(y, n int) bool {
	return w.pager.dwell <= 0 && w.size.Y-y < w.look.note.Size*6/5 && n > 1
}

// stacks() reports whether rows may have two lines. There must be room for one such row and for the number of hidden rows.
func (w *List) stacks() bool {
	room := w.size.Y - w.look.tall()
	if len(w.src.rows)+w.unseen() > 1 {
		room -= w.look.note.Size * 6 / 5
	}
	return len(w.growth.looks) > 1 && room >= 0
}

// heightOf returns the height of row i in px, with the additional height that each row gets.
func (w *List) heightOf(i int) int {
	h := w.look.heightOf(&w.src.rows[i], w.src.items[i]) + w.growth.more
	if w.src.tall[i] {
		h = max(h, w.look.tall())
	}
	return h
}

// tall() returns the height of a row with two lines of small text, in px.
func (k *rowLook) tall() int { return 2*k.smallPitch() + k.body.Size/stackRoom }

// smallPitch returns the distance between two lines of small text, in px.
func (k *rowLook) smallPitch() int { return k.small.Size * 6 / 5 }

// stackable() reports whether the row needs two lines of small text: one for its text and one for its value. A row without a value has two
// lines of text.
func (r *listRow) stackable(v *rowValues) bool {
	k := r.look
	text := k.seen(v, partText, 1)
	r.tight = false
	if !k.stack || text == "" || k.wide > narrowList*k.body.Size || !r.small() || r.item.Lines > 0 || r.item.Bar || v.raw(partBadge) != "" || k.noteOf(v, r.item) != "" {
		return false
	}
	small, least := k.of(v).small, k.of(v).small
	least.Size = min(small.Size, k.b.Least())
	wide, value, room := k.b.TextWidth(small, text), r.valueWidth(r.smallValue()), r.rect.Dx()
	r.tight = r.valueWidth(small) > room && r.valueWidth(least) <= room
	if value > room || value == 0 && !strings.Contains(text, " ") {
		return false
	}
	if value > 0 {
		room -= value + k.gap/2
	}
	return wide > room && float64(room-k.b.TextWidth(small, kit.Ellipsis)) < stackText*float64(wide)
}

// valueWidth returns the width of the value in a face, in px.
func (r *listRow) valueWidth(f kit.Face) int {
	before := r.value.Face
	r.value.Face = f
	defer func() { r.value.Face = before }()
	return r.value.Want()
}

// smallValue returns the face of the value in small text.
func (r *listRow) smallValue() kit.Face {
	f := r.look.of(&r.from).small
	if r.look.tight {
		f.Size = min(f.Size, r.look.b.Least())
	}
	return f
}

// placeStack places the text above the value, in small text.
func (r *listRow) placeStack(v *rowValues) {
	k, slim, high := r.look, r.look.of(v).slim, r.look.smallPitch()
	top := r.rect.Min.Y + (r.rect.Dy()-2*high)/2
	text := k.seen(v, partText, 1)
	r.mark.Set("")
	r.note.Set(nil)
	r.plate, r.track, r.bar, r.block = image.Rectangle{}, image.Rectangle{}, image.Rectangle{}, nil
	r.text.Dress(slim)
	if len(r.value.Raw) == 0 {
		f := slim
		for word := range strings.FieldsSeq(text) {
			if k.b.TextWidth(slim, word) > r.rect.Dx() {
				f.Size = min(f.Size, k.b.Least()) // otherwise, the word would be cut
			}
		}
		up := k.drop - k.dropOf(f)
		r.text.Raw, r.text.Ink, r.text.Box = r.text.Raw[:0], image.Rectangle{}, image.Rect(r.rect.Min.X, top-up, r.rect.Max.X, r.rect.Max.Y)
		r.block = wrap(r.block, k.b, f, text, image.Pt(r.rect.Dx(), 2*high+k.small.Size/4), 2)
		return
	}
	if f := slim; k.b.TextWidth(f, text) > r.rect.Dx() {
		f.Size = min(f.Size, k.b.Least()) // otherwise, the text would be cut
		r.text.Dress(f)
	}
	r.buf = append(r.buf[:0], text...)
	r.text.Place(image.Rect(r.rect.Min.X, top, r.rect.Max.X, top+high))
	r.text.Set(r.buf)
	top += high
	r.value.Face, r.value.Box = r.smallValue(), image.Rectangle{}
	end := r.rect.Max.X
	if unit := r.tail.Want(); unit > 0 && unit+k.small.Size/4+r.value.Want() <= r.rect.Dx() {
		r.tail.Place(r.at(end-unit, top, end, top+high))
		end -= unit + k.small.Size/4
	} else {
		r.tail.Set(nil)
	}
	r.value.Place(r.at(r.rect.Min.X, top, end, top+high))
}
