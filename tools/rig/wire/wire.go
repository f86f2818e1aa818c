// Package wire is the protocol between the rig and its guest. Each line is one JSON value: a request from the host, then its
// response. The line may be a serial port, so everything is text, and the guest sends nothing without a request.
package wire

// MaxLine is the length of the longest line that each side sends. It holds the largest file written in one request, or the longest
// returned log, in JSON.
const MaxLine = 256 << 10

// Operations of a Request. The comments name the fields that each needs.
const (
	Write    = "write"    // write Data to the file, device or terminal Path
	Read     = "read"     // return the text of Path
	Load     = "load"     // load the kernel modules Args, in this order
	Start    = "start"    // start the program Args with Env. The response's Num is its process id
	Signal   = "signal"   // send the signal Num to the process PID
	Wait     = "wait"     // wait until PID has ended, at most Millis
	Log      = "log"      // return what PID wrote to its standard output and error
	Terminal = "terminal" // return the state of the terminal Path: mode, switching, active
	Activate = "activate" // bring virtual terminal Num to the front
	Network  = "network"  // give the interface Path the address Args[0], as ADDRESS/BITS, and start it
	Fill     = "fill"     // write Num to every byte of the device Path
	List     = "list"     // return the names in the folder Path, one on each line
	Permit   = "permit"   // give the device Path to the group video
	Remove   = "remove"   // remove Path, with its content
	Fetch    = "fetch"    // return the answer of a server in the guest at the address Path
)

// A Request asks the guest for one operation.
type Request struct {
	ID     int
	Op     string
	Path   string   `json:",omitempty"`
	Data   []byte   `json:",omitempty"`
	Args   []string `json:",omitempty"`
	Env    []string `json:",omitempty"`
	PID    int      `json:",omitempty"`
	User   int      `json:",omitempty"` // Start: user who runs the program, in the group video (0 is root)
	TTY    string   `json:",omitempty"` // Start: controlling terminal of the program
	Num    int      `json:",omitempty"`
	Millis int      `json:",omitempty"`
}

// A Response answers the request with the same ID. The response with ID 0 is the first. The guest sends it, without a request,
// when it is ready.
type Response struct {
	ID     int
	Error  string `json:",omitempty"`
	Text   string `json:",omitempty"`
	Num    int    `json:",omitempty"`
	Millis int    `json:",omitempty"` // Wait: elapsed time in ms

	Ended bool `json:",omitempty"` // Wait: true if the program has ended
	// Status is how a program ended: its exit status, or minus the number of the signal that ended it.
	Status int `json:",omitempty"`

	Graphics  bool `json:",omitempty"` // Terminal: true in KD_GRAPHICS
	Leased    bool `json:",omitempty"` // Terminal: true in VT_PROCESS
	ActiveNum int  `json:",omitempty"` // Terminal: number of the virtual terminal in front
}
