package fb

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// kernelDevice is a Device on the kernel's fbdev interface.
type kernelDevice struct {
	path    string
	fd      int
	mapping []byte
	pixels  []byte
}

// OpenDevice opens the framebuffer device at `path` and maps its memory.
func OpenDevice(path string) (Device, error) {
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, openError(path, err)
	}
	d := &kernelDevice{path: path, fd: fd}
	if err := d.mapMemory(); err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("fb: %s: %w", path, err)
	}
	return d, nil
}

// openError adds advice to the most common error.
func openError(path string, err error) error {
	if errors.Is(err, os.ErrPermission) {
		return fmt.Errorf("fb: open %s: %w; is the user in group video?", path, err)
	}
	return fmt.Errorf("fb: open %s: %w", path, err)
}

// mapMemory maps the whole framebuffer. The mapping begins with the page that contains smem_start (fb_mmap and vm_iomap_memory in the
// kernel). The framebuffer itself may begin later in this page.
func (d *kernelDevice) mapMemory() error {
	var fix fbFixScreenInfo
	var v fbVarScreenInfo
	if err := d.read(&fix, &v); err != nil {
		return err
	}
	g, err := geometryOf(&fix, &v)
	if err != nil {
		return err
	}
	if err := g.Validate(); err != nil {
		return err
	}
	skip := int(fix.smemStart & uintptr(os.Getpagesize()-1))
	d.mapping, err = unix.Mmap(d.fd, 0, skip+g.Size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return fmt.Errorf("mmap of %d bytes: %w", skip+g.Size, err)
	}
	d.pixels = d.mapping[skip:]
	return nil
}

func (d *kernelDevice) read(fix *fbFixScreenInfo, v *fbVarScreenInfo) error {
	if err := ioctl(d.fd, fbioGetFScreenInfo, unsafe.Pointer(fix)); err != nil {
		return fmt.Errorf("FBIOGET_FSCREENINFO: %w", err)
	}
	if err := ioctl(d.fd, fbioGetVScreenInfo, unsafe.Pointer(v)); err != nil {
		return fmt.Errorf("FBIOGET_VSCREENINFO: %w", err)
	}
	return nil
}

// Geometry implements Device. It also returns an error if the path no longer leads to the open device.
func (d *kernelDevice) Geometry() (Geometry, error) {
	if err := sameFile(d.path, d.fd); err != nil {
		return Geometry{}, err
	}
	var fix fbFixScreenInfo
	var v fbVarScreenInfo
	if err := d.read(&fix, &v); err != nil {
		return Geometry{}, fmt.Errorf("fb: %s: %w", d.path, err)
	}
	g, err := geometryOf(&fix, &v)
	if err != nil {
		return g, fmt.Errorf("fb: %s: %w", d.path, err)
	}
	return g, nil
}

func (d *kernelDevice) Pixels() []byte { return d.pixels }

// Pan implements Device. It reads the offset back, because some drivers change it.
func (d *kernelDevice) Pan(yOffset int) error {
	var v fbVarScreenInfo
	if err := ioctl(d.fd, fbioGetVScreenInfo, unsafe.Pointer(&v)); err != nil {
		return fmt.Errorf("fb: FBIOGET_VSCREENINFO: %w", err)
	}
	v.yOffset = uint32(yOffset)
	v.activate = fbActivateVBL
	if err := ioctl(d.fd, fbioPanDisplay, unsafe.Pointer(&v)); err != nil {
		return fmt.Errorf("fb: FBIOPAN_DISPLAY: %w", err)
	}
	if err := ioctl(d.fd, fbioGetVScreenInfo, unsafe.Pointer(&v)); err != nil {
		return fmt.Errorf("fb: FBIOGET_VSCREENINFO: %w", err)
	}
	if int(v.yOffset) != yOffset {
		return fmt.Errorf("fb: FBIOPAN_DISPLAY to row %d stayed at %d", yOffset, v.yOffset)
	}
	return nil
}

func (d *kernelDevice) WaitVSync() error {
	crtc := uint32(0)
	return ioctl(d.fd, fbioWaitForVSync, unsafe.Pointer(&crtc))
}

// Flush implements Device. It does nothing, because the kernel notices written pages.
func (d *kernelDevice) Flush([]image.Rectangle) error { return nil }

// Power implements Device. While another program uses the screen, the kernel accepts the request but does nothing. If the screen should
// be off but stays on, Power returns errLit.
func (d *kernelDevice) Power(on bool) error {
	level := fbBlankPowerdown
	if on {
		level = fbBlankUnblank
	}
	err := unix.IoctlSetInt(d.fd, fbioBlank, level)
	if err == nil && !on && lit(filepath.Join(graphicsClass, filepath.Base(d.path), "device")) {
		return errLit
	}
	return err
}

// errLit is returned if the screen stays on after it was switched off.
var errLit = errors.New("fb: another program has the screen, which stays on")

// graphicsClass is the folder where the kernel lists framebuffers.
const graphicsClass = "/sys/class/graphics"

// lit reports whether a connector of a framebuffer's device (a folder in sysfs) has a screen that is on. It returns false if there are no
// connectors or their state is unknown.
func lit(device string) bool {
	connectors, _ := filepath.Glob(filepath.Join(device, "drm", "card*", "card*-*"))
	says := func(dir, name, want string) bool {
		text, err := os.ReadFile(filepath.Join(dir, name))
		return err == nil && strings.TrimSpace(string(text)) == want
	}
	for _, dir := range connectors {
		if says(dir, "status", "connected") && says(dir, "enabled", "enabled") && says(dir, "dpms", "On") {
			return true
		}
	}
	return false
}

func (d *kernelDevice) Close() error {
	return errors.Join(unix.Munmap(d.mapping), unix.Close(d.fd))
}

// geometryOf converts the kernel's structures. It returns an error for formats that the package cannot write: palettes, planes, gray
// levels and reversed bits.
func geometryOf(fix *fbFixScreenInfo, v *fbVarScreenInfo) (Geometry, error) {
	name, _, _ := bytes.Cut(fix.id[:], []byte{0})
	g := Geometry{
		Driver: string(name),
		Width:  int(v.xRes), Height: int(v.yRes),
		VirtualWidth: int(v.xResVirtual), VirtualHeight: int(v.yResVirtual),
		XOffset: int(v.xOffset), YOffset: int(v.yOffset),
		Stride: int(fix.lineLength), Size: int(fix.smemLen),
	}
	if fix.typ != fbTypePackedPixels || fix.visual != fbVisualTrueColor && fix.visual != fbVisualDirectColor {
		return g, fmt.Errorf("%s has no packed true-color pixels (type %d, visual %d)", g.Driver, fix.typ, fix.visual)
	}
	if v.grayscale != 0 || v.nonStd != 0 {
		return g, fmt.Errorf("%s has a special pixel format (grayscale %d, nonstd %d)", g.Driver, v.grayscale, v.nonStd)
	}
	var err error
	if g.Format, err = formatOf(v); err != nil {
		return g, err
	}
	if g.Stride == 0 {
		g.Stride = max(g.Width, g.VirtualWidth) * g.Format.BytesPerPixel()
	}
	if g.Size == 0 {
		g.Size = g.Stride * max(g.Height, g.VirtualHeight)
	}
	return g, nil
}

// formatOf converts the kernel's bitfields to a Format.
func formatOf(v *fbVarScreenInfo) (Format, error) {
	f := Format{Bits: int(v.bitsPerPixel)}
	for _, c := range []struct {
		to   *Bitfield
		from fbBitfield
	}{{&f.Red, v.red}, {&f.Green, v.green}, {&f.Blue, v.blue}, {&f.Alpha, v.transp}} {
		if c.from.msbRight != 0 {
			return f, errors.New("channels with reversed bits are not supported")
		}
		if c.from.offset > 32 || c.from.length > 32 {
			return f, fmt.Errorf("a channel of %d bits at bit %d does not fit a pixel", c.from.length, c.from.offset)
		}
		*c.to = Bitfield{Offset: uint8(c.from.offset), Length: uint8(c.from.length)}
	}
	return f, f.Validate()
}

// ioctl calls ioctl(2) with a pointer.
func ioctl(fd int, request uint, arg unsafe.Pointer) error {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), uintptr(request), uintptr(arg))
	if errno != 0 {
		return errno
	}
	return nil
}
