package wall

import (
	"cmp"
	"image"
	"time"

	"dashboard/appliance/about"
	"dashboard/fb/evdev"
	"dashboard/wall/outputs"
)

// codesPause is the time after a touch of the badge in which further touches are ignored. The codes of the access point appear during
// this time.
const codesPause = 2 * time.Second

// touchedAbove handles a touch of the picture over the wall. It returns false if the touch is for the wall.
func (s *Service) touchedAbove(m *outputs.Member, at image.Point) bool {
	a := m.Above()
	switch {
	case a == nil || !at.In(a.At):
		return false
	case a.Guide != nil:
		s.askCodes()
	case at.In(a.Button):
		s.refuseDevice()
	}
	return true
}

// keyedAbove handles a key while there is a picture over the wall. It returns false if the key is for the wall.
func (s *Service) keyedAbove(m *outputs.Member, key uint16) bool {
	a := m.Above()
	switch {
	case a == nil || key != evdev.KeyEnter && key != evdev.KeyEsc:
		return false
	case a.Guide != nil && (!a.Guide.Badge || key == evdev.KeyEnter):
		s.askCodes()
	case a.Asks != nil && key == evdev.KeyEsc:
		s.refuseDevice()
	default:
		return false
	}
	return true
}

// askCodes asks the appliance's keeper to show the codes of the access point instead of its badge, or the badge instead of the codes. It
// does not block.
func (s *Service) askCodes() {
	now := time.Now().UnixNano()
	if last := s.codesAt.Load(); now-last < int64(codesPause) || !s.codesAt.CompareAndSwap(last, now) {
		return
	}
	go func() {
		if err := about.Send(cmp.Or(s.opts.AskSocket, askSocket), about.Ask{Do: about.DoCodes}); err != nil {
			s.log.Warn("cannot show the codes of the access point", "error", err)
		}
	}()
}

// refuseDevice refuses the request whose code is shown, and removes the code from the screen. Another device may have allowed the request
// already.
func (s *Service) refuseDevice() {
	a := s.askedToEdit.Load()
	if a == nil || a.code == "" || !s.askedToEdit.CompareAndSwap(a, nil) {
		return
	}
	now := time.Now()
	for _, r := range a.from.Asking(now) {
		if r.Code == a.code {
			_, _ = a.from.Refuse(r.ID, now) // this fails if the request has ended in the meantime
		}
	}
	s.log.Info("a request was refused at the wall")
	s.note.Now.CompareAndSwap(&a.Content, nil)
	s.redraw()
}
