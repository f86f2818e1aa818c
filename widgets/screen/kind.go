package screen

import "dashboard/widgets/kit"

// Kind returns the kind of the widget that fills the whole picture.
func Kind() kit.Kind {
	return kit.Define("screen", "The whole picture: a background and the widget that fills it.", 1, 1, build)
}
