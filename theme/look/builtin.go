package look

import "image/color"

// names are the built-in themes.
var names = []string{"calm", "paper", "amber", "photo", "contrast", "eink"}

// Names lists the built-in themes.
func Names() []string { return append([]string(nil), names...) }

// Named returns a mode of a built-in theme. ok is false for an unknown name.
func Named(name string, night bool) (l *Look, ok bool) {
	switch name {
	case "calm":
		return Calm(night), true
	case "paper":
		return paper(night), true
	case "amber":
		return amber(night), true
	case "photo":
		return photo(night), true
	case "contrast":
		return contrast(night), true
	case "eink":
		return eink(night), true
	}
	return nil, false
}

// StartsByDay reports whether a theme starts in day mode without a location.
func StartsByDay(name string) bool { return name == "paper" || name == "eink" }

// paper is ink on warm paper: cream and brown by day, the same page by lamplight at night.
func paper(night bool) *Look {
	if night {
		return newLook(map[string]uint32{
			"sun":        0xf0bd5e,
			"background": 0x16120d, "surface": 0x201a13, "raised": 0x2b241b, "line": 0x3d3327,
			"text": 0xf2e9d8, "muted": 0xb3a590, "faint": 0x817460, "accent": 0x8fb8de,
			"good": 0x86c08a, "warn": 0xe8b04c, "bad": 0xf0857a, "cold": 0x7fc0d8, "warm": 0xec9a62,
			"series1": 0x8fb8de, "series2": 0xec9a62, "series3": 0x7cc7ac, "series4": 0xd9a0d0, "series5": 0xc9c46a, "series6": 0xb0a8ee,
		})
	}
	return newLook(map[string]uint32{
		"sun":        0xc97d10,
		"background": 0xf1e7d3, "surface": 0xfaf4e6, "raised": 0xfffaf0, "line": 0xe0d3b8,
		"text": 0x2a231a, "muted": 0x675a46, "faint": 0x8f816b, "accent": 0x24507f,
		"good": 0x3f6b2a, "warn": 0x8f5a00, "bad": 0xa8322a, "cold": 0x1b6a86, "warm": 0xa84f18,
		"series1": 0x24507f, "series2": 0xa84f18, "series3": 0x1a6f62, "series4": 0x8f3578, "series5": 0x626614, "series6": 0x54489f,
	})
}

// amber is a warm theme for dark rooms, without blue.
func amber(night bool) *Look {
	if night {
		return newLook(map[string]uint32{
			"sun":        0xffc23d,
			"background": 0x0c0803, "surface": 0x171008, "raised": 0x221809, "line": 0x3a2a12,
			"text": 0xffd9a0, "muted": 0xc79a5b, "faint": 0x8a6a3c, "accent": 0xffb000,
			"good": 0xa8c860, "warn": 0xffe066, "bad": 0xff8a6a, "cold": 0x8fc0c8, "warm": 0xff9a4a,
			"series1": 0xffb000, "series2": 0xd3a4e8, "series3": 0x7fc8b0, "series4": 0xf08fb0, "series5": 0xc9d46a, "series6": 0xa8b8d8,
		})
	}
	return newLook(map[string]uint32{
		"sun":        0xb87400,
		"background": 0xfbf3e4, "surface": 0xfffaf0, "raised": 0xffffff, "line": 0xe8dcc4,
		"text": 0x2e2210, "muted": 0x6b5836, "faint": 0x94815c, "accent": 0x9a5b00,
		"good": 0x4f6b10, "warn": 0x7f6a00, "bad": 0xb23a1e, "cold": 0x1f6a78, "warm": 0xb0501a,
		"series1": 0x9a5b00, "series2": 0x7d479a, "series3": 0x1f7060, "series4": 0xa8386a, "series5": 0x5f6a10, "series6": 0x4a5f8a,
	})
}

// photo is for walls over pictures: white on frosted cards, near black by night and the blue of a clear sky by day.
func photo(night bool) *Look {
	l := newLook(map[string]uint32{
		"sun":        0xf7c04f,
		"background": 0x0c121c, "raised": 0x1d2533, "line": 0x3a4454,
		"text": 0xffffff, "muted": 0xd2d6dd, "faint": 0xa5aebb, "accent": 0x8cbcff,
		"good": 0x74dba2, "warn": 0xf9c566, "bad": 0xff9a94, "cold": 0x7cc9f2, "warm": 0xf9ac76,
		"series1": 0x8cbcff, "series2": 0xcfa0f8, "series3": 0x6bdccd, "series4": 0xf0a0d0, "series5": 0xd6df80, "series6": 0xbab4fa,
	})
	l.Colors["surface"] = color.NRGBA{0x0c, 0x12, 0x1c, 0x75} // 46 % over the picture
	if !night {
		l.Colors["background"], l.Colors["raised"], l.Colors["line"] = hex(0x14283c), hex(0x21405e), hex(0x4d6a86)
		l.Colors["surface"] = color.NRGBA{0x16, 0x32, 0x4c, 0x8a} // 54 %
		l.Colors["accent"], l.Colors["series1"] = hex(0xa6d4ff), hex(0xa6d4ff)
		l.Colors["muted"], l.Colors["faint"] = hex(0xdbe4ee), hex(0xb4c2d2)
	}
	l.Sizes.Blur = 22
	return l
}

// contrast has at least 7:1 everywhere (WCAG 2.2, section 1.4.6).
func contrast(night bool) *Look {
	l := newLook(contrastInks(night))
	l.Sizes.Outline = 2
	return l
}

func contrastInks(night bool) map[string]uint32 {
	if night {
		return map[string]uint32{
			"sun":        0xffd257,
			"background": 0x000000, "surface": 0x0a0a0a, "raised": 0x161616, "line": 0x7a7a7a,
			"text": 0xffffff, "muted": 0xd8d8d8, "faint": 0xb4b4b4, "accent": 0x8ab8ff,
			"good": 0x6fe0a0, "warn": 0xffc94d, "bad": 0xff9a94, "cold": 0x7fd0ff, "warm": 0xffb07a,
			"series1": 0x8ab8ff, "series2": 0xd9b3ff, "series3": 0x66e0d0, "series4": 0xffa0d8, "series5": 0xe0ea70, "series6": 0xc4bfff,
		}
	}
	return map[string]uint32{
		"sun":        0x623a00,
		"background": 0xffffff, "surface": 0xffffff, "raised": 0xffffff, "line": 0x6a6a6a,
		"text": 0x000000, "muted": 0x333333, "faint": 0x505050, "accent": 0x0a3f8f,
		"good": 0x0b4f2e, "warn": 0x623a00, "bad": 0x8a1510, "cold": 0x06476a, "warm": 0x6f2d06,
		"series1": 0x0a3f8f, "series2": 0x5a2391, "series3": 0x064f4b, "series4": 0x7a1d5a, "series5": 0x484c06, "series6": 0x3c349a,
	}
}

// eink is black and white alone, for paper that has nothing between: rules instead of surfaces, heavier small type.
func eink(night bool) *Look {
	ink, paper := uint32(0x000000), uint32(0xffffff)
	if night {
		ink, paper = paper, ink
	}
	colors := map[string]uint32{"background": paper, "surface": paper, "raised": paper}
	for _, role := range []string{
		"line", "text", "muted", "faint", "accent", "good", "warn", "bad", "cold", "warm", "sun",
		"series1", "series2", "series3", "series4", "series5", "series6",
	} {
		colors[role] = ink
	}
	l := newLook(colors)
	l.Ink = true
	l.Sizes.Line, l.Sizes.Divider = 2, 3
	for name, weight := range map[string]int{"label": 700, "caption": 500, "body": 500} {
		s := l.Styles[name]
		s.Weight = weight
		l.Styles[name] = s
	}
	return l
}
