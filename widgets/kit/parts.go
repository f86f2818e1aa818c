package kit

import (
	"dashboard/config/value"
)

// TitleBelow is the gap below a title line, in px on a screen whose shorter side has 720 px.
const TitleBelow = 4

// PlainOf returns a plain value in the form of a sample.
func PlainOf(p value.Plain) any { return p.Value }
