package card_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/tools/image/card"
	"dashboard/tools/image/state"
)

func TestLayout(t *testing.T) {
	l := card.Layout()
	for n := card.Boot; n <= card.Number; n++ {
		if l[n].Start%(4<<20) != 0 || n > 1 && l[n].Start < l[n-1].Start+l[n-1].Size {
			t.Errorf("partition %d is at %d of %d bytes, the one before ends at %d", n, l[n].Start, l[n].Size, l[n-1].Start+l[n-1].Size)
		}
	}
	if l[card.State].Size < state.Size {
		t.Errorf("got %d bytes for the state, want %d at least", l[card.State].Size, state.Size)
	}
	if l[card.SlotA].Size != l[card.SlotB].Size {
		t.Errorf("got slots of %d and %d bytes, want the same", l[card.SlotA].Size, l[card.SlotB].Size)
	}
	if card.ImageSize() != l[card.SlotA].Start+l[card.SlotA].Size {
		t.Errorf("got an image of %d bytes, want the end of slot a", card.ImageSize())
	}
}

func TestTableIsOurs(t *testing.T) {
	table := card.Table()
	if !card.Ours(table) {
		t.Error("got a stranger's table, want ours")
	}
	table[440]++
	if card.Ours(table) || card.Ours(nil) || card.Ours(make([]byte, 512)) {
		t.Error("got ours, want a stranger's")
	}
}

// The table as others read it.
func TestTableEntries(t *testing.T) {
	table := card.Table()
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
		t.Skip("no sfdisk here: TestTableEntries reads the table anyway")
	}
	path := filepath.Join(t.TempDir(), "card")
	if err := os.WriteFile(path, card.Table(), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, card.CardSize()); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(sfdisk, "--dump", path).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "label-id: 0x48534144") || strings.Count(string(out), "start=") != card.Number {
		t.Errorf("got %s, %v, want our signature and %d partitions", out, err, card.Number)
	}
}

func TestTrailer(t *testing.T) {
	sum := sha256.Sum256([]byte("root"))
	whole := card.Trailer(sum)
	if len(whole) != card.TrailerSize {
		t.Errorf("got %d bytes, want %d", len(whole), card.TrailerSize)
	}
	if got, err := card.ParseTrailer(whole); err != nil || !bytes.Equal(got[:], sum[:]) {
		t.Errorf("got %x, %v, want %x", got, err, sum)
	}
	for _, bad := range [][]byte{nil, whole[1:], append(bytes.Clone(whole[:len(whole)-1]), 'x')} {
		if _, err := card.ParseTrailer(bad); !errors.Is(err, card.ErrNoUpdate) {
			t.Errorf("%q: got %v, want ErrNoUpdate", bad, err)
		}
	}
}
