package evdev

// keyBytes is the number of bytes of the set of a device's keys: one bit for each code below KEY_CNT (input-event-codes.h).
const keyBytes = 96

// bits is a set of numbers as the kernel stores it: the number n is in the set if bit n%8 of byte n/8 is set.
type bits []byte

func (b bits) has(n int) bool { return n/8 < len(b) && b[n/8]&(1<<(n%8)) != 0 }

// ofUse lists the keys that have a function on a wall.
var ofUse = [...]int{KeyLeft, KeyRight, KeyUp, KeyDown, KeySpace, KeyEnter, KeyEsc, keyBack, keyOK, keySelect, keyPageUp, keyPageDown}

// classify returns the Info of a device, from its name and the sets of its keys, axes and properties. A power button is not a useful key,
// because the system handles it.
func classify(name string, keys, abs, props bits) Info {
	i := Info{Name: name}
	i.Multi = abs.has(absSlot) && abs.has(absMTX) && abs.has(absMTY) && abs.has(absTrackingID)
	single := abs.has(absX) && abs.has(absY) && (keys.has(btnTouch) || keys.has(btnLeft))
	i.Touch = (i.Multi || single) && !props.has(propPointer) && (props.has(propDirect) || keys.has(btnTouch) || keys.has(btnLeft))
	i.Multi = i.Multi && i.Touch
	for _, k := range ofUse {
		i.Keys = i.Keys || keys.has(k)
	}
	for k := Key1; k <= Key9; k++ {
		i.Keys = i.Keys || keys.has(k)
	}
	i.Full = keys.has(keyLeftCtrl) && keys.has(keyF1)
	return i
}
