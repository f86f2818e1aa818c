package screen

import "dashboard/widgets/kit"

// Kind returns the kind of the widget that fills the whole picture.
func Kind() kit.Kind {
	return kit.Define("screen", "The whole screen: a background, and the widget that fills the screen.", 1, 1, build)
}
