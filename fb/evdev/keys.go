package evdev

// Plain returns the keyboard key for a key of a remote control or a presenter.
func Plain(code uint16) uint16 {
	switch code {
	case keyOK, keySelect:
		return KeyEnter
	case keyBack:
		return KeyEsc
	case keyPageUp:
		return KeyLeft
	case keyPageDown:
		return KeyRight
	}
	return code
}
