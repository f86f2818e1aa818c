package card

import "encoding/binary"

// Names of files that the firmware of a Raspberry Pi reads. They are in the first partition or in a kernel's folder, which is named a or b.
const (
	// FirmwareFile contains the line os_prefix with the name of the folder from which the firmware starts the kernel.
	FirmwareFile = "config.txt"
	// TryFile replaces FirmwareFile for one start. The firmware reads it only after a restart with the argument "0 tryboot".
	TryFile = "tryboot.txt"
	// CommandLine is the file with the kernel's command line, in a kernel's folder.
	CommandLine = "cmdline.txt"
	// FolderWord is a parameter of the kernel's command line. Its value is the name of the kernel's folder.
	FolderWord = "appliance.folder="
)

const (
	// MaxKernel is the maximum size in bytes of the archive with a kernel, its initramfs and its device trees. The first partition has
	// room for two kernels and an update. Debian's kernel with these files takes 22 MB.
	MaxKernel = 32 * mib
	// MaxKernelFiles is the maximum number of files in the archive. Raspberry Pi has about 300 overlays.
	MaxKernelFiles = 512
)

// An update may contain a kernel part between its root file system and its signature. The kernel part consists of a tar archive of a
// kernel's folder without the command line, the length of the archive, and kernelMagic.
const (
	kernelMagic = "DASHBOARD-BOOT-1"
	lengthSize  = 8
	// KernelEnd is the size of the end of a kernel part, in bytes. The end consists of the archive's length and kernelMagic.
	KernelEnd = lengthSize + len(kernelMagic)
)

// KernelPart returns the kernel part of an update for an archive.
func KernelPart(archive []byte) []byte {
	part := binary.LittleEndian.AppendUint64(archive[:len(archive):len(archive)], uint64(len(archive)))
	return append(part, kernelMagic...)
}

// ParseKernelEnd reads the end of a kernel part. It returns the length of the archive, or false if there is no archive.
func ParseKernelEnd(end []byte) (size int64, ok bool) {
	if len(end) != KernelEnd || string(end[lengthSize:]) != kernelMagic {
		return 0, false
	}
	n := binary.LittleEndian.Uint64(end)
	return int64(min(n, MaxKernel)), n > 0 && n <= MaxKernel
}
