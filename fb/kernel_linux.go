package fb

// The structures and numbers in this file come from the kernel's headers. They have the kernel's names, so that you can search for them.

// From include/uapi/linux/fb.h.
const (
	fbioGetVScreenInfo = 0x4600
	fbioGetFScreenInfo = 0x4602
	fbioPanDisplay     = 0x4606
	fbioBlank          = 0x4611
	// fbioWaitForVSync is _IOW('F', 0x20, __u32), with direction 1 << 30 and size 4 << 16. asm-generic/ioctl.h encodes requests like this
	// on amd64, arm, arm64 and riscv64.
	fbioWaitForVSync = 0x40044620

	fbBlankUnblank   = 0
	fbBlankPowerdown = 4

	fbTypePackedPixels = 0

	fbVisualTrueColor   = 2
	fbVisualDirectColor = 4

	fbActivateVBL = 16
)

// From include/uapi/linux/kd.h.
const (
	kdSetMode = 0x4B3A
	kdGetMode = 0x4B3B

	kdText     = 0
	kdGraphics = 1
)

// From include/uapi/linux/vt.h.
const (
	vtGetMode  = 0x5601
	vtSetMode  = 0x5602
	vtGetState = 0x5603
	vtRelDisp  = 0x5605
	vtActivate = 0x5606

	vtAuto    = 0
	vtProcess = 1
	vtAckAcq  = 2

	// vtRelease is the argument of VT_RELDISP that allows switching to another terminal.
	vtRelease = 1

	// maxConsoles is MAX_NR_CONSOLES. Devices of ttyMajor with greater minor numbers are serial lines.
	maxConsoles = 63
	// ttyMajor is TTY_MAJOR of include/uapi/linux/major.h.
	ttyMajor = 4
)

// fbFixScreenInfo is struct fb_fix_screeninfo. It has two fields of type unsigned long. So it has 68 bytes on 32-bit machines and 80 bytes
// on 64-bit machines.
type fbFixScreenInfo struct {
	id           [16]byte
	smemStart    uintptr
	smemLen      uint32
	typ          uint32
	typeAux      uint32
	visual       uint32
	xPanStep     uint16
	yPanStep     uint16
	yWrapStep    uint16
	lineLength   uint32
	mmioStart    uintptr
	mmioLen      uint32
	accel        uint32
	capabilities uint16
	reserved     [2]uint16
}

// fbBitfield is struct fb_bitfield: the position of a channel in a pixel, counted from the lowest bit.
type fbBitfield struct {
	offset   uint32
	length   uint32
	msbRight uint32
}

// fbVarScreenInfo is struct fb_var_screeninfo, 160 bytes on all machines.
type fbVarScreenInfo struct {
	xRes, yRes               uint32
	xResVirtual, yResVirtual uint32
	xOffset, yOffset         uint32
	bitsPerPixel             uint32
	grayscale                uint32
	red, green, blue, transp fbBitfield
	nonStd                   uint32
	activate                 uint32
	height, width            uint32
	accelFlags               uint32
	pixClock                 uint32
	leftMargin, rightMargin  uint32
	upperMargin, lowerMargin uint32
	hSyncLen, vSyncLen       uint32
	sync, vMode              uint32
	rotate, colorSpace       uint32
	reserved                 [4]uint32
}

// vtMode is struct vt_mode, 8 bytes.
type vtMode struct {
	mode, waitV           int8
	relSig, acqSig, frSig int16
}

// vtStat is struct vt_stat, 6 bytes.
type vtStat struct {
	active, signal, state uint16
}
