package card

import "encoding/binary"

// Names that the firmware of a Raspberry Pi reads, at the top of the first partition or in the folder of a kernel, a or
// b.
const (
	// FirmwareFile names the folder to start, in os_prefix.
	FirmwareFile = "config.txt"
	// TryFile is read instead, once, if the restart asked for it.
	TryFile = "tryboot.txt"
	// CommandLine in a kernel's folder is its command line.
	CommandLine = "cmdline.txt"
	// FolderWord on that line names the kernel's folder.
	FolderWord = "appliance.folder="
)

const (
	// MaxKernel bounds the archive of a kernel, its initramfs and device trees, bytes: the first partition has room for two of them
	// and an update. Debian's take 22 MB.
	MaxKernel = 32 * mib
	// MaxKernelFiles bounds the files in it. Raspberry Pi's overlays are some 300.
	MaxKernelFiles = 512
)

// An update may have a kernel between its root file system and its signature: a tar archive of a kernel's folder
// without the command line, its length, then kernelMagic.
const (
	kernelMagic = "DASHBOARD-BOOT-1"
	lengthSize  = 8
	// KernelEnd is the size of the length and kernelMagic behind the archive.
	KernelEnd = lengthSize + len(kernelMagic)
)

// KernelPart returns an archive as an update has it.
func KernelPart(archive []byte) []byte {
	part := binary.LittleEndian.AppendUint64(archive[:len(archive):len(archive)], uint64(len(archive)))
	return append(part, kernelMagic...)
}

// ParseKernelEnd returns the length of the archive before an end, and false if there is no archive.
func ParseKernelEnd(end []byte) (size int64, ok bool) {
	if len(end) != KernelEnd || string(end[lengthSize:]) != kernelMagic {
		return 0, false
	}
	n := binary.LittleEndian.Uint64(end)
	return int64(min(n, MaxKernel)), n > 0 && n <= MaxKernel
}
