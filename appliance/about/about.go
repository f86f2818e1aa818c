// Package about has the files by which the programs of an appliance exchange its facts.
package about

import (
	"encoding/json"
	"io/fs"
	"strings"

	"dashboard/internal/folder"
)

// Files, seen from the root of the file system.
const (
	// FactsFile is written at the start by the first program.
	FactsFile = "etc/dashboard-appliance.json"
	// WrongFile has the current problems, one on each line. The keeper of the card writes it.
	WrongFile = "run/appliance/wrong"
	// PaintedFile is there once the wall was seen on the screen: the keeper makes it, the guard of the first program looks for it.
	PaintedFile = "run/appliance/painted"
	// FramedFile has the time of the wall's first frame since the kernel's start, as time.Duration prints it. The
	// wall's unit writes it when the wall is ready, so the time is right even if the keeper looks much later.
	FramedFile = "run/appliance/framed"
)

const (
	maxFile     = 64 << 10 // bytes of each file
	maxProblems = 32       // that are told
)

// Facts are what the first program knows about the appliance.
type Facts struct {
	Name     string   `json:"name"`     // in the network, without .local
	Version  string   `json:"version"`  // of the image
	Role     string   `json:"role"`     // dashboard or client
	Networks []string `json:"networks"` // names of the wireless networks that it may join
	Problems []string `json:"problems"` // with the settings, each with file and line
}

// Encode returns the content of the file.
func (f Facts) Encode() []byte {
	if len(f.Problems) > maxProblems {
		f.Problems = f.Problems[:maxProblems]
	}
	data, err := json.Marshal(f)
	if err != nil {
		panic("about: " + err.Error()) // only for what cannot be JSON
	}
	return data
}

// Read returns the facts. It returns false if this machine is no appliance or the file cannot be read. root is the root
// of the file system.
func Read(root fs.FS) (f Facts, ok bool) {
	data, err := folder.Read(root, FactsFile, maxFile)
	return f, err == nil && json.Unmarshal(data, &f) == nil
}

// Wrong returns the current problems.
func Wrong(root fs.FS) (all []string) {
	data, err := folder.Read(root, WrongFile, maxFile)
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" && len(all) < maxProblems {
			all = append(all, line)
		}
	}
	return all
}

// GuideFile has what the set-up shows on the wall, a Guide. The set-up's unit writes it.
const GuideFile = "run/dashboard-setup/guide.json"

// maxCodes bounds the codes of a guide.
const maxCodes = 2

// A Guide is the picture by which the set-up leads a person on the wall.
type Guide struct {
	Badge   bool     `json:"badge,omitempty"` // only a note on the running wall
	Icon    string   `json:"icon,omitempty"`  // name of a Material Design Icon, without its prefix
	Role    string   `json:"role,omitempty"`  // of the icon's color in the theme
	Over    string   `json:"over,omitempty"`  // a small line above the title
	Title   string   `json:"title,omitempty"`
	Text    []string `json:"text,omitempty"` // paragraphs
	Pairs   []Pair   `json:"pairs,omitempty"`
	Hint    string   `json:"hint,omitempty"`  // a paragraph with a warning's icon
	Quiet   string   `json:"quiet,omitempty"` // a paragraph in a muted color
	Codes   []Code   `json:"codes,omitempty"` // at most two. Two fill the picture
	Steps   []string `json:"steps,omitempty"` // names of the steps
	Step    int      `json:"step,omitempty"`  // the current one, from 1
	Picture string   `json:"picture,omitempty"`
}

// A Pair is a word that a person types, with its label.
type Pair struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// A Code is a QR code.
type Code struct {
	Content  string `json:"content"`
	Sentence string `json:"sentence,omitempty"` // above the code, if there are two
	Pairs    []Pair `json:"pairs,omitempty"`    // below it
}

// ReadGuide returns the guide, or nil without one.
func ReadGuide(root fs.FS) *Guide {
	data, err := folder.Read(root, GuideFile, maxFile)
	if err != nil {
		return nil
	}
	var g Guide
	if json.Unmarshal(data, &g) != nil || len(g.Codes) > maxCodes {
		return nil
	}
	return &g
}
