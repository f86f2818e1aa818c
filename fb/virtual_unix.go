//go:build unix

package fb

import (
	"errors"
	"fmt"
	"image"

	"golang.org/x/sys/unix"
)

// virtualMode contains the permissions of a file that OpenVirtual creates.
const virtualMode = 0o644

// virtualDevice is a Device on a mapped file.
type virtualDevice struct {
	path     string
	fd       int
	geometry Geometry
	pixels   []byte
}

// OpenVirtual opens the file at `path` or creates it, gives it the length that v needs, and maps it into memory.
func OpenVirtual(path string, v Virtual) (Device, error) {
	if v.Padding < 0 || v.Padding > maxSide {
		return nil, fmt.Errorf("fb: %s: padding %d is not in 0..%d", path, v.Padding, maxSide)
	}
	if v.Width > maxSide || v.Height > maxSide {
		return nil, fmt.Errorf("fb: %s: %dx%d is larger than %dx%d", path, v.Width, v.Height, maxSide, maxSide)
	}
	g := v.Geometry()
	if err := g.Validate(); err != nil {
		return nil, fmt.Errorf("fb: %s: %w", path, err)
	}
	fd, err := unix.Open(path, unix.O_RDWR|unix.O_CREAT|unix.O_CLOEXEC, virtualMode)
	if err != nil {
		return nil, fmt.Errorf("fb: open %s: %w", path, err)
	}
	pixels, err := mapFile(fd, g.Size)
	if err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("fb: %s: %w", path, err)
	}
	return &virtualDevice{path: path, fd: fd, geometry: g, pixels: pixels}, nil
}

// mapFile maps a regular file into memory. It first changes the file's length to `size` bytes.
func mapFile(fd, size int) ([]byte, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return nil, err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return nil, errors.New("not a regular file")
	}
	// Allocate the blocks, because on a full drive a write to the mapped memory fails without a reason.
	if err := allocate(fd, st.Size, int64(size)); err != nil {
		return nil, errors.Join(fmt.Errorf("allocate %d bytes: %w", size, err), unix.Ftruncate(fd, st.Size)) // readers may use the old picture
	}
	if err := unix.Ftruncate(fd, int64(size)); err != nil {
		return nil, fmt.Errorf("truncate to %d bytes: %w", size, err)
	}
	pixels, err := unix.Mmap(fd, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("mmap of %d bytes: %w", size, err)
	}
	return pixels, nil
}

// writeZeros writes the bytes of a file from `from` to `to`.
func writeZeros(fd int, from, to int64) error {
	for zeros := make([]byte, 64<<10); from < to; {
		n, err := unix.Pwrite(fd, zeros[:min(int64(len(zeros)), to-from)], from)
		if err != nil {
			return err
		}
		from += int64(n)
	}
	return nil
}

// Geometry implements Device. It returns an error if the file was removed or replaced, or its length has changed.
func (d *virtualDevice) Geometry() (Geometry, error) {
	if err := sameFile(d.path, d.fd); err != nil {
		return Geometry{}, err
	}
	var st unix.Stat_t
	if err := unix.Fstat(d.fd, &st); err != nil {
		return Geometry{}, fmt.Errorf("fb: %s: %w", d.path, err)
	}
	if st.Size != int64(d.geometry.Size) {
		return Geometry{}, fmt.Errorf("fb: %s has %d bytes instead of %d", d.path, st.Size, d.geometry.Size)
	}
	return d.geometry, nil
}

func (d *virtualDevice) Pixels() []byte                { return d.pixels }
func (d *virtualDevice) Pan(int) error                 { return errors.ErrUnsupported }
func (d *virtualDevice) WaitVSync() error              { return errors.ErrUnsupported }
func (d *virtualDevice) Flush([]image.Rectangle) error { return nil }
func (d *virtualDevice) Power(bool) error              { return nil }

func (d *virtualDevice) Close() error {
	return errors.Join(unix.Munmap(d.pixels), unix.Close(d.fd))
}

// sameFile returns an error unless `path` still leads to the file that is open as fd.
func sameFile(path string, fd int) error {
	var now, then unix.Stat_t
	if err := unix.Stat(path, &now); err != nil {
		return fmt.Errorf("fb: %s: %w", path, err)
	}
	if err := unix.Fstat(fd, &then); err != nil {
		return fmt.Errorf("fb: %s: %w", path, err)
	}
	if now.Dev != then.Dev || now.Ino != then.Ino || now.Rdev != then.Rdev {
		return fmt.Errorf("fb: %s has been replaced", path)
	}
	return nil
}
