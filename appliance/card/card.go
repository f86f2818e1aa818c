// Package card describes the layout of an appliance's SD card: the parts that the image builder writes and the appliance finds.
package card

import (
	"encoding/binary"
	"errors"
)

// Sizes in bytes. Partitions begin at multiples of 4 MiB, because many cards have erase blocks of this size.
const (
	mib   = 1 << 20
	align = 4 * mib
	// SectorSize is the unit of the partition table.
	SectorSize = 512
)

// Names that the builder and the appliance use.
const (
	// Label is the name that a laptop shows for the first partition.
	Label = "DASHBOARD"
	// Signature is the disk signature in the partition table. It distinguishes an appliance's card from other disks.
	Signature = 0x48534144 // "DASH"
	// UpdateFile is an update on the first partition. The keeper copies the update's root file system to the slot that is not running.
	UpdateFile = "update.img"
	// ReportFile is a file on the first partition. It describes the state of the appliance.
	ReportFile = "report.txt"
	// ReportSize is the size of ReportFile in bytes. The size never changes, because each report overwrites the previous report in place.
	ReportSize = 64 << 10
	// SettingsFile is a file on the first partition with the owner's settings.
	SettingsFile = "settings.txt"
	// NewSettingsFile contains new settings until they replace SettingsFile. After a power cut it may be the only settings file.
	NewSettingsFile = "settings.new"
	// ConfigFolder is a folder on the first partition. The first process mounts it at /etc/dashboard.
	ConfigFolder = "dashboard"
	// ConfigZip is a file on the first partition. If it exists, it is used instead of ConfigFolder.
	ConfigZip = "dashboard.zip"
	// RightsFolder is a folder of the root file system. Its drop-ins allow the wall to use more devices. Each drop-in has the name of a
	// kind of devices that settings.Devices returns.
	RightsFolder = "/usr/lib/dashboard/rights"
)

// Numbers of the partitions.
const (
	Boot   = 1 // VFAT: firmware, kernel, settings, configuration
	State  = 2 // two records of package state
	SlotA  = 3 // squashfs
	SlotB  = 4 // second root file system, or empty
	Number = 4 // number of partitions in the partition table

	// Data is the data partition, with the file system ext4. The partition table does not contain the data partition. The appliance's
	// first process adds the partition to the kernel's list. At the first start, it also formats the partition.
	Data = 5
)

const (
	// maxData and minData limit the size of the data partition. The files on this partition are much smaller.
	maxData = 256 * mib
	minData = 16 * mib
	// DataLabel is the label of the data partition's file system.
	DataLabel = "dashboard-data"
)

// DataPartition returns the partition that follows slot b on a card of the given size in bytes. It returns false if the space is too small.
func DataPartition(size int64) (Partition, bool) {
	start := CardSize()
	p := Partition{Start: start, Size: min(size-start, maxData) / align * align, Kind: kindLinux}
	return p, p.Size >= minData
}

// A Partition is a part of the card. Start and Size are in bytes.
type Partition struct {
	Start, Size int64
	Kind        byte // type in the partition table
}

// Types of partitions.
const (
	kindFAT32 = 0x0c
	kindLinux = 0x83
	kindOther = 0xda // type of a partition without a file system
)

// Layout returns the partitions. The first partition has the index 1. SlotB begins at the end of the image file, so the image file does
// not contain SlotB. The card needs room for SlotB.
func Layout() [Number + 1]Partition {
	var l [Number + 1]Partition
	at := int64(align)
	for i, p := range []Partition{
		// The firmware, two kernels and an update need 165 MB. The rest is for pictures in ConfigFolder.
		{Size: 192 * mib, Kind: kindFAT32},
		{Size: align, Kind: kindOther},
		// A root file system needs 94 MB, because its files are not compressed.
		{Size: 96 * mib, Kind: kindLinux},
		{Size: 96 * mib, Kind: kindLinux},
	} {
		p.Start = at
		at += p.Size
		l[i+1] = p
	}
	return l
}

// ImageSize is the length of the image file.
func ImageSize() int64 { return Layout()[SlotB].Start }

// CardSize returns the minimum size of a card.
func CardSize() int64 { l := Layout()[SlotB]; return l.Start + l.Size }

// Offsets in the first sector.
const (
	// AtSignature is the offset of the disk signature, which has four bytes, little endian.
	AtSignature = 440
	atEnd       = 510
)

// Ours reports whether a disk with this first sector is an appliance's card.
func Ours(sector []byte) bool {
	return len(sector) >= SectorSize && sector[atEnd] == 0x55 && sector[atEnd+1] == 0xaa &&
		binary.LittleEndian.Uint32(sector[AtSignature:]) == Signature
}

// ErrNoUpdate means that a file is not a complete update.
var ErrNoUpdate = errors.New("the file is not a complete update")

// An update has these parts: a root file system, an optional kernel, an optional signature, the SHA-256 sum of these parts, and
// updateMagic. squashfs ignores the bytes after the root file system.
const (
	updateMagic = "DASHBOARD-ROOT-1"
	sumSize     = 32
	// TrailerSize is the size of the sum and updateMagic at the end of an update.
	TrailerSize = sumSize + len(updateMagic)
)

// Trailer returns the end of an update.
func Trailer(sum [sumSize]byte) []byte { return append(sum[:], updateMagic...) }

// ParseTrailer returns the sum at the end of an update.
func ParseTrailer(t []byte) (sum [sumSize]byte, err error) {
	if len(t) != TrailerSize || string(t[sumSize:]) != updateMagic {
		return sum, ErrNoUpdate
	}
	copy(sum[:], t)
	return sum, nil
}
