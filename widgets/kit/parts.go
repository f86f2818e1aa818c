package kit

import (
	"dashboard/config/value"
)

// TitleBelow is the gap between a title line and the content, in px on a screen whose shorter side has 720 px.
const TitleBelow = 4

// PlainOf returns the value of p in the form that samples have.
func PlainOf(p value.Plain) any { return p.Value }
