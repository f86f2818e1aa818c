package fat

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The type memory is a partition in memory that loses its power after a number of writes.
type memory struct {
	data []byte
	left int
}

var errCut = errors.New("cut")

func (m *memory) ReadAt(p []byte, at int64) (int, error) {
	return bytes.NewReader(m.data).ReadAt(p, at)
}

func (m *memory) WriteAt(p []byte, at int64) (int, error) {
	if m.left--; m.left < 0 {
		return 0, errCut
	}
	return copy(m.data[at:], p), nil
}

const plenty = 1 << 30

// Sizes of a card. Tests read only the beginning of the card (cardBytes), which contains the tables, the folders and all files.
const (
	cardKiB   = 35000
	cardBytes = 6 << 20
)

// A card is a file system that mtools makes.
type card struct {
	t    *testing.T
	path string
}

// newCard returns a card with the running kernel in the folder a, another kernel in the folder b, and a person's files. A cluster has one
// sector, so that the card is small.
func newCard(t *testing.T) card {
	t.Helper()
	for _, program := range []string{"mkfs.vfat", "fsck.vfat", "mcopy"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("needs dosfstools and mtools")
		}
	}
	c := card{t, filepath.Join(t.TempDir(), "boot.vfat")}
	c.run("mkfs.vfat", "-C", "-F", "32", "-s", "1", "-n", "DASHBOARD", c.path, strconv.Itoa(cardKiB))
	c.run("mmd", "-i", c.path, "::a", "::b", "::dashboard", "::dashboard/pictures of a holiday")
	c.put("", map[string]int{"config.txt": 300})
	c.put("dashboard", map[string]int{"conf.yaml": 700})
	c.put("dashboard/pictures of a holiday", map[string]int{"the first one.jpg": 90_000})
	c.kernel("a", 1)
	c.kernel("b", 2)
	return c
}

func (c card) run(name string, args ...string) string {
	c.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "MTOOLS_SKIP_CHECK=1", "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	if err != nil && name != "fsck.vfat" {
		c.t.Fatalf("%s: %v: %s", name, err, out)
	}
	return string(out)
}

// put writes files into a folder. `files` maps a name to the size in bytes.
func (c card) put(folder string, files map[string]int) {
	c.t.Helper()
	args, dir := []string{"-i", c.path}, c.t.TempDir()
	for name, size := range files {
		from := filepath.Join(dir, name)
		if err := os.WriteFile(from, bytes.Repeat([]byte(name), size)[:size], 0o644); err != nil {
			c.t.Fatal(err)
		}
		args = append(args, from)
	}
	c.run("mcopy", append(args, "::"+folder)...)
}

// kernel writes a kernel's folder. n identifies the kernel.
func (c card) kernel(folder string, n int) {
	c.t.Helper()
	files := map[string]int{"vmlinuz": 200_000 + n, "initrd.img": 300_000 + n}
	for i := range 20 {
		files[fmt.Sprintf("bcm2711-rpi-4-b-%d.dtb", i)] = 5000 + n
	}
	c.put(folder, files)
}

func (c card) image() []byte {
	c.t.Helper()
	file, err := os.Open(c.path)
	if err != nil {
		c.t.Fatal(err)
	}
	defer file.Close()
	data := make([]byte, cardBytes)
	if _, err := io.ReadFull(file, data); err != nil {
		c.t.Fatal(err)
	}
	return data
}

// write writes a file with a whole card. `data` is the beginning of the card. The rest consists of zeros.
func (c card) write(path string, data []byte) {
	c.t.Helper()
	if err := errors.Join(os.WriteFile(path, data, 0o644), os.Truncate(path, cardKiB<<10)); err != nil {
		c.t.Fatal(err)
	}
}

// judge returns fsck.vfat's output for a partition, without the lines that every power cut causes.
func (c card) judge(data []byte) string {
	c.t.Helper()
	path, data := filepath.Join(c.t.TempDir(), "judged"), bytes.Clone(data)
	data[atState] &^= dirty // clear the dirty bit, because the backup copy of this sector has no dirty bit
	c.write(path, data)
	var said []string
	harmless := []string{"fsck.fat", "FATs differ", "Using first FAT", "Leaving "}
	for line := range strings.Lines(c.run("fsck.vfat", "-n", path)) {
		known := strings.HasPrefix(line, path)
		for _, h := range harmless {
			known = known || strings.Contains(line, h)
		}
		if line = strings.TrimSpace(line); !known && line != "" {
			said = append(said, line)
		}
	}
	return strings.Join(said, "; ")
}

// parts() returns the sectors that differ between two states of a partition, separately for folders and tables.
func parts(from, to []byte) (folders, tables []int) {
	v, _ := open(nil, from)
	for s := 0; s < len(from); s += sectorSize {
		switch {
		case bytes.Equal(from[s:s+sectorSize], to[s:s+sectorSize]), int64(s) == v.infoAt:
		case int64(s) < v.dataAt:
			tables = append(tables, s)
		default:
			folders = append(folders, s)
		}
	}
	return folders, tables
}

// cut returns a state between two states of a partition. All sectors in `first` have the new content. Some sectors in `second`, chosen at
// random, have the new content too.
func cut(from, to []byte, first, second []int, r *rand.Rand) []byte {
	now := bytes.Clone(from)
	now[atState] |= dirty
	for _, s := range second {
		if r.IntN(2) == 0 {
			copy(now[s:s+sectorSize], to[s:s+sectorSize])
		}
	}
	for _, s := range first {
		copy(now[s:s+sectorSize], to[s:s+sectorSize])
	}
	return now
}

// count returns the number of free clusters in the first table.
func count(t *testing.T, data []byte) (n int) {
	t.Helper()
	v, err := open(&memory{data: data}, data)
	if err == nil {
		err = v.readTable()
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range v.table[firstOne:] {
		if e == 0 {
			n++
		}
	}
	return n
}

// The test cuts the power while a kernel is removed: its names and some of its clusters are free. It also cuts the power while another
// kernel is written: some clusters are used but have no name. After each cut, Reclaim frees all lost clusters and changes nothing else.
func TestCuts(t *testing.T) {
	c := newCard(t)
	full := c.image()
	c.run("mdel", "-i", c.path, "::b/*")
	empty := c.image()
	names, tables := parts(full, empty)
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 6
	if testing.Short() {
		rounds = 2
	}
	free, data := count(t, empty), &memory{}
	for n := range rounds {
		for what, now := range map[string][]byte{
			"removed": cut(full, empty, names, tables, r), "written": cut(empty, full, nil, tables, r),
		} {
			before := count(t, now)
			data = &memory{bytes.Clone(now), plenty}
			freed, err := Reclaim(data)
			if after := count(t, data.data); err != nil || freed != free-before || after != free || freed == 0 {
				t.Errorf("%s, %d: got %d freed of %d, %d free, %v, want %d", what, n, freed, free-before, after, err, free)
			}
			if v, _ := open(nil, now); !bytes.Equal(now[v.dataAt:], data.data[v.dataAt:]) {
				t.Errorf("%s, %d: what is in files or folders has changed", what, n)
			}
			if said := c.judge(data.data); said != "" {
				t.Errorf("%s, %d: %s", what, n, said)
			}
			if again, err := Reclaim(data); again != 0 || err != nil {
				t.Errorf("%s, %d: again: got %d, %v, want nothing", what, n, again, err)
			}
		}
	}
	if said := c.judge(cut(full, empty, names, tables, r)); !strings.Contains(said, "Reclaimed ") {
		t.Errorf("a partition that was not mended: got %q, want that clusters are nobody's", said)
	}
}

// The power fails at each write of the repair. The file system stays sound, and the next start frees the remaining lost clusters.
func TestCutWhileMended(t *testing.T) {
	c := newCard(t)
	full := c.image()
	c.run("mdel", "-i", c.path, "::b/*")
	empty := c.image()
	names, _ := parts(full, empty)
	lost := cut(full, empty, names, nil, rand.New(rand.NewPCG(1, 2)))
	for writes := 0; ; writes++ {
		m := &memory{bytes.Clone(lost), writes}
		_, err := Reclaim(m)
		if err == nil {
			if said := c.judge(m.data); writes < 10 || said != "" {
				t.Errorf("after %d writes: %s", writes, said)
			}
			return
		}
		if !errors.Is(err, errCut) {
			t.Fatal(err)
		}
		m.left = plenty
		if _, err := Reclaim(m); err != nil || count(t, m.data) != count(t, empty) {
			t.Fatalf("after a cut at write %d: %v, %d free, want %d", writes, err, count(t, m.data), count(t, empty))
		}
	}
}

// Without Reclaim, the number of free clusters decreases after power cuts, until there is no room for a kernel. With Reclaim, this number
// stays the same.
func TestCutsDoNotAddUp(t *testing.T) {
	for _, mended := range []bool{false, true} {
		c := newCard(t)
		fresh, least := count(t, c.image()), 0
		for range 3 {
			full := c.image()
			c.run("mdel", "-i", c.path, "::b/*")
			empty := c.image()
			names, _ := parts(full, empty)
			m := &memory{cut(full, empty, names, nil, rand.New(rand.NewPCG(1, 2))), plenty}
			if mended {
				if _, err := Reclaim(m); err != nil {
					t.Fatal(err)
				}
			}
			c.write(c.path, m.data)
			c.kernel("b", 2)
			least = count(t, c.image())
		}
		if (least == fresh) != mended {
			t.Errorf("mended %v: got %d free after three cuts, %d before", mended, least, fresh)
		}
	}
}

// Reclaim does not change a single byte of an unknown or unsound file system, or of a file system whose dirty bit is not set.
func TestLeftAlone(t *testing.T) {
	c := newCard(t)
	full := c.image()
	v, err := open(nil, full)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(v.with(full).readTable(), v.folder(v.root, 0)); err != nil {
		t.Fatal(err)
	}
	used := func(n int) (c uint32) { // `used` returns the n-th used cluster
		for i, owned := range v.owned {
			if owned {
				if n--; n < 0 {
					return uint32(i)
				}
			}
		}
		return 0
	}
	table := func(m []byte, c uint32, value byte) { copy(m[v.tableAt+4*int64(c):], []byte{value, 0, 0, 0}) }
	for name, spoil := range map[string]func(m []byte){
		"not dirty":                      func(m []byte) { m[atState] = 0 },
		"no signature":                   func(m []byte) { m[511] = 0 },
		"FAT16":                          func(m []byte) { m[atTableSectors+1], m[atTableSectors] = 0, 0 },
		"one table that is not mirrored": func(m []byte) { m[atFlags] = 0x80 },
		"clusters of three sectors":      func(m []byte) { m[atPerCluster] = 3 },
		"more clusters than the table":   func(m []byte) { m[atSectors+2] = 0xff },
		"the root ends in nowhere":       func(m []byte) { table(m, v.root, 0) },
		"a chain leads to a free one":    func(m []byte) { table(m, used(40), 0) },
		"a chain leads to another":       func(m []byte) { table(m, used(40), byte(used(3))) },
		"a chain leads out of the disk":  func(m []byte) { copy(m[v.tableAt+4*int64(used(40)):], "\xf0\xff\xff\x0e") },
		"a name behind the last one":     func(m []byte) { m[v.dataAt+int64(v.root-firstOne)*v.cluster+32] = 0 },
	} {
		lost := bytes.Clone(full)
		lost[atState] |= dirty
		table(lost, uint32(len(v.table)-5), 0xff) // lost clusters in an unsound file system
		spoil(lost)
		m := &memory{bytes.Clone(lost), plenty}
		freed, err := Reclaim(m)
		if !bytes.Equal(m.data, lost) || freed != 0 || (err == nil) != (name == "not dirty") {
			t.Errorf("%s: got %d freed, %v, changed %v", name, freed, err, !bytes.Equal(m.data, lost))
		}
		if err != nil && !errors.Is(err, ErrUnsound) {
			t.Errorf("%s: got %v, want %v", name, err, ErrUnsound)
		}
	}
	if _, err := Reclaim(&memory{data: make([]byte, 100)}); !errors.Is(err, io.EOF) {
		t.Errorf("no partition: got %v", err)
	}
}

// with() makes v read `data`, and returns v.
func (v *volume) with(data []byte) *volume { v.device = &memory{data: data}; return v }

// TestTwins simulates a power cut during a rename: two names have the same chain. Reclaim removes the name with the ending .new. It keeps
// both names if no name has this ending.
func TestTwins(t *testing.T) {
	c := newCard(t)
	c.put("dashboard", map[string]int{"conf.yaml.new": 1200})
	whole := c.image()
	old, fresh := bytes.Index(whole, []byte("CONF~1  YAM")), bytes.Index(whole, []byte("CONFYA~1NEW"))
	if old < 0 || fresh < 0 {
		t.Fatal("the short names are others")
	}
	twin := bytes.Clone(whole)
	copy(twin[old+atHigh:old+entrySize], whole[fresh+atHigh:fresh+entrySize])
	twin[atState] |= dirty
	if said := c.judge(twin); !strings.Contains(said, "share clusters") {
		t.Fatalf("got %q, want two names for the same clusters", said)
	}
	for writes := 0; ; writes++ {
		m := &memory{bytes.Clone(twin), writes}
		_, err := Reclaim(m)
		if err != nil && !errors.Is(err, errCut) {
			t.Fatal(err)
		}
		m.left = plenty
		if _, err := Reclaim(m); err != nil {
			t.Fatal(err)
		}
		if said := c.judge(m.data); said != "" {
			t.Errorf("after a cut at write %d: %s", writes, said)
		}
		c.write(c.path, m.data)
		if got := c.run("mtype", "-i", c.path, "::dashboard/conf.yaml"); got != strings.Repeat("conf.yaml.new", 1200)[:1200] {
			t.Errorf("after a cut at write %d: got %q", writes, got)
		}
		if got := c.run("mdir", "-b", "-i", c.path, "::dashboard"); strings.Contains(got, "new") {
			t.Errorf("after a cut at write %d: got the names %q", writes, got)
		}
		if err == nil {
			break
		}
	}
	copy(twin[fresh:], "CONFYA~1OLD")
	if m := (&memory{bytes.Clone(twin), plenty}); !errors.Is(func() error { _, err := Reclaim(m); return err }(), ErrUnsound) || !bytes.Equal(m.data, twin) {
		t.Error("two files with other endings were changed")
	}
}
