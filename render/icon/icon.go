// Package icon contains the Material Design Icons: a table of their names, and a font with their outlines.
//
// Home Assistant uses these icons for its entities. The package has the 7,447 icons of version 7.4.47, under the Apache License 2.0
// (LICENSE). The program tools/fonts generates the table and the font.
package icon

import (
	"bytes"
	"compress/gzip"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"dashboard/internal/packed"
	"dashboard/internal/spelling"
	"dashboard/internal/stable"
)

// Prefix is the prefix of icon names in configuration files, as in Home Assistant. The functions of this package accept names with and
// without the prefix.
const Prefix = "mdi:"

var (
	table = sync.OnceValue(unpack)
	font  = sync.OnceValue(func() *packed.File {
		f, err := packed.New(outlines)
		if err != nil {
			panic("icon: the built-in icons are broken: " + err.Error())
		}
		return f
	})
)

// TTF returns the font file with the outlines. It is compressed, and only 16 kB of it are in memory at a time.
func TTF() *packed.File { return font() }

// names maps the names of icons to characters. An icon can have further names, its aliases.
type names struct {
	text    string // sorted lines, each with a name, its code in hexadecimal and its aliases
	runes   map[string]rune
	aliases map[string]rune
	sorted  []string
}

// unpack reads the table of names, which takes about a megabyte of memory. It runs at the first request for an icon.
func unpack() *names {
	z, err := gzip.NewReader(bytes.NewReader(packedNames))
	if err != nil {
		panic("icon: the built-in names are broken: " + err.Error())
	}
	b, err := io.ReadAll(z)
	if err != nil {
		panic("icon: the built-in names are broken: " + err.Error())
	}
	n := &names{text: string(b), runes: make(map[string]rune), aliases: make(map[string]rune)}
	for line := range strings.Lines(n.text) {
		n.add(strings.Fields(line))
	}
	return n
}

func (n *names) add(words []string) {
	code, err := strconv.ParseUint(words[1], 16, 32)
	if err != nil {
		panic("icon: the built-in names are broken: " + err.Error())
	}
	n.runes[words[0]] = rune(code)
	n.sorted = append(n.sorted, words[0])
	for _, a := range words[2:] {
		if _, taken := n.aliases[a]; !taken {
			n.aliases[a] = rune(code)
		}
	}
}

// Lookup returns the icon's character in the font. `name` may be "mdi:sofa", "sofa" or an alias.
func Lookup(name string) (rune, bool) {
	name = strings.TrimPrefix(name, Prefix)
	if r, ok := table().runes[name]; ok {
		return r, true
	}
	r, ok := table().aliases[name]
	return r, ok
}

// Names returns the names of all icons, sorted, without aliases. Callers must not change the slice.
func Names() []string { return table().sorted }

// Find returns up to n names of icons. The argument `word` may be several words joined by hyphens, and the last word may be incomplete.
// Names that begin with `word` come first, then other names that contain it, and then names with an alias that contains it. Shorter names
// come before longer names.
func Find(word string, n int) []string {
	word = strings.ToLower(strings.TrimPrefix(word, Prefix))
	var out []string
	for line := range strings.Lines(table().text) {
		f := strings.Fields(line)
		if has(f[0], word) || slices.ContainsFunc(f[2:], func(a string) bool { return has(a, word) }) {
			out = append(out, f[0])
		}
	}
	stable.Sort(out, func(a, b string) int { return distance(a, word) - distance(b, word) })
	return out[:min(n, len(out))]
}

// has() reports whether a name contains the given words in this order. The argument `words` consists of words joined by hyphens, and the
// last word may be incomplete.
func has(name, words string) bool {
	return words != "" && (strings.HasPrefix(name, words) || strings.Contains(name, "-"+words))
}

// distance returns a number for sorting the results of Find. A better match has a smaller number.
func distance(name, word string) int {
	d := len(name)
	if !has(name, word) {
		d += 1000 // only an alias contains the word
	}
	if !strings.HasPrefix(name, word) {
		d += 100
	}
	return d
}

// Near returns up to n suggestions for an unknown name. The icon name with the most similar spelling comes first, if there is one. Then
// come the names that contain all words of the unknown name. After these come the names that contain all words except the last word, and
// so on.
func Near(name string, n int) []string {
	name = strings.ToLower(strings.TrimPrefix(name, Prefix))
	var out []string
	add := func(names ...string) {
		for _, s := range names {
			if len(out) < n && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
	}
	if s := spelling.Nearest(name, Names()); s != "" {
		add(s)
	}
	for words := strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' || r == ' ' }); len(words) > 0; words = words[:len(words)-1] {
		add(Find(strings.Join(words, "-"), n)...)
	}
	return out
}
