package fb

// Virtual describes a file that is used like a framebuffer. Such a file is useful on laptops, in tests, and for other programs that read
// the pixels.
type Virtual struct {
	// Width and Height are in pixels.
	Width, Height int
	// Format is the layout of a pixel.
	Format Format
	// Padding is the number of unused bytes at the end of each row.
	Padding int
}

// Geometry returns the geometry of a framebuffer in the file.
func (v Virtual) Geometry() Geometry {
	stride := v.Width*v.Format.BytesPerPixel() + v.Padding
	return Geometry{
		Driver: "virtual",
		Width:  v.Width, Height: v.Height,
		VirtualWidth: v.Width, VirtualHeight: v.Height,
		Stride: stride, Size: stride * v.Height,
		Format: v.Format,
	}
}
