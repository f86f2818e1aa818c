package kit

import (
	"dashboard/config/value"
)

// TitleBelow is the gap below a title line, px at a shorter side of 720 px.
const TitleBelow = 4

// PlainOf is a plain value as a sample would have it.
func PlainOf(p value.Plain) any { return p.Value }
