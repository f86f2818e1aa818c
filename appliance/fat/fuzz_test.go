package fat

import (
	"encoding/binary"
	"io"
	"testing"
)

// The type sparse is a partition that consists mostly of zeros. It records which sectors were written.
type sparse struct {
	sectors map[int64][]byte
	size    int64
	written map[int64]bool
}

func (s *sparse) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 || at+int64(len(p)) > s.size {
		return 0, io.EOF
	}
	clear(p)
	for i := range s.sectors {
		if off := i*sectorSize - at; off >= 0 && off+sectorSize <= int64(len(p)) {
			copy(p[off:], s.sectors[i])
		}
	}
	return len(p), nil
}

func (s *sparse) WriteAt(p []byte, at int64) (int, error) {
	s.written[at/sectorSize] = true
	s.sectors[at/sectorSize] = append([]byte(nil), p...)
	return len(p), nil
}

// firstSector returns the first sector of a small partition. The partition has 32 reserved sectors and two tables of 512 sectors. The
// root folder is the first cluster.
func firstSector() []byte {
	b := make([]byte, sectorSize)
	le := binary.LittleEndian
	le.PutUint16(b[atSectorSize:], sectorSize)
	b[atPerCluster], b[atTables], b[atState], b[510], b[511] = 1, 2, dirty, 0x55, 0xaa
	le.PutUint16(b[atReserved:], 32)
	le.PutUint32(b[atSectors:], 32+2*512+65526)
	le.PutUint32(b[atTableSectors:], 512)
	le.PutUint32(b[atRoot:], 2)
	le.PutUint16(b[atInfo:], 1)
	return b
}

// On any card, Reclaim writes only the tables and the number of free clusters. It writes nothing if the file system is unsound.
func FuzzReclaim(f *testing.F) {
	table, root := make([]byte, sectorSize), make([]byte, sectorSize)
	for i, v := range []uint32{0x0ffffff8, 0x0fffffff, 0x0fffffff, 4, 0x0fffffff, 0x0fffffff, 7, 0x0fffffff} {
		binary.LittleEndian.PutUint32(table[4*i:], v)
	}
	copy(root, "CONFIG  TXT\x20")
	root[atLow], root[atLength] = 3, 100
	f.Add(firstSector(), table, root)
	f.Add(firstSector(), []byte{}, root)
	f.Fuzz(func(t *testing.T, first, table, root []byte) {
		d := &sparse{sectors: map[int64][]byte{}, size: 128 << 20, written: map[int64]bool{}}
		for at, b := range map[int64][]byte{0: first, 32: table, 32 + 2*512: root} {
			d.sectors[at] = append(append([]byte(nil), b[:min(len(b), sectorSize)]...), make([]byte, sectorSize-min(len(b), sectorSize))...)
		}
		freed, err := Reclaim(d)
		if (err != nil || freed == 0) && len(d.written) > 0 {
			t.Errorf("got %d freed, %v, and %d sectors written", freed, err, len(d.written))
		}
		if freed == 0 {
			return
		}
		v, err := open(d, d.sectors[0])
		if err != nil {
			t.Fatal(err)
		}
		for at := range d.written {
			if at*sectorSize >= v.dataAt || at*sectorSize < v.tableAt && at*sectorSize != v.infoAt {
				t.Errorf("sector %d was written", at)
			}
		}
	})
}
