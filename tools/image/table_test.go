package main

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/appliance/card"
)

// newCard returns the path of an empty card with its table, and the table.
func newCard(t *testing.T) (string, []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "card")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(card.CardSize()); err != nil {
		t.Fatal(err)
	}
	if err := writeTable(f); err != nil {
		t.Fatal(err)
	}
	table := make([]byte, card.SectorSize)
	if _, err := f.ReadAt(table, 0); err != nil {
		t.Fatal(err)
	}
	return path, table
}

// Programs that do not belong to this project can read the partition table.
func TestTable(t *testing.T) {
	_, table := newCard(t)
	if !card.Ours(table) {
		t.Error("got a stranger's table, want ours")
	}
	for n := card.Boot; n <= card.Number; n++ {
		e := table[446+16*(n-1):]
		start, size := binary.LittleEndian.Uint32(e[8:]), binary.LittleEndian.Uint32(e[12:])
		if p := card.Layout()[n]; int64(start)*512 != p.Start || int64(size)*512 != p.Size {
			t.Errorf("partition %d: got %d and %d sectors, want %+v", n, start, size, p)
		}
	}
	if kind := table[446+4]; kind != 0x0c {
		t.Errorf("got type %#x for the first partition, want 0xc: the firmware reads no other", kind)
	}
}

func TestSfdiskAgrees(t *testing.T) {
	sfdisk, err := exec.LookPath("sfdisk")
	switch {
	case err != nil && os.Getenv("DASHBOARD_CI") != "":
		t.Fatal(err)
	case err != nil:
		t.Skip("no sfdisk here: TestTable reads the table anyway")
	}
	path, _ := newCard(t)
	out, err := exec.Command(sfdisk, "--dump", path).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "label-id: 0x48534144") || strings.Count(string(out), "start=") != card.Number {
		t.Errorf("got %s, %v, want our signature and %d partitions", out, err, card.Number)
	}
}
