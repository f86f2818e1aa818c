package manifest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"aead.dev/minisign"

	"dashboard/appliance/card"
)

// keyPair returns a key pair for tests.
func keyPair(t testing.TB, seed byte) (minisign.PublicKey, minisign.PrivateKey) {
	t.Helper()
	public, private, err := minisign.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{seed, 7, seed}, 1000)))
	if err != nil {
		t.Fatal(err)
	}
	return public, private
}

func sumOf(s string) Sum { return sha256.Sum256([]byte(s)) }

// release returns a valid manifest. If the function `change` is not nil, it modifies the manifest first.
func release(change func(m *Manifest)) Manifest {
	m := Manifest{
		Sequence: 12, Version: "1.4.0", Board: "arm64", Channel: Stable, Least: 5, Made: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC), Percent: 100,
		Slot: Slot{Size: 90 << 20, Sum: sumOf("root")},
		Files: []File{
			{Name: "dashboard.update", Size: 100 << 20, Sum: sumOf("update")},
			{Name: "from-11.delta", Size: 2 << 20, Sum: sumOf("delta"), From: sumOf("eleven")},
		},
	}
	if change != nil {
		change(&m)
	}
	return m
}

func signed(t testing.TB, m Manifest, key minisign.PrivateKey) []byte {
	t.Helper()
	data, err := Sign(m, key)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestRead(t *testing.T) {
	public, private := keyPair(t, 1)
	nextPublic, nextPrivate := keyPair(t, 2)
	_, foreign := keyPair(t, 3)
	keys := Keys{Current: public, Next: &nextPublic}
	good := signed(t, release(nil), private)
	if m, by, err := Read(good, keys); err != nil || by != ByCurrent || m.Version != "1.4.0" || m.Files[1].From != sumOf("eleven") || !m.Files[0].From.IsZero() {
		t.Fatalf("got %+v, %v, %v", m, by, err)
	}
	if _, by, err := Read(signed(t, release(nil), nextPrivate), keys); err != nil || by != ByNext {
		t.Errorf("by the next key: got %v, %v", by, err)
	}
	if _, _, err := Read(signed(t, release(nil), nextPrivate), Keys{Current: public}); !errors.Is(err, ErrSigned) {
		t.Errorf("by a key that is not trusted yet: got %v", err)
	}
	if _, _, err := Read(signed(t, release(nil), foreign), keys); !errors.Is(err, ErrSigned) {
		t.Errorf("by a foreign key: got %v", err)
	}
	for n := range len(good) {
		if n%97 == 0 {
			if _, _, err := Read(good[:n], keys); err == nil {
				t.Errorf("%d of %d bytes passed", n, len(good))
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		bad := bytes.Clone(good)
		at := r.IntN(len(bad))
		bad[at] ^= 1 << r.IntN(8)
		m, _, err := Read(bad, keys)
		was, _, _ := Read(good, keys)
		a, _ := json.Marshal(m)
		b, _ := json.Marshal(was)
		if err == nil && !bytes.Equal(a, b) { // ignore changes of the untrusted comment, which minisign's signature does not cover
			t.Fatalf("byte %d changed: %s passed", at, a)
		}
	}
	if _, _, err := Read(make([]byte, MaxSize+1), keys); !errors.Is(err, ErrSize) {
		t.Errorf("a huge one: got %v", err)
	}
}

// TestForm checks that invalid manifests are refused even with a valid signature, because the owner may have signed them by mistake.
func TestForm(t *testing.T) {
	_, private := keyPair(t, 1)
	for name, change := range map[string]func(m *Manifest){
		"no sequence":         func(m *Manifest) { m.Sequence = 0 },
		"least above it":      func(m *Manifest) { m.Least = 13 },
		"no version":          func(m *Manifest) { m.Version = "" },
		"another channel":     func(m *Manifest) { m.Channel = "nightly" },
		"off":                 func(m *Manifest) { m.Channel = Off },
		"101 %":               func(m *Manifest) { m.Percent = 101 },
		"larger than a slot":  func(m *Manifest) { m.Slot.Size = card.Layout()[card.SlotA].Size + 1 },
		"no sum":              func(m *Manifest) { m.Slot.Sum = Sum{} },
		"no files":            func(m *Manifest) { m.Files = nil },
		"many files":          func(m *Manifest) { m.Files = make([]File, maxFiles+1) },
		"a file of no bytes":  func(m *Manifest) { m.Files[0].Size = 0 },
		"a path":              func(m *Manifest) { m.Files[0].Name = "../../etc/passwd" },
		"another host":        func(m *Manifest) { m.Files[0].Name = "http://h" },
		"a query":             func(m *Manifest) { m.Files[0].Name = "a?b" },
		"a key that is none":  func(m *Manifest) { m.NextKey = "RWQ" },
		"a very long version": func(m *Manifest) { m.Version = strings.Repeat("1", 101) },
	} {
		if _, err := Sign(release(change), private); !errors.Is(err, ErrForm) {
			t.Errorf("%s: got %v, want ErrForm", name, err)
		}
	}
}

// TestJudge checks that replays, releases for other boards and releases that are not due yet are refused.
func TestJudge(t *testing.T) {
	board := func(change func(b *Board)) Board {
		b := Board{Arch: "arm64", Machine: "a", Channel: Stable, Sequence: 11, Highest: 11}
		if change != nil {
			change(&b)
		}
		return b
	}
	for name, tt := range map[string]struct {
		m    func(m *Manifest)
		b    func(b *Board)
		want error
	}{
		"good":                    {nil, nil, nil},
		"the running one":         {nil, func(b *Board) { b.Sequence, b.Highest = 12, 12 }, ErrNothing},
		"a replay":                {nil, func(b *Board) { b.Sequence, b.Highest = 13, 13 }, ErrOlder},
		"a replay after a return": {nil, func(b *Board) { b.Highest = 13 }, ErrOlder},
		"another board":           {func(m *Manifest) { m.Board = "amd64" }, nil, ErrBoard},
		"too old":                 {nil, func(b *Board) { b.Sequence, b.Highest = 4, 4 }, ErrFrom},
		"made by hand":            {func(m *Manifest) { m.Least = 0 }, func(b *Board) { b.Sequence, b.Highest = 0, 0 }, nil},
		"beta on stable":          {func(m *Manifest) { m.Channel = Beta }, nil, ErrChannel},
		"stable on beta":          {nil, func(b *Board) { b.Channel = Beta }, nil},
		"off":                     {nil, func(b *Board) { b.Channel = Off }, ErrOff},
		"given up before":         {nil, func(b *Board) { b.Failed = 12 }, ErrFailed},
		"to nobody yet":           {func(m *Manifest) { m.Percent = 0 }, nil, ErrWaits},
	} {
		m := release(tt.m)
		if err := m.Judge(board(tt.b)); !errors.Is(err, tt.want) {
			t.Errorf("%s: got %v, want %v", name, err, tt.want)
		}
	}
}

// TestRollOut checks that about the given percentage of boards accepts a release. If a release is checked again, the same boards accept
// it. For the next release, other boards are chosen.
func TestRollOut(t *testing.T) {
	const boards = 2000
	for _, percent := range []int{1, 10, 50, 99} {
		m := release(func(m *Manifest) { m.Percent = percent })
		took, both := 0, 0
		for i := range boards {
			b := Board{Arch: "arm64", Machine: fmt.Sprint("machine ", i), Channel: Stable, Sequence: 11, Highest: 11}
			now := m.Judge(b) == nil
			if now != (m.Judge(b) == nil) {
				t.Fatal("a second look differs")
			}
			later := m
			later.Sequence = 13
			if now {
				took++
				if later.Judge(b) == nil {
					both++
				}
			}
		}
		if share := took * 100 / boards; share < percent-4 || share > percent+4 {
			t.Errorf("%d %%: %d of %d boards", percent, took, boards)
		}
		if percent == 50 && (both < took/3 || both > took*2/3) {
			t.Errorf("%d of %d boards are first in the next release, too", both, took)
		}
	}
}

// TestFreeze checks that an old manifest is reported, unless the time is not known.
func TestFreeze(t *testing.T) {
	m := release(nil)
	for days, want := range map[int]bool{0: false, 29: false, 31: true, 3000: true, -400: false} {
		b := Board{Now: m.Made.AddDate(0, 0, days), ClockGood: true}
		if got := m.Stale(b); got != want {
			t.Errorf("after %d days: got %v", days, got)
		}
		b.ClockGood = false
		if m.Stale(b) {
			t.Errorf("after %d days by an unknown clock: got stale", days)
		}
	}
}

// TestRotation changes keys while some boards miss some of the steps.
func TestRotation(t *testing.T) {
	first, firstPrivate := keyPair(t, 1)
	second, secondPrivate := keyPair(t, 2)
	third, _ := keyPair(t, 3)
	text := func(k minisign.PublicKey) string {
		b, err := k.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	keys := Keys{Current: first}
	step := func(m Manifest, key minisign.PrivateKey) error {
		m, by, err := Read(signed(t, m, key), keys)
		if err == nil {
			keys = keys.Rotate(&m, by)
		}
		return err
	}
	if err := step(release(nil), secondPrivate); err == nil {
		t.Fatal("a key that nobody named passed")
	}
	if err := step(release(func(m *Manifest) { m.NextKey = text(second) }), firstPrivate); err != nil {
		t.Fatal(err)
	}
	if err := step(release(nil), firstPrivate); err != nil || keys.Next == nil {
		t.Fatalf("half done: the first key still signs: %v", err)
	}
	if err := step(release(func(m *Manifest) { m.NextKey = text(third) }), secondPrivate); err != nil {
		t.Fatal(err)
	}
	if err := step(release(nil), firstPrivate); !errors.Is(err, ErrSigned) {
		t.Errorf("the retired key: got %v", err)
	}
	if keys.Current.ID() != second.ID() || keys.Next.ID() != third.ID() {
		t.Errorf("got the keys %x and %x", keys.Current.ID(), keys.Next.ID())
	}
}

func TestChoose(t *testing.T) {
	m := release(nil)
	if f, ok := m.Choose(sumOf("eleven")); !ok || f.Name != "from-11.delta" {
		t.Errorf("got %v, want the delta", f)
	}
	if f, ok := m.Choose(sumOf("ten")); !ok || f.Name != "dashboard.update" {
		t.Errorf("got %v, want the whole update", f)
	}
	m.Files = m.Files[1:]
	if f, ok := m.Choose(sumOf("ten")); ok {
		t.Errorf("got %v, want nothing", f)
	}
}

func FuzzRead(f *testing.F) {
	public, private := keyPair(f, 1)
	f.Add(signed(f, release(nil), private))
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _, _ = Read(data, Keys{Current: public})
	})
}
