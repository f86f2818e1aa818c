package fb

import (
	"strings"
	"testing"
	"unsafe"
)

func TestKernelLayouts(t *testing.T) {
	word := unsafe.Sizeof(uintptr(0))
	var fix fbFixScreenInfo
	var v fbVarScreenInfo
	var mode vtMode
	fixSize, lineLength, mmioStart := uintptr(80), uintptr(48), uintptr(56)
	if word == 4 {
		fixSize, lineLength, mmioStart = 68, 44, 48
	}
	// The expected sizes and offsets are the values of a C compiler for amd64 and armhf.
	for _, test := range []struct {
		name      string
		got, want uintptr
	}{
		{"sizeof fb_fix_screeninfo", unsafe.Sizeof(fix), fixSize},
		{"smem_start", unsafe.Offsetof(fix.smemStart), 16},
		{"smem_len", unsafe.Offsetof(fix.smemLen), 16 + word},
		{"visual", unsafe.Offsetof(fix.visual), 28 + word},
		{"line_length", unsafe.Offsetof(fix.lineLength), lineLength},
		{"mmio_start", unsafe.Offsetof(fix.mmioStart), mmioStart},
		{"sizeof fb_bitfield", unsafe.Sizeof(v.red), 12},
		{"sizeof fb_var_screeninfo", unsafe.Sizeof(v), 160},
		{"yoffset", unsafe.Offsetof(v.yOffset), 20},
		{"bits_per_pixel", unsafe.Offsetof(v.bitsPerPixel), 24},
		{"red", unsafe.Offsetof(v.red), 32},
		{"transp", unsafe.Offsetof(v.transp), 68},
		{"activate", unsafe.Offsetof(v.activate), 84},
		{"rotate", unsafe.Offsetof(v.rotate), 136},
		{"sizeof vt_mode", unsafe.Sizeof(mode), 8},
		{"acqsig", unsafe.Offsetof(mode.acqSig), 4},
		{"sizeof vt_stat", unsafe.Sizeof(vtStat{}), 6},
	} {
		if test.got != test.want {
			t.Errorf("%s: got %d, want %d", test.name, test.got, test.want)
		}
	}
}

// vc4 is the description that a Raspberry Pi's KMS driver reports at 1920x1080.
func vc4() (fbFixScreenInfo, fbVarScreenInfo) {
	fix := fbFixScreenInfo{
		id: [16]byte{'v', 'c', '4', 'd', 'r', 'm', 'f', 'b'}, smemLen: 3840 * 1080,
		visual: fbVisualTrueColor, lineLength: 3840,
	}
	v := fbVarScreenInfo{
		xRes: 1920, yRes: 1080, xResVirtual: 1920, yResVirtual: 1080, bitsPerPixel: 16,
		red: fbBitfield{11, 5, 0}, green: fbBitfield{5, 6, 0}, blue: fbBitfield{0, 5, 0},
	}
	return fix, v
}

func TestGeometryOf(t *testing.T) {
	for _, test := range []struct {
		name string
		edit func(*fbFixScreenInfo, *fbVarScreenInfo)
		want string // part of the description or of the error
	}{
		{"vc4", func(*fbFixScreenInfo, *fbVarScreenInfo) {}, "vc4drmfb 1920x1080 RGB565 stride 3840"},
		{"padded", func(f *fbFixScreenInfo, _ *fbVarScreenInfo) { f.lineLength = 4096; f.smemLen = 4096 * 1080 }, "stride 4096"},
		{"no line length", func(f *fbFixScreenInfo, _ *fbVarScreenInfo) { f.lineLength = 0 }, "stride 3840"},
		{"no memory length", func(f *fbFixScreenInfo, _ *fbVarScreenInfo) { f.smemLen = 0 }, "1920x1080"},
		{"bgr", func(_ *fbFixScreenInfo, v *fbVarScreenInfo) { v.red, v.blue = v.blue, v.red }, "BGR565"},
		{"odd bits", func(_ *fbFixScreenInfo, v *fbVarScreenInfo) { v.green.length = 5 }, "16 bpp r5/11 g5/5 b5/0"},
		{"palette", func(f *fbFixScreenInfo, _ *fbVarScreenInfo) { f.visual = 3 }, "no packed true-color"},
		{"planes", func(f *fbFixScreenInfo, _ *fbVarScreenInfo) { f.typ = 1 }, "no packed true-color"},
		{"grey", func(_ *fbFixScreenInfo, v *fbVarScreenInfo) { v.grayscale = 1 }, "grayscale 1"},
		{"nonstd", func(_ *fbFixScreenInfo, v *fbVarScreenInfo) { v.nonStd = 1 }, "nonstd 1"},
		{"reversed", func(_ *fbFixScreenInfo, v *fbVarScreenInfo) { v.red.msbRight = 1 }, "reversed bits"},
		{"wild offset", func(_ *fbFixScreenInfo, v *fbVarScreenInfo) { v.red.offset = 261 }, "does not fit"},
		{"overlap", func(_ *fbFixScreenInfo, v *fbVarScreenInfo) { v.red.offset = 10 }, "overlap"},
		{"15 bits", func(_ *fbFixScreenInfo, v *fbVarScreenInfo) { v.bitsPerPixel = 15 }, "15 bits a pixel"},
		{"too wide", func(_ *fbFixScreenInfo, v *fbVarScreenInfo) { v.xRes = 1921 }, "too short"},
		{"x offset", func(_ *fbFixScreenInfo, v *fbVarScreenInfo) { v.xOffset = 1 }, "too short"},
		{"y offset", func(_ *fbFixScreenInfo, v *fbVarScreenInfo) { v.yOffset = 1 }, "ends at byte"},
		{"no size", func(_ *fbFixScreenInfo, v *fbVarScreenInfo) { v.yRes = 0 }, "height 0"},
		{"absurd size", func(_ *fbFixScreenInfo, v *fbVarScreenInfo) { v.yRes = 1 << 31 }, "height"},
	} {
		t.Run(test.name, func(t *testing.T) {
			fix, v := vc4()
			test.edit(&fix, &v)
			g, err := geometryOf(&fix, &v)
			if err == nil {
				err = g.Validate()
			}
			got := g.String()
			if err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, test.want) {
				t.Errorf("got %q, want something with %q", got, test.want)
			}
		})
	}
}

func TestParseFormat(t *testing.T) {
	for _, name := range FormatNames() {
		f, err := ParseFormat(strings.ToUpper(name))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := f.String(); !strings.EqualFold(got, name) {
			t.Errorf("got %s, want %s", got, name)
		}
	}
	if _, err := ParseFormat("rgb656"); err == nil || !strings.Contains(err.Error(), "rgb565") {
		t.Errorf("got %v, want an error that names the formats", err)
	}
}
