// Package card is how an appliance's SD card is laid out: what the image builder writes and what the
// appliance finds.
package card

import (
	"encoding/binary"
	"errors"
)

// Sizes in bytes. Partitions begin at multiples of 4 MiB, a common erase block of cards.
const (
	mib   = 1 << 20
	align = 4 * mib
	// SectorSize is what the partition table counts in.
	SectorSize = 512
)

// Names that both sides use.
const (
	// Label is the name under which a laptop shows the first partition.
	Label = "DASHBOARD"
	// Signature is the disk signature in the partition table that identifies the card.
	Signature = 0x48534144 // "DASH"
	// UpdateFile on the first partition is written to the other slot.
	UpdateFile = "update.img"
	// ReportFile on the first partition describes the state of the appliance.
	ReportFile = "report.txt"
	// ReportSize is the length of that file, always: it is written over in place.
	ReportSize = 64 << 10
	// SettingsFile on the first partition has the owner's settings.
	SettingsFile = "settings.txt"
	// NewSettingsFile is the settings that are about to replace SettingsFile. After a power cut it may be the only one.
	NewSettingsFile = "settings.new"
	// ConfigFolder on the first partition is /etc/dashboard.
	ConfigFolder = "dashboard"
	// ConfigZip on the first partition is it instead, if it is there.
	ConfigZip = "dashboard.zip"
	// RightsFolder in the root file system has the drop-ins that let the wall use more devices, by the names of settings.Devices.
	RightsFolder = "/usr/lib/dashboard/rights"
)

// Numbers of the partitions.
const (
	Boot   = 1 // VFAT: firmware, kernel, settings, configuration
	State  = 2 // two records, package state
	SlotA  = 3 // squashfs
	SlotB  = 4 // the same, or nothing yet
	Number = 4 // in the partition table

	Data = 5 // ext4, made at the first start. It is in no partition table: the first program adds it to the kernel's list
)

const (
	// maxData and minData bound the data partition. The kept files have far smaller bounds.
	maxData = 256 * mib
	minData = 16 * mib
	// DataLabel is the name of its file system.
	DataLabel = "dashboard-data"
)

// DataPartition returns the space behind slot b on a card of size bytes, within bounds. It reports false if there is
// not enough.
func DataPartition(size int64) (Partition, bool) {
	start := CardSize()
	p := Partition{Start: start, Size: min(size-start, maxData) / align * align, Kind: kindLinux}
	return p, p.Size >= minData
}

// A Partition is a part of the card, bytes.
type Partition struct {
	Start, Size int64
	Kind        byte // of the partition table
}

// Types of partitions.
const (
	kindFAT32 = 0x0c
	kindLinux = 0x83
	kindOther = 0xda // no file system
)

// Layout returns the partitions, the first at index 1. SlotB lies behind the end of the image file: the
// image is as small as one slot allows, and the card has the room.
func Layout() [Number + 1]Partition {
	var l [Number + 1]Partition
	at := int64(align)
	for i, p := range []Partition{
		// The firmware, two kernels and an update take 165 MB, the rest is for pictures of the configuration.
		{Size: 192 * mib, Kind: kindFAT32},
		{Size: align, Kind: kindOther},
		// A root file system takes 94 MB: nothing in it is compressed.
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

// CardSize is the smallest card.
func CardSize() int64 { l := Layout()[SlotB]; return l.Start + l.Size }

// Where things are in the first sector.
const (
	// AtSignature is where its disk signature is, four bytes, little endian.
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

// An update is a root file system, an optional kernel, an optional signature, the SHA-256 sum of all that, then
// updateMagic. squashfs ignores the bytes behind it.
const (
	updateMagic = "DASHBOARD-ROOT-1"
	sumSize     = 32
	// TrailerSize is the size of the signature behind an update's root file system.
	TrailerSize = sumSize + len(updateMagic)
)

// Trailer returns the end of an update.
func Trailer(sum [sumSize]byte) []byte { return append(sum[:], updateMagic...) }

// ParseTrailer returns the sum that the end of an update names.
func ParseTrailer(t []byte) (sum [sumSize]byte, err error) {
	if len(t) != TrailerSize || string(t[sumSize:]) != updateMagic {
		return sum, ErrNoUpdate
	}
	copy(sum[:], t)
	return sum, nil
}
