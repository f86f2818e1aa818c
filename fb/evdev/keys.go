package evdev

// Plain is the key that a key is meant to be: those of remote controls and presenters are told as those of keyboards.
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
