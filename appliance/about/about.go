// Package about reads and writes files that the programs of an appliance use to exchange facts.
//
// The first process is the program that the kernel starts. It becomes systemd. The keeper is the root service "appliance keep". The
// set-up is an unprivileged program that helps a person to connect the appliance to a network.
package about

import (
	"encoding/json"
	"io/fs"
	"slices"
	"strings"

	"dashboard/internal/folder"
)

// Paths of the files, relative to the root of the file system.
const (
	// FactsFile contains a Facts as JSON. The appliance's first process writes the file at each start.
	FactsFile = "etc/dashboard-appliance.json"
	// WrongFile lists the current problems, one on each line. The keeper, the service "appliance keep", writes it.
	WrongFile = "run/appliance/wrong"
	// PaintedFile exists when the keeper has seen a picture of the wall on the screen. The keeper creates the file. The guard, a process
	// from the initramfs, waits for the file.
	PaintedFile = "run/appliance/painted"
	// FramedFile contains the time from the kernel's start to the wall's first frame, in the form of time.Duration.String. The wall's unit
	// writes the file when the wall is ready. The time is therefore right even if the keeper reads it much later.
	FramedFile = "run/appliance/framed"
)

const (
	maxFile     = 64 << 10 // maximum size of each file, in bytes
	maxProblems = 32       // maximum number of problems that are shown
	maxProblem  = 500      // maximum size of a problem in bytes, so that the file with all problems is not too large
)

// Facts contains the values that the appliance's first process passes to the other programs of the appliance.
type Facts struct {
	Name     string   `json:"name"`              // name in the network, without .local
	Version  string   `json:"version"`           // version of the image
	Role     string   `json:"role"`              // dashboard or client
	Port     string   `json:"port"`              // server.port of conf.yaml, or its default
	Country  string   `json:"country,omitempty"` // wifi_country, or ""
	Networks []string `json:"networks"`          // names of the wireless networks that the appliance may join
	Problems []string `json:"problems"`          // problems with the settings, each with file and line
	Used     []string `json:"-"`                 // problems of lines that are used. Only the first process knows them
	Mistake  *Mistake `json:"mistake,omitempty"` // first mistake in settings.txt, or nil
	Foreign  bool     `json:"foreign,omitempty"` // true if the wall's files come from a zip file or from config_url
}

// Encode returns the content of FactsFile.
func (f Facts) Encode() []byte {
	if len(f.Problems) > maxProblems {
		f.Problems = f.Problems[:maxProblems]
	}
	f.Problems = slices.Clone(f.Problems)
	for i, p := range f.Problems {
		if len(p) > maxProblem {
			f.Problems[i] = strings.ToValidUTF8(p[:maxProblem], "") + "…"
		}
	}
	data, err := json.Marshal(f)
	if err != nil {
		panic("about: " + err.Error()) // the value can always be encoded
	}
	return data
}

// Read returns the facts. It returns false if this machine is not an appliance or the file cannot be read. `root` is the root of the file
// system.
func Read(root fs.FS) (f Facts, ok bool) {
	data, err := folder.Read(root, FactsFile, maxFile)
	return f, err == nil && json.Unmarshal(data, &f) == nil
}

// Wrong returns the current problems, which it reads from WrongFile.
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

// GuideFile contains a Guide, the picture that the set-up program shows on the wall. The unit of the set-up program writes the file.
const GuideFile = "run/dashboard-setup/guide.json"

// maxCodes is the maximum number of QR codes in a guide.
const maxCodes = 2

// A Guide is a picture on the wall that guides a person through the set-up.
type Guide struct {
	Badge   bool     `json:"badge,omitempty"` // true for a note on the running wall, false for a full picture
	Icon    string   `json:"icon,omitempty"`  // name of a Material Design Icon, without its prefix
	Role    string   `json:"role,omitempty"`  // role of the icon's color in the theme
	Over    string   `json:"over,omitempty"`  // small line above the title
	Title   string   `json:"title,omitempty"`
	Text    []string `json:"text,omitempty"`  // paragraphs
	Bold    []string `json:"bold,omitempty"`  // words in Text, Right and List that are bold
	Rows    []Row    `json:"rows,omitempty"`  // lines of a file. The wrong line is marked
	Right   string   `json:"right,omitempty"` // sentence below the wrong row
	List    []string `json:"list,omitempty"`  // instructions at the bottom. The first entry is their heading
	Pairs   []Pair   `json:"pairs,omitempty"` // words to type. The text of a badge contains them
	Hint    string   `json:"hint,omitempty"`  // paragraph with a warning icon
	Quiet   string   `json:"quiet,omitempty"` // paragraph in a muted color
	Codes   []Code   `json:"codes,omitempty"` // at most two codes. If there are two, they fill the picture
	Steps   []string `json:"steps,omitempty"` // names of the steps
	Step    int      `json:"step,omitempty"`  // number of the current step, from 1
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
	Sentence string `json:"sentence,omitempty"` // sentence above the code
	Pairs    []Pair `json:"pairs,omitempty"`    // labels and words below the code
}

// ReadGuide returns the guide, or nil if there is no guide.
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
