package main

import (
	"encoding/binary"
	"errors"
	"os"

	"github.com/diskfs/go-diskfs/backend/file"
	"github.com/diskfs/go-diskfs/partition/mbr"

	"dashboard/appliance/card"
)

// writeTable writes the first sector of a disk. It contains a partition table, no boot program, and a signature by which the appliance
// recognizes its card.
func writeTable(f *os.File) error {
	disk, err := file.New(f, false).Writable()
	if err != nil {
		return err
	}
	layout := card.Layout()
	err = (&mbr.Table{Partitions: entries(layout[1:])}).Write(disk, card.CardSize())
	_, failed := f.WriteAt(binary.LittleEndian.AppendUint32(nil, card.Signature), card.AtSignature)
	return errors.Join(err, failed)
}

// entries() returns the entries of the partition table. Cylinders, heads and sectors have their greatest values. This means that only the
// block numbers are valid.
func entries(partitions []card.Partition) (all []*mbr.Partition) {
	for _, p := range partitions {
		all = append(all, &mbr.Partition{
			Type: mbr.Type(p.Kind), Start: uint32(p.Start / card.SectorSize), Size: uint32(p.Size / card.SectorSize),
			StartHead: 0xfe, StartSector: 0xff, StartCylinder: 0xff, EndHead: 0xfe, EndSector: 0xff, EndCylinder: 0xff,
		})
	}
	return all
}
