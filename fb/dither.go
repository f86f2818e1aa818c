package fb

// ditherSide is the side of the dither pattern in pixels. It has 64 steps, enough for channels of two bits and more.
// Five- and six-bit channels use the upper bits of the thresholds, whose pattern repeats every four pixels.
const ditherSide = 8

// nearest is the threshold that rounds to the nearest level, which means no dithering.
const nearest = 32

// bayer returns the threshold 0..63 of a screen position: It uses Bayer's ordered dither matrix (Bayer, "An optimum method for
// two-level rendition of continuous-tone pictures", IEEE ICC 1973, vol. 1, 26-11), computed by interleaving the bits of x^y and y,
// lowest bit first.
func bayer(x, y int) uint32 {
	a, b := uint32(x^y), uint32(y)
	return a&1<<5 | b&1<<4 | a>>1&1<<3 | b>>1&1<<2 | a>>2&1<<1 | b>>2&1
}

// quantize returns the level of an eight-bit value in a channel of n bits, for the threshold t in 0..63 at this place.
//
// Subtracting c>>n maps 0..255 onto 0..(2^n-1)*2^s, s = 8-n: level q is then exactly q*2^s. Adding a threshold below 2^s and
// cutting the s low bits gives the level below or above. The mean over all thresholds is the value (Hermite's identity). No
// clamping is needed. A value that equals a level stays at that level for every threshold.
func quantize(c uint8, n uint8, t uint32) uint32 {
	v := uint32(c)
	if n == 8 {
		return v
	}
	if n > 8 {
		return (v*(1<<n-1) + 127) / 255 // rounded to nearest: no value is lost
	}
	s := 8 - n
	return (v - v>>n + (t << 1 >> (7 - s))) >> s
}
