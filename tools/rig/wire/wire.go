// Package wire is the protocol between the rig and its guest: one JSON value a line, a request from the
// host, then its response. The line may be a serial port, so everything is text and nothing is pushed.
package wire

// MaxLine is the longest line that each side sends: the largest file written in one request, or the longest returned
// log, in JSON.
const MaxLine = 256 << 10

// Operations of a Request. The fields each needs are in brackets.
const (
	Write    = "write"    // Data to the file, device or terminal Path
	Read     = "read"     // the text of Path
	Load     = "load"     // the kernel modules Args, in this order
	Start    = "start"    // the program Args with Env. The response's Num is its process id
	Signal   = "signal"   // Num to the process PID
	Wait     = "wait"     // until PID has ended, Millis at most
	Log      = "log"      // what PID wrote to its standard output and error
	Terminal = "terminal" // how the terminal Path is: mode, switching, active
	Activate = "activate" // bring virtual terminal Num to the front
	Network  = "network"  // give the interface Path the address Args[0], as ADDRESS/BITS, and take it up
	Fill     = "fill"     // every byte of the device Path with Num
	List     = "list"     // the names in the folder Path, one a line
	Permit   = "permit"   // the device Path to group video
	Remove   = "remove"   // Path, and its content
	Fetch    = "fetch"    // what a server of the guest answers at the address Path
)

// A Request asks the guest for one thing.
type Request struct {
	ID     int
	Op     string
	Path   string   `json:",omitempty"`
	Data   []byte   `json:",omitempty"`
	Args   []string `json:",omitempty"`
	Env    []string `json:",omitempty"`
	PID    int      `json:",omitempty"`
	User   int      `json:",omitempty"` // Start: who runs the program, in group video (0 is root)
	TTY    string   `json:",omitempty"` // Start: its controlling terminal
	Num    int      `json:",omitempty"`
	Millis int      `json:",omitempty"`
}

// A Response answers the request with the same ID. ID 0 is the guest's first word, sent once it is ready.
type Response struct {
	ID     int
	Error  string `json:",omitempty"`
	Text   string `json:",omitempty"`
	Num    int    `json:",omitempty"`
	Millis int    `json:",omitempty"` // Wait: the elapsed time

	Ended bool `json:",omitempty"` // Wait
	// Status is what a program ended with: its exit status, or minus the signal that ended it.
	Status int `json:",omitempty"`

	Graphics  bool `json:",omitempty"` // Terminal: KD_GRAPHICS
	Leased    bool `json:",omitempty"` // Terminal: VT_PROCESS
	ActiveNum int  `json:",omitempty"` // Terminal: the virtual terminal in front
}
