// Package spelling finds the word that the author of a misspelled word has meant.
package spelling

import "strings"

// longestWord is the maximum length of compared words, because the time grows with the square of the length. Keys, types and names of
// colors are all shorter.
const longestWord = 48

// Nearest returns the word that is most similar to the misspelled word. If no word is similar enough, it returns "". Case, blanks, "-" and
// "_" are ignored.
func Nearest(misspelt string, words []string) string {
	m := plainWord(misspelt)
	if m == "" || len(m) > longestWord {
		return ""
	}
	// Up to two fifths of the letters may be wrong. In short words, one letter may be wrong, but never all letters.
	best, least := "", min(max(1, len(m)*2/5)+1, len(m))
	for _, word := range words {
		w := plainWord(word)
		if w == "" || len(w) > longestWord || word == misspelt {
			continue
		}
		if d := editDistance(m, w); d < least {
			best, least = word, d
		}
	}
	return best
}

func plainWord(s string) string {
	if len(s) > 4*longestWord {
		return ""
	}
	return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(s))
}

// editDistance returns the number of insertions, deletions, substitutions and swaps of neighbors that change a into b (the optimal string
// alignment distance).
func editDistance(a, b string) int {
	var rows [3][longestWord + 1]int
	before, last, now := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		now[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			now[j] = min(last[j]+1, now[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], before[j-2]+1)
			}
		}
		before, last, now = last, now, before
	}
	return last[len(b)]
}
