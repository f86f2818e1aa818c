package picture

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"testing"

	"dashboard/internal/testing/thorough"
)

// profile returns a color profile with the given primaries as X, Y and Z, and with the same curve for all channels.
func profile(columns [3][3]float64, curve []byte) []byte {
	fixed := func(b []byte, v float64) []byte {
		return binary.BigEndian.AppendUint32(b, uint32(int32(math.Round(v*65536))))
	}
	head := make([]byte, tagsAt)
	copy(head[spaceAt:], "RGB ")
	copy(head[connectionAt:], "XYZ ")
	tags, data := binary.BigEndian.AppendUint32(nil, 6), []byte{}
	add := func(name string, content []byte) {
		tags = append(tags, name...)
		tags = binary.BigEndian.AppendUint32(tags, uint32(tagsAt+4+6*tagSize+len(data)))
		tags = binary.BigEndian.AppendUint32(tags, uint32(len(content)))
		data = append(data, content...)
	}
	for c, name := range channels {
		xyz := []byte("XYZ \x00\x00\x00\x00")
		for row := range 3 {
			xyz = fixed(xyz, columns[row][c])
		}
		add(name+"XYZ", xyz)
		add(name+"TRC", curve)
	}
	return append(append(head, tags...), data...)
}

// displayP3 are the primaries of Display P3, as in the profile that phones write.
var displayP3 = [3][3]float64{{0.51512, 0.29198, 0.15710}, {0.24120, 0.69225, 0.06657}, {-0.00105, 0.04189, 0.78407}}

// srgbCurve returns the curve of sRGB, which is a function with five parameters. power returns a curve with one parameter, its exponent.
func srgbCurve() []byte {
	curve := []byte("para\x00\x00\x00\x00\x00\x03\x00\x00")
	for _, v := range []float64{2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045} {
		curve = binary.BigEndian.AppendUint32(curve, uint32(math.Round(v*65536)))
	}
	return curve
}

func power(v float64) []byte {
	return binary.BigEndian.AppendUint16([]byte("curv\x00\x00\x00\x00\x00\x00\x00\x01"), uint16(math.Round(v*256)))
}

// square returns a picture of one color.
func square(c color.Color) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 64, 64))
	for y := range 64 {
		for x := range 64 {
			img.Set(x, y, c)
		}
	}
	return img
}

// withProfile returns a file of the given format, which contains `img` and a color profile.
func withProfile(t testing.TB, format string, img image.Image, icc []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if format == "jpeg" {
		if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 100}); err != nil {
			t.Fatal(err)
		}
		part := append([]byte("ICC_PROFILE\x00\x01\x01"), icc...)
		segment := binary.BigEndian.AppendUint16([]byte{0xff, 0xe2}, uint16(len(part)+2))
		return append(append([]byte{0xff, 0xd8}, append(segment, part...)...), b.Bytes()[2:]...)
	}
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, _ = z.Write(icc)
	_ = z.Close()
	const signatureAndHeader = 8 + 25
	content := append([]byte("iCCPP3\x00\x00"), packed.Bytes()...)
	chunk := append(binary.BigEndian.AppendUint32(nil, uint32(len(content)-4)), content...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(content))
	return append(append(bytes.Clone(b.Bytes()[:signatureAndHeader]), chunk...), b.Bytes()[signatureAndHeader:]...)
}

// TestProfiles checks that the colors of a profile are converted to sRGB. The expected values for
// Display P3 are well known. Gray stays gray.
func TestProfiles(t *testing.T) {
	p3 := profile(displayP3, srgbCurve())
	straight := []byte("curv\x00\x00\x00\x00\x00\x00\x00\x00")
	for name, c := range map[string]struct {
		icc      []byte
		from, to color.NRGBA
	}{
		"red":               {p3, color.NRGBA{234, 51, 35, 255}, color.NRGBA{255, 0, 0, 255}},
		"green":             {p3, color.NRGBA{117, 251, 76, 255}, color.NRGBA{0, 255, 0, 255}},
		"blue":              {p3, color.NRGBA{0, 0, 245, 255}, color.NRGBA{0, 0, 255, 255}},
		"beyond sRGB":       {p3, color.NRGBA{255, 0, 0, 255}, color.NRGBA{255, 0, 0, 255}},
		"gray":              {p3, color.NRGBA{119, 119, 119, 255}, color.NRGBA{119, 119, 119, 255}},
		"white":             {p3, color.NRGBA{255, 255, 255, 255}, color.NRGBA{255, 255, 255, 255}},
		"black":             {p3, color.NRGBA{0, 0, 0, 255}, color.NRGBA{0, 0, 0, 255}},
		"half transparent":  {p3, color.NRGBA{234, 51, 35, 128}, color.NRGBA{255, 0, 0, 128}},
		"a linear curve":    {profile(srgb, straight), color.NRGBA{55, 55, 55, 255}, color.NRGBA{128, 128, 128, 255}},
		"a power":           {profile(srgb, power(1)), color.NRGBA{55, 55, 55, 255}, color.NRGBA{128, 128, 128, 255}},
		"sRGB":              {profile(srgb, srgbCurve()), color.NRGBA{12, 200, 77, 255}, color.NRGBA{12, 200, 77, 255}},
		"no profile at all": {[]byte("none"), color.NRGBA{12, 200, 77, 255}, color.NRGBA{12, 200, 77, 255}},
	} {
		for _, format := range []string{"png", "jpeg"} {
			if format == "jpeg" && c.from.A < 255 {
				continue
			}
			data := withProfile(t, format, square(c.from), c.icc)
			for _, side := range []int{64, 8} { // in full size, and decoded at one eighth
				p, err := Decode(t.Context(), data, image.Pt(side, side), Contain, true)
				if err != nil {
					t.Fatalf("%s, %s: %v", name, format, err)
				}
				got := color.NRGBAModel.Convert(p.Frames[0].Img.At(side/2, side/2)).(color.NRGBA)
				if farApart(got, c.to) > 4 {
					t.Errorf("%s, %s, %d px: got %v, want %v", name, format, side, got, c.to)
				}
			}
		}
	}
}

// TestDarkProfile checks two kinds of profiles. A profile that differs from sRGB only in dark colors is converted. A profile whose curve
// is the rounded curve of sRGB is not converted.
func TestDarkProfile(t *testing.T) {
	table := func(size int, v func(float64) float64) []byte {
		curve := binary.BigEndian.AppendUint32([]byte("curv\x00\x00\x00\x00"), uint32(size))
		for i := range size {
			curve = binary.BigEndian.AppendUint16(curve, uint16(math.Round(v(float64(i)/float64(size-1))*full)))
		}
		return curve
	}
	dark := table(1024, func(v float64) float64 { return max(0, toLinear(v)-0.004*(1-v)) })
	if g := readGamut(profile(srgb, dark)); g == nil {
		t.Error("a profile with dark shadows is taken for sRGB")
	}
	for _, size := range []int{1024, 4096} {
		if g := readGamut(profile(srgb, table(size, toLinear))); g != nil {
			t.Errorf("a curve of %d values is not taken for sRGB", size)
		}
	}
}

func farApart(a, b color.NRGBA) (d int) {
	for _, c := range [4][2]uint8{{a.R, b.R}, {a.G, b.G}, {a.B, b.B}, {a.A, b.A}} {
		d = max(d, int(c[0])-int(c[1]), int(c[1])-int(c[0]))
	}
	return d
}

// TestHostileProfiles: truncated, invalid and too large profiles do not change the picture.
func TestHostileProfiles(t *testing.T) {
	thorough.Only(t)
	whole := profile(displayP3, srgbCurve())
	from := color.NRGBA{200, 100, 50, 255}
	plain, err := Decode(t.Context(), withProfile(t, "png", square(from), nil), image.Pt(8, 8), Contain, true)
	if err != nil {
		t.Fatal(err)
	}
	huge := make([]byte, 10*maxProfile)
	copy(huge, whole)
	broken := [][]byte{
		huge, profile([3][3]float64{}, []byte("curv\x00\x00\x00\x00\xff\xff\xff\xff")),
		profile(displayP3, []byte("para\x00\x00\x00\x00\x00\x09\x00\x00")),
	}
	for n := range len(whole) {
		broken = append(broken, whole[:n])
	}
	for _, icc := range broken {
		p, err := Decode(t.Context(), withProfile(t, "png", square(from), icc), image.Pt(8, 8), Contain, true)
		if err != nil || !bytes.Equal(p.Frames[0].Img.Pix, plain.Frames[0].Img.Pix) {
			t.Errorf("a profile of %d bytes changes the picture, %v", len(icc), err)
		}
	}
}

// BenchmarkGamut converts a picture of 1920 by 1080.
func BenchmarkGamut(b *testing.B) {
	g := readGamut(profile(displayP3, srgbCurve()))
	img := image.NewRGBA(image.Rect(0, 0, 1920, 1080))
	for i := range img.Pix {
		img.Pix[i] = uint8(i*7) | 3
	}
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 255
	}
	for b.Loop() {
		g.apply(img)
	}
}
