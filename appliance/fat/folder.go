package fat

import (
	"encoding/binary"
	"fmt"
)

// Offsets and values of a folder's entry (Microsoft FAT32 File System Specification 1.03, page 23).
const (
	entrySize   = 32
	atKind      = 11
	atEnding    = 8
	atHigh      = 20
	atLow       = 26
	atLength    = 28
	noMore      = 0x00 // first byte of the name: this entry and all later entries are free
	removed     = 0xe5
	longName    = 0x0f // values of the byte at atKind
	volumeLabel = 0x08
	subfolder   = 0x10

	freshEnding = "NEW" // ending of a new file's name until the file replaces another file
)

// mostDeep is the maximum depth of nested folders.
const mostDeep = 16

// folder marks the clusters of a folder and of its files as owned.
func (v *volume) folder(at uint32, deep int) error {
	if deep > mostDeep {
		return fmt.Errorf("%w: folders %d deep", ErrUnsound, deep)
	}
	chain, err := v.own(at)
	if err != nil {
		return err
	}
	ended, block, in := false, make([]byte, v.cluster), &inside{deep: deep, names: map[uint32]name{}}
	for _, c := range chain {
		at := v.dataAt + int64(c-firstOne)*v.cluster
		if _, err := v.device.ReadAt(block, at); err != nil {
			return err
		}
		for e := block; len(e) >= entrySize; e, at = e[entrySize:], at+entrySize {
			ended = ended || e[0] == noMore
			if ended && e[0] != noMore {
				return fmt.Errorf("%w: a name behind the last one", ErrUnsound)
			}
			if err := v.entry(e[:entrySize], at, in); err != nil {
				return err
			}
		}
	}
	return nil
}

// inside is the state while the entries of one folder are read.
type inside struct {
	deep  int
	long  []int64         // offsets of the entries with the next file's long name
	names map[uint32]name // names of the earlier files, by their first cluster
}

// A name describes a file by the offsets of its entries. The last entry contains the first cluster.
type name struct {
	entries []int64
	size    uint32
	fresh   bool // true if the name ends in .new
}

// entry marks the clusters of the file or folder that an entry describes.
func (v *volume) entry(e []byte, at int64, in *inside) error {
	kind := e[atKind]
	if e[0] != noMore && e[0] != removed && kind&longName == longName {
		in.long = append(in.long, at)
		return nil
	}
	n := name{append(in.long, at), binary.LittleEndian.Uint32(e[atLength:]), string(e[atEnding:atKind]) == freshEnding}
	in.long = nil
	if e[0] == noMore || e[0] == removed || e[0] == '.' || kind&volumeLabel != 0 {
		return nil
	}
	first := uint32(binary.LittleEndian.Uint16(e[atHigh:]))<<16 | uint32(binary.LittleEndian.Uint16(e[atLow:]))
	if kind&subfolder != 0 {
		return v.folder(first, in.deep+1)
	}
	other, is := in.names[first]
	in.names[first] = n
	if is && first != 0 && other.size == n.size && other.fresh != n.fresh {
		if other.fresh {
			n = other
		}
		v.twins = append(v.twins, n)
		return nil
	}
	var chain []uint32
	var err error
	if first != 0 {
		chain, err = v.own(first)
	}
	if err == nil && int64(n.size) > int64(len(chain))*v.cluster {
		err = fmt.Errorf("%w: %.11q has %d bytes in %d clusters", ErrUnsound, e, n.size, len(chain))
	}
	return err
}

// removeTwins removes the names in v.twins. For each name, it removes the entry with the first cluster last. If the power fails earlier,
// the next start finds both names of the chain again.
func (v *volume) removeTwins() error {
	sector := make([]byte, sectorSize)
	for _, n := range v.twins {
		for _, at := range n.entries {
			begin := at / sectorSize * sectorSize
			if _, err := v.device.ReadAt(sector, begin); err != nil {
				return err
			}
			sector[at-begin] = removed
			if _, err := v.device.WriteAt(sector, begin); err != nil {
				return err
			}
		}
	}
	return nil
}

// free() marks lost clusters as free, one sector after another in each table. Then it writes the number of free clusters.
func (v *volume) free() (freed int, err error) {
	sector, left := make([]byte, sectorSize), uint32(0)
	for begin := 0; begin < len(v.table); begin += sectorSize / 4 {
		var lost []int
		for c := max(begin, firstOne); c < min(begin+sectorSize/4, len(v.table)); c++ {
			switch e := v.table[c]; {
			case e == 0:
				left++
			case e != badEntry && !v.owned[c]:
				left++
				lost = append(lost, 4*(c-begin))
			}
		}
		for n := v.tables - 1; n >= 0 && len(lost) > 0; n-- { // the first table, which the kernel reads, is written last
			if err := v.clear(sector, v.tableAt+int64(n)*v.tableLen+int64(begin)*4, lost); err != nil {
				return freed, err
			}
		}
		freed += len(lost)
	}
	return freed, v.count(sector, left)
}

// clear frees some entries of a table and writes the sector that contains these entries.
func (v *volume) clear(sector []byte, at int64, entries []int) error {
	if _, err := v.device.ReadAt(sector, at); err != nil {
		return err
	}
	for _, e := range entries {
		was := binary.LittleEndian.Uint32(sector[e:])
		binary.LittleEndian.PutUint32(sector[e:], was&^entryMask)
	}
	_, err := v.device.WriteAt(sector, at)
	return err
}

// count writes the number of free clusters, because other systems rely on it. If the file system has no sector for the number, count does
// nothing.
func (v *volume) count(sector []byte, left uint32) error {
	if _, err := v.device.ReadAt(sector, v.infoAt); err != nil {
		return err
	}
	le := binary.LittleEndian
	if v.infoAt == 0 || le.Uint32(sector) != infoBegin || le.Uint32(sector[atMiddle:]) != infoMiddle || le.Uint32(sector[atFreeCount:]) == left {
		return nil
	}
	le.PutUint32(sector[atFreeCount:], left)
	_, err := v.device.WriteAt(sector, v.infoAt)
	return err
}
