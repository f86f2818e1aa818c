package main

import (
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"dashboard/cmd/shared/cli"
)

var (
	shellBlock   = regexp.MustCompile("(?ms)^ *```(?:sh|bash|console|text|ini)?\n(.*?)^ *```$")
	inlineCode   = regexp.MustCompile("`([^`\n]+)`")
	shellComment = regexp.MustCompile(`(^|\s)#.*$`)
	shellEnd     = regexp.MustCompile(`\s*(?:\||&&|;|>|\s&(?:\s|$)).*$`)
)

// commandLines returns the lines of a page that start one of the programs, in code blocks, in sentences, and in units and similar files.
func commandLines(text string) (lines []string) {
	for _, m := range shellBlock.FindAllStringSubmatch(text, -1) {
		block := strings.ReplaceAll(m[1], "\\\n", " ")
		for line := range strings.Lines(block) {
			lines = append(lines, strings.TrimSpace(shellComment.ReplaceAllString(strings.TrimSpace(line), "")))
		}
	}
	for _, m := range inlineCode.FindAllStringSubmatch(text, -1) {
		lines = append(lines, m[1])
	}
	return lines
}

// words() splits a command line that consists of words and quotes, as a shell does.
func words(line string) (list []string) {
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		var word string
		switch quote := line[0]; quote {
		case '\'', '"':
			word, line, _ = strings.Cut(line[1:], string(quote))
		default:
			i := strings.IndexAny(line+" ", " \t")
			word, line = line[:i], line[i:]
		}
		list = append(list, word)
	}
	return list
}

// starts() returns the program that a line starts, and its arguments. ok is false if the line starts none of our programs.
func starts(line string) (program string, args []string, ok bool) {
	line = shellEnd.ReplaceAllString(line, "")
	first := strings.Fields(line)
	for len(first) > 0 && (first[0] == "sudo" || first[0] == "$" || first[0] == "-u" || first[0] == "exec" || strings.Contains(first[0], "=") && !strings.HasPrefix(first[0], "-")) {
		n := 1
		if first[0] == "-u" { // sudo -u USER
			n = 2
		}
		first = first[min(n, len(first)):]
	}
	if len(first) == 0 {
		return "", nil, false
	}
	program = filepath.Base(strings.TrimPrefix(first[0], "ExecStart="))
	if program != "dashboard" && program != "dashboard-client" || strings.HasSuffix(first[0], "/"+program) && strings.HasPrefix(first[0], "cmd") {
		return "", nil, false
	}
	_, rest, _ := strings.Cut(line, first[0])
	return program, words(rest), true
}

// TestEveryCommandLine parses every command line in the documents with the program's own parser. All commands, options and operands must
// exist.
func TestEveryCommandLine(t *testing.T) {
	seen := 0
	for _, path := range handbook(t) {
		for _, line := range commandLines(readPage(t, path)) {
			program, args, ok := starts(line)
			if !ok {
				continue
			}
			seen++
			var err error
			if program == "dashboard" {
				err = cli.Parse(cli.Dashboard(&cli.Options{}, "dev"), args, io.Discard)
			} else {
				err = cli.Parse(cli.Client(&cli.ClientOptions{}, "dev"), args, io.Discard)
			}
			if err != nil && !(len(args) == 1 && strings.HasSuffix(err.Error(), "is missing")) { // the line has only the command's name
				t.Errorf("%s: %s\n\t%v", path, line, err)
			}
		}
	}
	if seen < 100 {
		t.Errorf("%d command lines were found: the pages have more", seen)
	}
}

func TestWords(t *testing.T) {
	for line, want := range map[string]string{
		"sudo dashboard check /etc/dashboard  ": "dashboard|check|/etc/dashboard", "dashboard icons 'sun rise' -o x.png | head": "dashboard|icons|sun rise|-o|x.png",
		"cmd/dashboard": "", "apt install dashboard": "", "A=b dashboard --demo && echo": "dashboard|--demo",
	} {
		program, args, ok := starts(line)
		if got := strings.Join(append([]string{program}, args...), "|"); ok && got != want || !ok && want != "" {
			t.Errorf("%s: got %s", line, got)
		}
	}
}
