package jpegtile

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"image"
	"math/bits"
	"os"
	"testing"

	"dashboard/internal/testing/testpic"
)

var writeTables = flag.Bool("tables", false, "compute hufftables.go again")

// The Huffman tables are made for a mixture of symbol frequencies from three sources. annexShare is the share of the standard's example
// tables (T.81, K.3), which represent photographs. dashboardShare is the share of the counted dashboards. The rest comes from the
// generated photograph.
const (
	annexShare     = 0.25
	dashboardShare = 0.6
)

// frequencies holds the share of each symbol in four tables: luma DC, luma AC, chroma DC and chroma AC.
type frequencies [4][256]float64

// count adds the symbols of an encoded picture.
func (f *frequencies) count(t testing.TB, pic *image.RGBA, o Options) {
	e := encoder(t, pic, o)
	for i := range e.Layout.tiles {
		var prev [3]int32
		for k := range e.mcusIn(i) {
			at := i*e.interval + k
			p := e.c.source(pic, at%e.cols*e.mcu, at/e.cols*e.mcu)
			blocks := []int{0, 0, 0, 0, 1, 2}
			if o.Chroma == Chroma444 {
				blocks = []int{0, 1, 2}
				portable{}.mcu444(p, e.c.lumaQ, e.c.chromaQ, &e.c.m)
			} else {
				portable{}.mcu420(p, e.c.lumaQ, e.c.chromaQ, &e.c.m)
			}
			for b, comp := range blocks {
				f.block(min(comp, 1), &e.c.m.blocks[b], e.c.m.masks[b], &prev[comp])
			}
		}
	}
}

func (f *frequencies) block(table int, b *block, mask uint64, prev *int32) {
	size, _ := valueBits(int32(b[0]) - *prev)
	*prev = int32(b[0])
	f[2*table][size]++
	ac, last := &f[2*table+1], 0
	for m := inCodingOrder(mask) &^ 1; m != 0; m &= m - 1 {
		k := bits.TrailingZeros64(m)
		run := k - last - 1
		last = k
		for ; run > 15; run -= 16 {
			ac[sixteenZero]++
		}
		size, _ := valueBits(int32(b[spotOf[k]]))
		ac[run<<4|int(size)]++
	}
	if last != 63 {
		ac[endOfBlock]++
	}
}

// add adds the distribution g, multiplied by `share`.
func (f *frequencies) add(g *frequencies, share float64) {
	for i := range f {
		var sum float64
		for _, v := range g[i] {
			sum += v
		}
		for s, v := range g[i] {
			f[i][s] += share * v / sum
		}
	}
}

// training returns the frequencies for which the tables are made.
func training(t testing.TB) *frequencies {
	var dash, photo, all frequencies
	for _, q := range []int{60, 75, 85, 85, 92} {
		for _, chroma := range []Chroma{Chroma420, Chroma444} {
			o := Options{q, chroma}
			dash.count(t, testpic.Dashboard(1366, 768), o)
			dash.count(t, testpic.Dashboard(800, 480), o)
			photo.count(t, testpic.Photo(800, 600), o)
		}
	}
	all.add(&dash, dashboardShare)
	all.add(&photo, 1-dashboardShare-annexShare)
	annex := annexFrequencies()
	all.add(&annex, annexShare)
	return &all
}

// annexFrequencies is the distribution for which the standard's tables are ideal.
func annexFrequencies() (f frequencies) {
	for i, s := range []*huffmanSpec{&annexDCLuma, &annexACLuma, &annexDCChroma, &annexACChroma} {
		for symbol, c := range s.codes() {
			if c != 0 {
				f[i][symbol] = 1 / float64(uint(1)<<c.length())
			}
		}
	}
	return f
}

// build makes a table with Huffman's algorithm. No code is longer than 16 bits, and no code consists only of ones (T.81, K.2).
func build(freq *[256]float64, class, id byte) huffmanSpec {
	const reserved = 256 // additional symbol, whose code may consist only of ones
	type node struct {
		weight float64
		leaves []int
	}
	nodes := []node{{0, []int{reserved}}}
	for s, w := range freq {
		if w > 0 {
			nodes = append(nodes, node{w, []int{s}})
		}
	}
	var length [257]int
	for len(nodes) > 1 {
		var two [2]node
		for k := range two {
			at := 0
			for i, n := range nodes {
				if n.weight < nodes[at].weight {
					at = i
				}
			}
			two[k] = nodes[at]
			nodes = append(nodes[:at], nodes[at+1:]...)
		}
		both := node{two[0].weight + two[1].weight, append(append([]int(nil), two[0].leaves...), two[1].leaves...)}
		for _, s := range both.leaves {
			length[s]++
		}
		nodes = append(nodes, both)
	}
	return limited(freq, &length, class, id)
}

// limited() limits the code lengths to 16 bits. It returns the table with the most frequent symbols first.
func limited(freq *[256]float64, length *[257]int, class, id byte) huffmanSpec {
	var counts [64]int
	for _, n := range length {
		counts[n]++
	}
	counts[0] = 0
	for i := len(counts) - 1; i > 16; i-- {
		for counts[i] > 0 {
			j := i - 2
			for counts[j] == 0 {
				j--
			}
			counts[i] -= 2
			counts[i-1]++
			counts[j+1] += 2
			counts[j]--
		}
	}
	longest := 16
	for counts[longest] == 0 {
		longest--
	}
	counts[longest]-- // the reserved code
	spec := huffmanSpec{class: class, id: id}
	for i := range spec.counts {
		spec.counts[i] = byte(counts[i+1])
	}
	var done [256]bool
	for {
		best := -1
		for s, w := range freq {
			if w > 0 && !done[s] && (best < 0 || w > freq[best]) {
				best = s
			}
		}
		if best < 0 {
			return spec
		}
		done[best] = true
		spec.symbols = append(spec.symbols, byte(best))
	}
}

// TestTables: the tables contain all symbols, use no code of only ones, and are at most 1 % worse than the best tables. With the flag
// -tables, the test writes new tables instead.
func TestTables(t *testing.T) {
	f := training(t)
	if *writeTables {
		write(t, f)
		return
	}
	for i, s := range []*huffmanSpec{&dcLuma, &acLuma, &dcChroma, &acChroma} {
		var have, ideal, kraft float64
		built := build(&f[i], s.class, s.id)
		codes, best := s.codes(), built.codes()
		symbols := 0
		for symbol, c := range codes {
			if c == 0 {
				continue
			}
			symbols++
			kraft += 1 / float64(uint(1)<<c.length())
			have += f[i][symbol] * float64(c.length())
			ideal += f[i][symbol] * float64(best[symbol].length())
		}
		if want := []int{12, 162}[s.class]; symbols != want {
			t.Errorf("table %d: got %d symbols, want %d", i, symbols, want)
		}
		if kraft >= 1 {
			t.Errorf("table %d: a code of only ones is in use", i)
		}
		if have > 1.01*ideal {
			t.Errorf("table %d: got %.3f bits a symbol, want %.3f: run the test with -tables", i, have, ideal)
		}
	}
}

func write(t *testing.T, f *frequencies) {
	var b bytes.Buffer
	b.WriteString("package jpegtile\n\n// Code generated by go test -run TestTables -tables; DO NOT EDIT.\n\n")
	b.WriteString("// Huffman tables that are optimized for dashboards. Most blocks are flat, so the codes of \"same DC\" and \"end of block\" are short.\n" +
		"var (\n")
	names := []string{"dcLuma", "acLuma", "dcChroma", "acChroma"}
	for i, name := range names {
		s := build(&f[i], byte(i&1), byte(i>>1))
		fmt.Fprintf(&b, "%s = huffmanSpec{%d, %d,\n%#v,\n[]byte{", name, s.class, s.id, s.counts)
		for k, v := range s.symbols {
			if k%16 == 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "0x%02x, ", v)
		}
		b.WriteString("\n}}\n")
	}
	b.WriteString(")\n")
	src, err := format.Source(bytes.ReplaceAll(b.Bytes(), []byte("[16]uint8"), []byte("[16]byte")))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("hufftables.go", src, 0o644); err != nil {
		t.Fatal(err)
	}
}
