package widgets

import (
	"dashboard/render"
	"dashboard/widgets/list"
)

var _ render.Widget = (*list.List)(nil)
