package evdev

// Plain returns the key of a keyboard that a key stands for. It maps the keys of remote controls and presenters.
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
