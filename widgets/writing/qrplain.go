package writing

import (
	"image"
	"slices"
	"strings"

	"dashboard/render"
	"dashboard/render/text"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/piece"
)

// replace() shows a text instead of an unreadable code: the longest of the texts that fits completely. An icon is above the text if both
// fit.
func (w *qrWidget) replace() {
	w.plain = nil
	w.sign.Say("", "", "")
	if !w.unreadable() {
		return
	}
	w.words, w.bare = [2]*kit.Caption{}, true
	all := w.instead()
	if name, note, _ := strings.Cut(all[0], "\n"); w.sign.Roomy() {
		if w.sign.Say("mdi:qrcode", name, note); w.sign.Whole() {
			return
		}
		w.sign.Say("", "", "")
	}
	box := image.Pt(w.size.X, w.full)
	w.plain = &piece.Paragraph{B: w.b, Face: w.b.Prose("body"), Edge: w.edge, Valig: text.Middle, Least: w.b.Least(), Size: box}
	w.plain.Block = w.plain.BlockFor(box)
	for _, one := range all {
		w.plain.Set(one)
		if whole := !w.plain.Block.Shortened(); whole && (w.network == nil || w.plain.Block.Lines() <= 1+strings.Count(one, "\n")) {
			break // a password is never broken, because a hyphen at the break could be read as a part of the password
		}
	}
}

// instead() returns the texts that can replace an unreadable code, the longest first. These are the caption, the name and the password of
// the network, the lines of the contact, or the content.
func (w *qrWidget) instead() []string {
	switch {
	case w.contact != nil:
		lines := slices.DeleteFunc([]string{w.label, w.contact.Phone, w.contact.Email}, func(s string) bool { return s == "" })
		return prefixes(lines)
	case w.label != "":
		return []string{w.label}
	case w.network != nil && w.network.Password != "":
		return prefixes([]string{w.network.SSID, w.network.Password})
	case w.network != nil:
		return []string{w.network.SSID}
	}
	_, short, found := strings.Cut(w.text, "://")
	if !found {
		return []string{w.text}
	}
	host, _, _ := strings.Cut(short, "/")
	return []string{w.text, strings.TrimSuffix(short, "/"), host}
}

// prefixes() returns the lines as one text, and then the texts without the last lines.
func prefixes(lines []string) []string {
	var all []string
	for n := len(lines); n > 0; n-- {
		all = append(all, strings.Join(lines[:n], "\n"))
	}
	return all
}

// paintPlain draws the text that replaces the code, or a dash if there is no code.
func (w *qrWidget) paintPlain(c render.Canvas) {
	switch {
	case w.code == nil:
		w.none.Paint(c, w.muted)
	case w.plain != nil:
		w.plain.Paint(c, w.ink)
	default:
		w.sign.Paint(c)
	}
}
