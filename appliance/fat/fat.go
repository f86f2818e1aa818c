// Package fat repairs a FAT32 file system after a power cut.
//
// A power cut while files are written or removed can leave chains of clusters that belong to no file. The kernel would always count these
// clusters as used. A power cut while a file replaces another file can leave two names with the same chain. If one name is removed, the
// kernel also frees the clusters of the other name.
package fat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A Device is a partition, or a file with the contents of a partition.
type Device interface {
	io.ReaderAt
	io.WriterAt
}

// ErrUnsound means that the file system has errors other than lost clusters, or is not FAT32. In this case nothing was written.
var ErrUnsound = errors.New("not a sound FAT32 file system")

const sectorSize = 512

// Offsets in the first sector (Microsoft FAT32 File System Specification 1.03, pages 9 to 12). In a reserved byte, the kernel
// records whether the file system is mounted for writing (fs/fat/inode.c, fat_set_state).
const (
	atSectorSize   = 11
	atPerCluster   = 13
	atReserved     = 14
	atTables       = 16
	atSectors      = 32
	atTableSectors = 36
	atFlags        = 40
	atVersion      = 42
	atRoot         = 44
	atInfo         = 48
	atState        = 65
	dirty          = 1
)

// Offsets and values of the sector with the number of free clusters (page 21).
const (
	infoBegin   = 0x41615252
	infoMiddle  = 0x61417272
	atMiddle    = 484
	atFreeCount = 488
)

// Values of clusters in the table (page 18). The upper four bits are not part of the value.
const (
	entryMask = 0x0fffffff
	badEntry  = 0x0ffffff7
	lastEntry = 0x0ffffff8
	firstOne  = 2
)

// maxTable is the maximum size of a table, in bytes. The table of a card's partition has 400 kB.
const maxTable = 4 << 20

// A volume is the state of a check of a file system.
type volume struct {
	device            Device
	cluster           int64 // size of a cluster in bytes
	tables            int
	tableAt, tableLen int64
	dataAt            int64
	infoAt            int64
	root              uint32
	table             []uint32 // the first table. The kernel reads only this table
	owned             []bool   // true for clusters of a file or a folder
	twins             []name   // names that point to another file's chain
}

// Reclaim frees lost clusters in every copy of the table and returns their number. First, it looks for names with the ending .new that
// share their chain with another file of the same folder. It removes these names.
//
// A power cut during writing leaves the dirty bit set. If the bit is not set, Reclaim changes nothing. Each sector is written once. After
// a power cut during Reclaim, the next call frees the rest. The file system must not be mounted.
func Reclaim(d Device) (freed int, err error) {
	first := make([]byte, sectorSize)
	if _, err := d.ReadAt(first, 0); err != nil {
		return 0, err
	}
	v, err := open(d, first)
	if err != nil || first[atState]&dirty == 0 {
		return 0, err
	}
	if err := v.readTable(); err != nil {
		return 0, err
	}
	if err := v.folder(v.root, 0); err != nil {
		return 0, err
	}
	if err := v.removeTwins(); err != nil {
		return 0, err
	}
	return v.free()
}

// open() reads the layout of the file system.
func open(d Device, first []byte) (*volume, error) {
	le := binary.LittleEndian
	per, reserved, sectors := int64(first[atPerCluster]), int64(le.Uint16(first[atReserved:])), int64(le.Uint32(first[atSectors:]))
	v := &volume{
		device: d, cluster: per * sectorSize, tables: int(first[atTables]), tableAt: reserved * sectorSize,
		tableLen: int64(le.Uint32(first[atTableSectors:])) * sectorSize, root: le.Uint32(first[atRoot:]),
		infoAt: int64(le.Uint16(first[atInfo:])) * sectorSize,
	}
	switch {
	case first[510] != 0x55 || first[511] != 0xaa || le.Uint16(first[atSectorSize:]) != sectorSize || le.Uint16(first[atVersion:]) != 0,
		per == 0 || per&(per-1) != 0, reserved < 2, v.tables < 1 || v.tables > 2, le.Uint16(first[atFlags:]) != 0,
		v.tableLen == 0 || v.tableLen > maxTable, v.infoAt >= v.tableAt:
		return nil, ErrUnsound
	}
	v.dataAt = v.tableAt + int64(v.tables)*v.tableLen
	const leastClusters = 65525 // a file system with fewer clusters is FAT16 (page 14)
	clusters := (sectors*sectorSize - v.dataAt) / v.cluster
	if clusters < leastClusters || (clusters+firstOne)*4 > v.tableLen {
		return nil, ErrUnsound
	}
	v.table, v.owned = make([]uint32, clusters+firstOne), make([]bool, clusters+firstOne)
	return v, nil
}

func (v *volume) readTable() error {
	raw := make([]byte, 4*len(v.table))
	_, err := v.device.ReadAt(raw, v.tableAt)
	for i := range v.table {
		v.table[i] = binary.LittleEndian.Uint32(raw[4*i:]) & entryMask
	}
	return err
}

// own() returns the clusters of a chain, and marks these clusters as owned by a file or a folder. `at` is the first cluster of the chain.
func (v *volume) own(at uint32) (chain []uint32, err error) {
	for at < lastEntry {
		if at < firstOne || int64(at) >= int64(len(v.table)) || v.owned[at] {
			return nil, fmt.Errorf("%w: cluster %d", ErrUnsound, at)
		}
		v.owned[at], chain = true, append(chain, at)
		at = v.table[at]
	}
	return chain, nil
}
