package kit

// ScreenKind returns the kind of the widget that fills the whole picture.
func ScreenKind() Kind {
	return Define("screen", "The whole picture: a background and the widget that fills it.", 1, 1, buildScreen)
}
