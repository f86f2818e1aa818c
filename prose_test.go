package dashboard_test

import (
	"cmp"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// hits is the flag that prints each line with one of the constructions in the variable `odd`.
var hits = flag.Bool("hits", false, "print each line with a construction that is hard to read")

// A proseLimit limits odd constructions, semicolons, long sentences and words in a group of texts.
type proseLimit struct {
	name      string
	takes     func(path string) bool
	odd       float64 // odd constructions in 1,000 words
	semicolon float64 // semicolons in 1,000 words
	long      float64 // number of sentences with more than longSentence words, in 100 sentences
	words     int     // number of words of all texts; 0 for any number
}

// longSentence is a number of words. A sentence with more words counts as long.
const longSentence = 26

// proseLimits lists the limits. They may only decrease.
var proseLimits = []proseLimit{
	{name: "documents", takes: isDocument, odd: 1, semicolon: 2.5, long: 3.5, words: 62_000},
	{name: "comments and doc tags", takes: isShippedGo, odd: 1.8, semicolon: 2.4, long: 1.5},
	{name: "comments of tests", takes: isTestGo, odd: 3.2, semicolon: 2, long: 2.5},
}

// odd lists regular expressions for constructions that readers must read twice. A line that matches contains one of the texts in `parts`.
// This saves most of the time, because the expressions are slow. The field `instead` has the usual form.
var odd = []struct{ expression, parts, instead string }{
	{`(that|those) of`, " of", "repeat the noun"},
	{`what (is|are|was|has|have|had|does|did|can|it|they|he|she|others|nobody|somebody|comes|goes|stands|takes|needs|waits|shows|holds)`, "what ", "name the thing"},
	{`who (is|has|asks|knows|comes|goes|wants|holds|calls)`, "who ", "name the role"},
	{`whoever|whatever`, "ever", "name the role or the thing"},
	{`(of|from|in|on|with|that) which`, " which", "make two sentences"},
	{`(tells?|told|says?|said) `, "tell|told|say|said", "data does not speak: log, list, return, report"},
	{`(some|no|any|every)body`, "body", "name the role, or write you"},
	{`(is|are) none`, " none", "write no with the noun"},
	{`(but|save) for`, " for", "except"},
	{`n?either|nor`, "either|nor", "two sentences, or both and not"},
	{`of (its|their|one's) own`, "of ", "its own, or leave it out"},
	{`by (itself|themselves)`, "by ", "automatically, or alone"},
	{`where (there is no|it|they)`, "where ", "if"},
	{`without (one|it|them)`, "without ", "name the thing, or Default:"},
	{`as (it|they) (is|are|was|were)`, "as ", "unchanged"},
	{`for ever|anew|beside|mend(s|ed|ing)?|hence|meanwhile|seldom`, "for ever|anew|beside|mend|hence|meanwhile|seldom", "forever, again, next to, fix, so, until then, rarely"},
}

// TestProse checks the number of odd constructions, semicolons and long sentences in all texts. With the flag -hits it prints each odd
// construction.
func TestProse(t *testing.T) {
	var patterns []*regexp.Regexp
	for _, o := range odd {
		patterns = append(patterns, regexp.MustCompile(`\b(?:`+o.expression+`)(?:\b|$)`))
	}
	for _, limit := range proseLimits {
		var sum prose
		var worst []string
		for _, path := range proseFiles(t, limit.takes) {
			p := proseOf(t, path, patterns)
			sum.add(p)
			worst = append(worst, fmt.Sprintf("%4d %s", p.odd, path))
		}
		t.Logf("%s: %s", limit.name, sum.rates())
		if wrong := limit.exceeded(sum); wrong != "" {
			slices.SortFunc(worst, func(a, b string) int { return cmp.Compare(b, a) })
			t.Errorf("%s: %s; files with the most:\n%s", limit.name, wrong, strings.Join(worst[:min(len(worst), 10)], "\n"))
		}
	}
}

// exceeded describes the limits that the texts exceed.
func (l proseLimit) exceeded(p prose) string {
	var wrong []string
	for _, b := range []struct {
		what      string
		got, most float64
	}{
		{"hard constructions in 1,000 words", p.perThousand(p.odd), l.odd},
		{"semicolons in 1,000 words", p.perThousand(p.semicolons), l.semicolon},
		{"long sentences of 100", p.longShare(), l.long},
	} {
		if b.got > b.most {
			wrong = append(wrong, fmt.Sprintf("%.2f %s, want at most %v", b.got, b.what, b.most))
		}
	}
	if l.words > 0 && p.words > l.words {
		wrong = append(wrong, fmt.Sprintf("%d words, want at most %d", p.words, l.words))
	}
	return strings.Join(wrong, "; ")
}

// prose counts the text of one or more files.
type prose struct{ words, odd, semicolons, sentences, long int }

func (p *prose) add(o prose) {
	p.words += o.words
	p.odd += o.odd
	p.semicolons += o.semicolons
	p.sentences += o.sentences
	p.long += o.long
}

func (p prose) perThousand(n int) float64 { return float64(n) * 1000 / float64(max(p.words, 1)) }

func (p prose) longShare() float64 { return float64(p.long) * 100 / float64(max(p.sentences, 1)) }

func (p prose) rates() string {
	return fmt.Sprintf("%d words, %.2f hard constructions and %.2f semicolons in 1,000 words, %.1f %% long sentences", p.words, p.perThousand(p.odd), p.perThousand(p.semicolons), p.longShare())
}

var (
	proseWord = regexp.MustCompile(`[A-Za-z']+`)
	proseEnd  = regexp.MustCompile(`[.!?]\s+`)
)

// proseOf counts the prose of a file.
func proseOf(t *testing.T, path string, patterns []*regexp.Regexp) (p prose) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	read := documentLines
	if strings.HasSuffix(path, ".go") {
		read = commentLines
	}
	var text strings.Builder
	read(string(data), func(n int, line string) {
		text.WriteString(line + "\n")
		if found := oddIn(line, patterns); len(found) > 0 {
			p.odd += len(found)
			if *hits {
				fmt.Printf("%s:%d: %q: %s\n", path, n, found, strings.TrimSpace(line))
			}
		}
	})
	p.words = len(proseWord.FindAllString(text.String(), -1))
	p.semicolons = strings.Count(text.String(), ";")
	for _, s := range proseEnd.Split(text.String(), -1) {
		n := len(strings.Fields(s))
		if n > 3 {
			p.sentences++
		}
		if n > longSentence {
			p.long++
		}
	}
	return p
}

// oddIn returns the odd constructions in a line, in lower case.
func oddIn(line string, patterns []*regexp.Regexp) (found []string) {
	line = strings.ToLower(line)
	for i, o := range odd {
		for part := range strings.SplitSeq(o.parts, "|") {
			if strings.Contains(line, part) {
				found = append(found, patterns[i].FindAllString(line, -1)...)
				break
			}
		}
	}
	return found
}

// documentLines yields the sentences of a page, without code, headings and short cells of tables.
func documentLines(text string, yield func(n int, line string)) {
	fenced := false
	for i, line := range strings.Split(text, "\n") {
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, "```"):
			fenced = !fenced
		case fenced, strings.HasPrefix(line, "#"), strings.HasPrefix(line, "    "):
		case strings.HasPrefix(trimmed, "|"):
			for cell := range strings.SplitSeq(strings.Trim(bare(trimmed), "|"), "|") {
				if len(strings.Fields(cell)) > 4 {
					yield(i+1, strings.TrimSpace(cell)+". ")
				}
			}
		default:
			yield(i+1, bare(line))
		}
	}
}

var (
	docTag   = regexp.MustCompile(`\bdoc:"((?:[^"\\]|\\.)*)"`)
	sameLine = regexp.MustCompile(`\s//\s(.+)$`)
)

// commentLines yields the comments of Go code and the doc tags of its structs.
func commentLines(text string, yield func(n int, line string)) {
	for i, line := range strings.Split(text, "\n") {
		if comment, is := strings.CutPrefix(strings.TrimSpace(line), "//"); is {
			if !strings.HasPrefix(comment, "go:") {
				yield(i+1, bare(comment))
			}
			continue
		}
		if !strings.Contains(line, "//") && !strings.Contains(line, "doc:") {
			continue // the slow expressions match only lines with one of these texts
		}
		if m := sameLine.FindStringSubmatch(line); m != nil {
			yield(i+1, bare(m[1])+". ")
		}
		if m := docTag.FindStringSubmatch(line); m != nil {
			yield(i+1, bare(m[1])+". ")
		}
	}
}

var (
	htmlTag  = regexp.MustCompile(`<[^>]+>`)
	codeSpan = regexp.MustCompile("`[^`]*`")
	pageLink = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
)

// bare returns a line without markup.
func bare(line string) string {
	if !strings.ContainsAny(line, "<`[") {
		return line
	}
	line = codeSpan.ReplaceAllString(htmlTag.ReplaceAllString(line, ""), "x")
	return pageLink.ReplaceAllString(line, "$1")
}

func isDocument(path string) bool {
	return strings.HasSuffix(path, ".md") && (strings.HasPrefix(path, "docs/") || !strings.Contains(path, "/"))
}

func isShippedGo(path string) bool { return strings.HasSuffix(path, ".go") && !isTestGo(path) }

func isTestGo(path string) bool { return strings.HasSuffix(path, "_test.go") }

// proseFiles lists the files of the repository that belong to a group.
func proseFiles(t *testing.T, takes func(path string) bool) (list []string) {
	err := fs.WalkDir(os.DirFS("."), ".", func(path string, d fs.DirEntry, err error) error {
		name := d.Name()
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != "." && (strings.HasPrefix(name, ".") || slices.Contains([]string{"testdata", "vendor", "dist", "bin"}, name)):
			return fs.SkipDir
		case !d.IsDir() && takes(filepath.ToSlash(path)):
			list = append(list, path)
		}
		return nil
	})
	if err != nil || len(list) == 0 {
		t.Fatal(err, "no files")
	}
	return list
}
