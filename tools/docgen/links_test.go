package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.+)$`)
	fence   = regexp.MustCompile("(?ms)^```.*?^```$")
	inline  = regexp.MustCompile("`[^`\n]+`")
)

// Every relative link of the handbook leads to a file, and its anchor to a heading there.
func TestLinksResolve(t *testing.T) {
	headings := map[string]map[string]bool{}
	for _, page := range handbook(t) {
		text := inline.ReplaceAllString(fence.ReplaceAllString(readPage(t, page), ""), "")
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(m[1], "://") && !strings.HasPrefix(m[1], "mailto:") {
				follow(t, page, m[1], headings)
			}
		}
	}
}

// follow() checks a link. It keeps the anchors of each page in `headings`.
func follow(t *testing.T, page, to string, headings map[string]map[string]bool) {
	t.Helper()
	path, anchor, _ := strings.Cut(to, "#")
	target := page
	if path != "" {
		target = filepath.Join(filepath.Dir(page), filepath.FromSlash(path))
	}
	if _, err := os.Stat(target); err != nil {
		t.Errorf("%s: the link %s leads nowhere", page, to)
		return
	}
	if anchor == "" || !strings.HasSuffix(target, ".md") {
		return
	}
	if headings[target] == nil {
		headings[target] = anchors(readPage(t, target))
	}
	if !headings[target][anchor] {
		t.Errorf("%s: the link %s names no heading of %s", page, to, target)
	}
}

// anchors() returns the anchors that GitHub creates for a page's headings.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		found[anchorOf(m[1])] = true
	}
	return found
}

var notInAnchor = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

func anchorOf(heading string) string {
	return strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), ""), " ", "-")
}

func TestAnchorOf(t *testing.T) {
	for heading, want := range map[string]string{
		"providers.yaml": "providersyaml", "Who may what": "who-may-what", "`GET /frame`": "get-frame", "YAML 1.1": "yaml-11",
	} {
		if got := anchorOf(heading); got != want {
			t.Errorf("%s: got %s, want %s", heading, got, want)
		}
	}
}
