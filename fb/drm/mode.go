package drm

import (
	"cmp"
	"fmt"
	"image"
	"regexp"
	"slices"
	"strconv"
	"unsafe"
)

// A Mode is a size and a rate that a screen can be driven with. Modes can be compared.
type Mode struct {
	Width, Height int  // px
	Rate          int  // frames a second, rounded
	Interlaced    bool // half of the rows at a time
	Preferred     bool // the mode that the screen requests

	raw modeInfo // passed back to the kernel
}

func newMode(raw modeInfo) Mode {
	return Mode{
		Width: int(raw.hDisplay), Height: int(raw.vDisplay), Rate: rate(raw),
		Interlaced: raw.flags&flagInterlace != 0, Preferred: raw.kind&typePreferred != 0, raw: raw,
	}
}

// rate is the frames a second of a mode, by its clock if that is known.
func rate(m modeInfo) int {
	total := int64(m.hTotal) * int64(m.vTotal)
	if m.clock == 0 || total == 0 {
		return int(m.vRefresh)
	}
	r := (int64(m.clock)*1000 + total/2) / total
	if m.flags&flagInterlace != 0 {
		r *= 2
	}
	return int(r)
}

// String is the mode as a configuration names it: 1920x1080@60, with an i for interlaced ones.
func (m Mode) String() string {
	i := ""
	if m.Interlaced {
		i = "i"
	}
	return fmt.Sprintf("%dx%d%s@%d", m.Width, m.Height, i, m.Rate)
}

// Bytes is the mode as the kernel counts it (drm_mode_modeinfo), to be kept.
func (m Mode) Bytes() []byte {
	raw := m.raw
	return append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(&raw)), unsafe.Sizeof(raw))...)
}

// ModeOf is the mode that Bytes gave, or false for anything that can be none.
func ModeOf(data []byte) (Mode, bool) {
	var raw modeInfo
	if len(data) != int(unsafe.Sizeof(raw)) {
		return Mode{}, false
	}
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&raw)), unsafe.Sizeof(raw)), data)
	if raw.hDisplay == 0 || raw.vDisplay == 0 || raw.hTotal < raw.hDisplay || raw.vTotal < raw.vDisplay {
		return Mode{}, false
	}
	return newMode(raw), true
}

// A Wish is the part of a configuration about modes.
type Wish struct {
	Width, Height int         // 0: the preferred mode of the screen
	Rate          int         // 0: any
	MaxSize       image.Point // larger modes are left out, unless there are no others (0 is no bound)
	MaxClock      int         // of pixels, kHz: the same, except for the mode that the screen prefers. 0 is no bound
}

var modeForm = regexp.MustCompile(`^([0-9]{2,5})x([0-9]{2,5})(?:@([0-9]{1,3}))?$`)

// ParseWish reads "1920x1080" or "1920x1080@60". The empty text wishes for nothing.
func ParseWish(s string) (Wish, error) {
	if s == "" {
		return Wish{}, nil
	}
	m := modeForm.FindStringSubmatch(s)
	if m == nil {
		return Wish{}, fmt.Errorf("mode %q is not written as 1920x1080 or 1920x1080@60", s)
	}
	var w Wish
	w.Width, _ = strconv.Atoi(m[1]) // digits, few enough
	w.Height, _ = strconv.Atoi(m[2])
	w.Rate, _ = strconv.Atoi(m[3]) // none is 0
	return w, nil
}

// named reports whether m is the mode that is wished for by its size.
func (w Wish) named(m Mode) bool {
	return w.Width == m.Width && w.Height == m.Height && (w.Rate == 0 || w.Rate == m.Rate)
}

// slow reports whether a screen can follow a mode's pixels.
func (w Wish) slow(m Mode) bool { return w.MaxClock == 0 || int64(m.raw.clock) <= int64(w.MaxClock) }

func (w Wish) fits(m Mode) bool {
	return (w.MaxSize.X == 0 || m.Width <= w.MaxSize.X) && (w.MaxSize.Y == 0 || m.Height <= w.MaxSize.Y)
}

// Choose returns the mode to set: the wished one, else the one the screen prefers, else the largest at about 60 frames
// a second that is not interlaced, else the first. It returns false if there is no mode.
func Choose(modes []Mode, w Wish) (Mode, bool) {
	if len(modes) == 0 {
		return Mode{}, false
	}
	if w.Width > 0 {
		named := slices.DeleteFunc(slices.Clone(modes), func(m Mode) bool { return !w.named(m) })
		if len(named) > 0 {
			return slices.MinFunc(named, byWorth), true
		}
	}
	fit := slices.DeleteFunc(slices.Clone(modes), func(m Mode) bool { return !w.fits(m) })
	if len(fit) == 0 {
		fit = modes
	}
	for _, m := range fit {
		if m.Preferred {
			return m, true
		}
	}
	usual := slices.DeleteFunc(slices.Clone(fit), func(m Mode) bool { return m.Interlaced || m.Rate < 50 || m.Rate > 61 || !w.slow(m) })
	if len(usual) == 0 {
		return fit[0], true
	}
	return slices.MinFunc(usual, byWorth), true
}

// byWorth puts the larger, the steadier, the one nearest to 60 frames a second first.
func byWorth(a, b Mode) int {
	return cmp.Or(
		cmp.Compare(b.Width*b.Height, a.Width*a.Height),
		cmp.Compare(flag(a.Interlaced), flag(b.Interlaced)),
		cmp.Compare(flag(b.Preferred), flag(a.Preferred)),
		cmp.Compare(max(a.Rate-60, 60-a.Rate), max(b.Rate-60, 60-b.Rate)))
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}
