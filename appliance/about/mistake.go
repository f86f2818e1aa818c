package about

// Files of general settings in the folder of the wall.
const (
	WallConf   = "conf.yaml"   // for the role dashboard
	ClientConf = "client.yaml" // for the role client
	// WallPrefix begins Mistake.File for these files. It is the folder of the wall on the card.
	WallPrefix = "dashboard/"
)

// A Mistake is a line that the appliance does not understand, in a file on the card.
type Mistake struct {
	File   string `json:"file"`
	Line   int    `json:"line"`            // number of the line, from 1
	Reason string `json:"reason"`          // key of the sentence about the mistake in package words, or the sentence itself
	Right  string `json:"right,omitempty"` // value in that sentence: the name that may be meant, or an example
	Rows   []Row  `json:"rows"`            // the wrong line and the lines around it
	More   int    `json:"more,omitempty"`  // number of further mistakes in the file
}

// A Row is a line of a file as the wall shows it. Dots replace a secret.
type Row struct {
	Number int    `json:"number"`
	Before string `json:"before,omitempty"`
	Word   string `json:"word,omitempty"` // wrong word
	After  string `json:"after,omitempty"`
	Wrong  bool   `json:"wrong,omitempty"` // true for the line with the mistake
}

// Text returns the whole text of the row, without the mark of the wrong word.
func (r Row) Text() string { return r.Before + r.Word + r.After }

// Wrong returns the line with the mistake.
func (m *Mistake) Wrong() (r Row) {
	for _, one := range m.Rows {
		if one.Wrong {
			r = one
		}
	}
	return r
}
