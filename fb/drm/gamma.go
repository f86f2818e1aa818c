package drm

import (
	"math"
	"runtime"
	"unsafe"
)

// maxGamma bounds the number of steps in a curve. The curves of real cards have 256 to 4096 steps.
const maxGamma = 4096

// A gamma holds the curves that a CRTC applies to the channels of every pixel.
type gamma struct {
	red, green, blue []uint16 // tables of equal length, empty if the driver supports no curves
	set              bool     // true if Tint has changed the curves
}

// gammaSteps returns the number of steps in the CRTC's curves. It returns 0 if there are no curves, only one step, or more than maxGamma
// steps.
func (s *Screen) gammaSteps() int {
	q := &crtcRequest{crtc: s.crtc}
	if s.card.node.Ioctl(getCRTC, unsafe.Pointer(q)) != nil || q.gammaSize < 2 || q.gammaSize > maxGamma {
		return 0
	}
	return int(q.gammaSize)
}

// Tint sets the shares of red, green and blue that the CRTC shows, from 0 to 1. If all shares are 1, the colors are not changed. Tint
// returns errNoProperty if the CRTC has no curves, as in virtual machines and on newer boards.
func (s *Screen) Tint(red, green, blue float64) error {
	whole := red >= 1 && green >= 1 && blue >= 1
	if whole && !s.gamma.set {
		return nil
	}
	if s.gamma.red == nil {
		n := s.gammaSteps()
		s.gamma.red, s.gamma.green, s.gamma.blue = make([]uint16, n), make([]uint16, n), make([]uint16, n)
	}
	if len(s.gamma.red) == 0 {
		return errNoProperty
	}
	for i := range s.gamma.red {
		v := math.MaxUint16 * float64(i) / float64(len(s.gamma.red)-1)
		s.gamma.red[i], s.gamma.green[i], s.gamma.blue[i] = level(v*red), level(v*green), level(v*blue)
	}
	if err := s.setGamma(); err != nil {
		return err
	}
	s.gamma.set = !whole
	return nil
}

func level(v float64) uint16 { return uint16(math.Round(min(max(v, 0), math.MaxUint16))) }

// Retint sets the curves of the last Tint again, because another program may have replaced them.
func (s *Screen) Retint() error {
	if !s.gamma.set {
		return nil
	}
	return s.setGamma()
}

func (s *Screen) setGamma() error {
	q := &gammaRequest{crtc: s.crtc, size: uint32(len(s.gamma.red))}
	var pins runtime.Pinner
	defer pins.Unpin()
	q.red, q.green, q.blue = address(&pins, s.gamma.red), address(&pins, s.gamma.green), address(&pins, s.gamma.blue)
	return s.card.call("MODE_SETGAMMA", setGamma, unsafe.Pointer(q))
}
