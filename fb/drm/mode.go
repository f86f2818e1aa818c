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

// A Mode is a resolution and a refresh rate of a screen. Modes are comparable.
type Mode struct {
	Width, Height int  // in px
	Rate          int  // frames per second, rounded
	Interlaced    bool // true if each picture has only every second row
	Preferred     bool // true if the screen prefers this mode

	raw modeInfo // the kernel's structure, which is needed to set the mode
}

func newMode(raw modeInfo) Mode {
	return Mode{
		Width: int(raw.hDisplay), Height: int(raw.vDisplay), Rate: rate(raw),
		Interlaced: raw.flags&flagInterlace != 0, Preferred: raw.kind&typePreferred != 0, raw: raw,
	}
}

// rate returns the frames per second of a mode. It computes them from the pixel clock if the clock is known.
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

// String returns the mode in the form of the configuration: 1920x1080@60. An interlaced mode has an i.
func (m Mode) String() string {
	i := ""
	if m.Interlaced {
		i = "i"
	}
	return fmt.Sprintf("%dx%d%s@%d", m.Width, m.Height, i, m.Rate)
}

// Bytes returns the kernel's structure (drm_mode_modeinfo) as bytes, which can be stored.
func (m Mode) Bytes() []byte {
	raw := m.raw
	return append([]byte(nil), unsafe.Slice((*byte)(unsafe.Pointer(&raw)), unsafe.Sizeof(raw))...)
}

// ModeOf parses bytes that Bytes returned. `ok` is false if the bytes are invalid.
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

// A Wish describes the mode that the configuration asks for.
type Wish struct {
	Width, Height int         // 0 means the preferred mode of the screen
	Rate          int         // 0 means any rate
	MaxSize       image.Point // larger modes are used only if they are named, or if there are no other modes. 0 means no bound
	MaxClock      int         // greatest pixel clock in kHz, except for the named and the preferred mode. 0 means no bound
}

var modeForm = regexp.MustCompile(`^([0-9]{2,5})x([0-9]{2,5})(?:@([0-9]{1,3}))?$`)

// ParseWish parses "1920x1080" or "1920x1080@60". An empty text gives an empty Wish.
func ParseWish(s string) (Wish, error) {
	if s == "" {
		return Wish{}, nil
	}
	m := modeForm.FindStringSubmatch(s)
	if m == nil {
		return Wish{}, fmt.Errorf("mode %q is not written as 1920x1080 or 1920x1080@60", s)
	}
	var w Wish
	w.Width, _ = strconv.Atoi(m[1]) // cannot fail: the text is a few digits
	w.Height, _ = strconv.Atoi(m[2])
	w.Rate, _ = strconv.Atoi(m[3]) // 0 if the text has no rate
	return w, nil
}

// named() reports whether m is the mode that the Wish names.
func (w Wish) named(m Mode) bool {
	return w.Width == m.Width && w.Height == m.Height && (w.Rate == 0 || w.Rate == m.Rate)
}

// slow() reports whether the pixel clock of m is at most w.MaxClock.
func (w Wish) slow(m Mode) bool { return w.MaxClock == 0 || int64(m.raw.clock) <= int64(w.MaxClock) }

func (w Wish) fits(m Mode) bool {
	return (w.MaxSize.X == 0 || m.Width <= w.MaxSize.X) && (w.MaxSize.Y == 0 || m.Height <= w.MaxSize.Y)
}

// Choose returns the best mode that w names. If there is no such mode, Choose considers only the modes within w.MaxSize, or all modes if
// each is larger. Of these modes it returns the screen's preferred mode. If there is no preferred mode, it returns the largest mode
// within w.MaxClock that is not interlaced and has about 60 frames per second. Otherwise it returns the first of these modes. `ok` is
// false if the screen has no modes.
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

// byWorth orders modes. The best mode comes first. The order of the criteria is: a larger mode, a mode that is not interlaced, the mode
// that the screen prefers, and a rate near 60.
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
