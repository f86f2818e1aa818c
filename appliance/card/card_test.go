package card_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"testing"

	"dashboard/appliance/card"
	"dashboard/appliance/state"
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

func TestOurs(t *testing.T) {
	sector := make([]byte, card.SectorSize)
	if card.Ours(sector) || card.Ours(nil) {
		t.Error("got ours, want a stranger's")
	}
	binary.LittleEndian.PutUint32(sector[card.AtSignature:], card.Signature)
	if card.Ours(sector) {
		t.Error("a sector without its end: got ours, want a stranger's")
	}
	sector[510], sector[511] = 0x55, 0xaa
	if !card.Ours(sector) {
		t.Error("got a stranger's, want ours")
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

// The data partition follows all other partitions and has a maximum size. If the room is too small, the card has no data partition.
func TestDataPartition(t *testing.T) {
	for _, tt := range []struct {
		room, want int64
		ok         bool
	}{{-1, 0, false}, {15 << 20, 12 << 20, false}, {119<<20 + 5, 116 << 20, true}, {1 << 40, 256 << 20, true}} {
		p, ok := card.DataPartition(card.CardSize() + tt.room)
		if ok != tt.ok || ok && (p.Size != tt.want || p.Start != card.CardSize()) {
			t.Errorf("%d bytes of room: got %+v, %v, want %d bytes, %v", tt.room, p, ok, tt.want, tt.ok)
		}
	}
}

// The end of a kernel part contains the length of the archive. A length out of bounds is refused.
func TestKernelPart(t *testing.T) {
	part := card.KernelPart([]byte("archive"))
	if size, ok := card.ParseKernelEnd(part[len(part)-card.KernelEnd:]); !ok || size != 7 {
		t.Errorf("got %d, %v, want 7", size, ok)
	}
	for _, n := range []uint64{0, card.MaxKernel + 1, 1 << 63} {
		end := append(binary.LittleEndian.AppendUint64(nil, n), part[len(part)-16:]...)
		if size, ok := card.ParseKernelEnd(end); ok {
			t.Errorf("%d bytes: got %d, want none", n, size)
		}
	}
	if _, ok := card.ParseKernelEnd(make([]byte, card.KernelEnd)); ok {
		t.Error("zeros: got a kernel")
	}
}
