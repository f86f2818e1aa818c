package look

import "image/color"

// `names` are the built-in themes.
var names = []string{"calm", "paper", "amber", "photo", "contrast", "eink"}

// Names returns the names of the built-in themes.
func Names() []string { return append([]string(nil), names...) }

// Named returns the look of a built-in theme by day or by night. ok is false if there is no such theme.
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

// StartsByDay reports whether a theme starts in day mode if the location is unknown.
func StartsByDay(name string) bool { return name == "paper" || name == "eink" }

// paper() returns the look of a theme that imitates printed paper. By day, it is cream and brown. By night, it looks like the same page in
// lamplight.
func paper(night bool) *Look {
	if night {
		return newLook(map[string]uint32{
			"sun":        0xf0bd5e,
			"background": 0x16120d, "surface": 0x201a13, "raised": 0x2b241b, "line": 0x3d3327,
			"text": 0xf2e9d8, "muted": 0xb3a590, "faint": 0x817460, "accent": 0x8fb8de,
			"good": 0x8cc99a, "warn": 0xe8b04c, "bad": 0xe07663, "cold": 0x7fc0d8, "warm": 0xec9a62,
			"series1": 0x8fb8de, "series2": 0xec9a62, "series3": 0x759473, "series4": 0xe8adb8, "series5": 0xfced8f, "series6": 0x587fc9,
		})
	}
	return newLook(map[string]uint32{
		"sun":        0xc97d10,
		"background": 0xf1e7d3, "surface": 0xfaf4e6, "raised": 0xfffaf0, "line": 0xe0d3b8,
		"text": 0x2a231a, "muted": 0x675a46, "faint": 0x8f816b, "accent": 0x24507f,
		"good": 0x407441, "warn": 0x8f5a00, "bad": 0x7f050e, "cold": 0x1b6a86, "warm": 0xa84f18,
		"series1": 0x24507f, "series2": 0xa84f18, "series3": 0x657b66, "series4": 0x670744, "series5": 0x363800, "series6": 0x6477db,
	})
}

// amber() returns the look of a theme in warm colors without blue, for dark rooms.
func amber(night bool) *Look {
	if night {
		return newLook(map[string]uint32{
			"sun":        0xffc23d,
			"background": 0x0c0803, "surface": 0x171008, "raised": 0x221809, "line": 0x3a2a12,
			"text": 0xffd9a0, "muted": 0xc79a5b, "faint": 0x8a6a3c, "accent": 0xffb000,
			"good": 0x95af1b, "warn": 0xffe066, "bad": 0xff8a6a, "cold": 0x8fc0c8, "warm": 0xff9a4a,
			"series1": 0xffb000, "series2": 0xd5a5e9, "series3": 0x84c9b2, "series4": 0xce6c75, "series5": 0xc6d56a, "series6": 0x7d89a4,
		})
	}
	return newLook(map[string]uint32{
		"sun":        0xb87400,
		"background": 0xfbf3e4, "surface": 0xfffaf0, "raised": 0xffffff, "line": 0xe8dcc4,
		"text": 0x2e2210, "muted": 0x6b5836, "faint": 0x94815c, "accent": 0x9a5b00,
		"good": 0x637841, "warn": 0x826c03, "bad": 0x7f0e00, "cold": 0x1f6a78, "warm": 0xb0501a,
		"series1": 0x9a5b00, "series2": 0x77439b, "series3": 0x26634f, "series4": 0xd165b4, "series5": 0x4e9c51, "series6": 0x555875,
	})
}

// photo() returns the look of a theme for walls with a picture in the background. White texts are on translucent cards, which are almost
// black by night and dark blue by day.
func photo(night bool) *Look {
	l := newLook(map[string]uint32{
		"sun":        0xf7c04f,
		"background": 0x0c121c, "raised": 0x1d2533, "line": 0x3a4454,
		"text": 0xffffff, "muted": 0xd2d6dd, "faint": 0xa5aebb, "accent": 0x8cbcff,
		"good": 0x77e8b7, "warn": 0xf9c567, "bad": 0xfb9182, "cold": 0x7cc9f2, "warm": 0xf9ac76,
		"series1": 0x8cbcff, "series2": 0xf69a5c, "series3": 0xb6ffe3, "series4": 0xc880b7, "series5": 0xe9f69a, "series6": 0xd55a7d,
	})
	l.Colors["surface"] = color.NRGBA{0x0c, 0x12, 0x1c, 0x75} // opacity 46 %
	if !night {
		l.Colors["background"], l.Colors["raised"], l.Colors["line"] = hex(0x14283c), hex(0x21405e), hex(0x4d6a86)
		l.Colors["surface"] = color.NRGBA{0x16, 0x32, 0x4c, 0x8a} // opacity 54 %
		l.Colors["accent"], l.Colors["series1"] = hex(0xa6d4ff), hex(0xa6d4ff)
		for i, v := range []uint32{0xea8e4e, 0xdfffe5, 0xdb8dbb, 0xe8e78a, 0xa1a0f7} {
			l.Colors["series"+string(rune('2'+i))] = hex(v)
		}
		l.Colors["muted"], l.Colors["faint"] = hex(0xdbe4ee), hex(0xb4c2d2)
	}
	l.Sizes.Blur = 22
	return l
}

// Red is the only color of the view for a dark room, because eyes stay adapted to the dark in red light.
var Red = hex(0xb3261e)

// OneInk returns a look in white on black, with the styles and the lengths of another look.
func OneInk(of *Look) *Look {
	l := *of
	l.Colors = map[string]color.NRGBA{}
	for name := range of.Colors {
		l.Colors[name] = hex(0xffffff)
	}
	for _, name := range []string{"background", "surface", "raised"} {
		l.Colors[name] = hex(0)
	}
	l.Ink = true // no grays, and no colored pictures
	return &l
}

// contrast() returns the look of a theme in which all texts have a contrast of at least 7:1 (WCAG 2.2, section 1.4.6).
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
			"good": 0x69f2c3, "warn": 0xffc94d, "bad": 0xfa958b, "cold": 0x7fd0ff, "warm": 0xffb07a,
			"series1": 0x8ab8ff, "series2": 0xf59a5b, "series3": 0x75eace, "series4": 0xce87ba, "series5": 0xedf170, "series6": 0xced8ff,
		}
	}
	return map[string]uint32{
		"sun":        0x623a00,
		"background": 0xffffff, "surface": 0xffffff, "raised": 0xffffff, "line": 0x6a6a6a,
		"text": 0x000000, "muted": 0x333333, "faint": 0x505050, "accent": 0x0a3f8f,
		"good": 0x042809, "warn": 0x623a00, "bad": 0x9a3240, "cold": 0x06476a, "warm": 0x6f2d06,
		"series1": 0x0a3f8f, "series2": 0x9a3900, "series3": 0x002b20, "series4": 0x781d5a, "series5": 0x495030, "series6": 0x6832c8,
	}
}

// eink() returns the look of a theme in black and white for e-paper without grays. It has lines instead of surfaces, and small text is
// heavier.
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
	l.Sizes.Padding, l.Sizes.PaddingY = 12, 14
	for name, weight := range map[string]int{"label": 700, "caption": 500, "body": 500} {
		s := l.Styles[name]
		s.Weight = weight
		l.Styles[name] = s
	}
	return l
}
