package fb

// ditherSide is the side of the dither pattern in pixels. The pattern has 64 thresholds, enough for channels with at least two bits.
// Channels with five or six bits use only the upper bits of the thresholds, which repeat every four pixels.
const ditherSide = 8

// nearest is the threshold for rounding to the nearest level, without dithering.
const nearest = 32

// bayer returns the threshold, 0 to 63, for a screen position. The thresholds form Bayer's ordered dither matrix (Bayer, "An optimum
// method for two-level rendition of continuous-tone pictures", IEEE ICC 1973, vol. 1, 26-11). A threshold consists of the bits of x^y and
// y in turn, lowest bit first.
func bayer(x, y int) uint32 {
	a, b := uint32(x^y), uint32(y)
	return a&1<<5 | b&1<<4 | a>>1&1<<3 | b>>1&1<<2 | a>>2&1<<1 | b>>2&1
}

// quantize converts an eight-bit value c to a level of a channel with n bits. t is the threshold of the pixel, 0 to 63.
//
// With s = 8-n, subtracting c>>n maps 0..255 to 0..(2^n-1)*2^s, so that level q is exactly q*2^s. Adding a number below 2^s and then
// cutting off the s low bits gives one of the two nearest levels. The mean over all thresholds is the original value (Hermite's identity).
// The result is never greater than the highest level. A value that equals a level stays at this level with every threshold.
func quantize(c uint8, n uint8, t uint32) uint32 {
	v := uint32(c)
	if n == 8 {
		return v
	}
	if n > 8 {
		return (v*(1<<n-1) + 127) / 255 // more than eight bits: round to the nearest level, so that no value is lost
	}
	s := 8 - n
	return (v - v>>n + (t << 1 >> (7 - s))) >> s
}
