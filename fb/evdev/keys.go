package evdev

// Plain returns the keyboard key that has the same function as a key of a remote control or presenter.
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
