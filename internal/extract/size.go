package extract

import "math/big"

// Size returns the estimated memory, in bytes, of a value made of the types that [Decode] returns. A part that occurs twice is counted
// twice. A value of another type is counted as small.
func Size(v any) int64 {
	switch v := v.(type) {
	case string:
		return valueBytes + stringBytes + int64(len(v))
	case *big.Int:
		return valueBytes + stringBytes + int64(len(v.Bits())*boxBytes)
	case []any:
		n := int64(valueBytes + headerBytes)
		for _, e := range v {
			n += Size(e)
		}
		return n
	case map[string]any:
		n := int64(valueBytes + mapBytes)
		if len(v) > mapSlots {
			n += int64(len(v)) * slotBytes
		}
		for k, e := range v {
			n += stringBytes + int64(len(k)) + Size(e)
		}
		return n
	}
	return valueBytes + boxBytes
}
