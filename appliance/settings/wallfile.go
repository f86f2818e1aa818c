package settings

import (
	"errors"
	"regexp"
	"strings"

	"dashboard/appliance/about"
)

// A line of YAML may contain a secret behind the name of its key, or behind "://" in an address. The end of the line is then hidden,
// unless the value is a tag such as !secret.
var (
	secretKey    = regexp.MustCompile(`(?i)(?:pass|tok|secr|key|auth)[\w.-]*["']?[ \t]*:[ \t]*`)
	secretInURL  = regexp.MustCompile(`://[^/\s@]+@|[?&][\w.-]+=`)
	keyInLine    = regexp.MustCompile(`^[ -]*["']?[\w.-]+["']?[ \t]*:`)
	wordInLine   = regexp.MustCompile(`^[\w.-]+`)
	errTwoLines  = errors.New("write one line")
	secretEnding = regexp.MustCompile(secretKey.String() + `$`)
)

// hideIn returns a line of YAML in which dots replace the secret at its end. It also returns this secret, or "".
func hideIn(line string) (shown, hidden string) {
	at := len(line)
	for _, m := range secretKey.FindAllStringIndex(line, -1) {
		if rest := line[m[1]:]; rest != "" && rest[0] != '!' {
			at = m[1]
			break
		}
	}
	if m := secretInURL.FindStringIndex(line); m != nil && line[m[0]] == ':' {
		at = min(at, m[0]+len("://"))
	} else if m != nil {
		at = min(at, m[1])
	}
	if at == len(line) {
		return line, ""
	}
	return line[:at] + dots, line[at:]
}

// wallLine returns a line of a YAML file as the wall and the phone show it, with its secret. A blank replaces each tab, because YAML does
// not allow tabs before a key. A line without a key that follows a secret key may be the secret, so dots replace it.
func wallLine(lines []string, i int) (shown, hidden string) {
	line := printable(strings.ReplaceAll(strings.TrimRight(lines[i], " \t"), "\t", " "))
	if i > 0 && !keyInLine.MatchString(line) && secretKey.MatchString(lines[i-1]) {
		return dots, line
	}
	return hideIn(line)
}

// WallRows returns a line of a YAML file of the wall, together with the lines before and after it. `column` is the position of the wrong
// word in characters, from 1, or 0. If there is no such line or the line is too long, WallRows returns nil.
func WallRows(file []byte, number, column int) (rows []about.Row) {
	lines := linesOf(file)
	if number < 1 || number > len(lines) || len(lines[number-1]) > maxLine {
		return nil
	}
	for i := max(number-2, 0); i <= min(number, len(lines)-1); i++ {
		r := about.Row{Number: i + 1, Wrong: i+1 == number}
		if r.Before, _ = wallLine(lines, i); !r.Wrong {
			if strings.TrimSpace(r.Before) == "" {
				continue
			}
			r.Before = cutRow(r.Before)
		} else if all := []rune(r.Before); column > 0 && column <= len(all) {
			r.Word = wordInLine.FindString(string(all[column-1:]))
			r.Before, r.After = string(all[:column-1]), strings.TrimPrefix(string(all[column-1:]), r.Word)
		}
		rows = append(rows, r)
	}
	return rows
}

// FixWall is like [Fix] for a YAML file of the wall. It keeps the indentation of `text`. Dots at the end of `text` stand for the secret of
// the old line, if they follow a secret key or "://" as in the old line.
func FixWall(file []byte, number int, was, text string) ([]byte, error) {
	lines := linesOf(file)
	if number < 1 || number > len(lines) {
		return nil, errChanged
	}
	shown, hidden := wallLine(lines, number-1)
	if shown != was {
		return nil, errChanged
	}
	text = strings.TrimRight(text, " \t")
	if strings.TrimSpace(text) == "" {
		text = "#" + lines[number-1]
	} else if before, ok := strings.CutSuffix(text, dots); ok && hidden != "" {
		old := strings.TrimSuffix(shown, dots)
		if before != old && !(secretEnding.MatchString(old) && secretEnding.MatchString(before)) {
			return nil, errDots
		}
		text = before + hidden
	}
	switch {
	case strings.Contains(text, dots):
		return nil, errDots
	case strings.ContainsAny(text, "\r\n\x00"):
		return nil, errTwoLines
	}
	lines[number-1] = text
	return joined(lines, file), nil
}
