// Package wire is the protocol between the rig and its guest. Each line is one JSON value: a request of the host, or the response to it.
// The connection may be a serial port, so everything is text. Except for the first response, the guest sends nothing without a request.
package wire

// MaxLine bounds the length of a line in both directions. It is enough for the largest file that a request writes, and for the longest
// returned log, both as JSON.
const MaxLine = 256 << 10

// Operations of a Request. The comment of an operation contains the fields that the operation uses.
const (
	Write    = "write"    // write Data to the file, device or terminal at Path
	Read     = "read"     // return the content of the file at Path
	Load     = "load"     // load the kernel modules in Args, in this order
	Start    = "start"    // start the program in Args with the environment Env. Num of the response is its process id
	Signal   = "signal"   // send the signal Num to the process PID
	Wait     = "wait"     // wait until the program PID has ended, for at most Millis
	Log      = "log"      // return the output of the program PID
	Terminal = "terminal" // return the state of the terminal at Path: mode, switching and active terminal
	Activate = "activate" // bring the virtual terminal Num to the front
	Network  = "network"  // give the network interface Path the address in Args[0], as ADDRESS/BITS, and switch it on
	Fill     = "fill"     // write the byte Num to the whole device at Path
	List     = "list"     // return the names in the folder Path, one on each line
	Permit   = "permit"   // give the device at Path to the group video
	Remove   = "remove"   // remove Path and everything in it
	Fetch    = "fetch"    // send a request to the address Path of a server in the guest, and return the body
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
	User   int      `json:",omitempty"` // Start: user that runs the program, in the group video. 0 is root
	TTY    string   `json:",omitempty"` // Start: terminal that controls the program
	Num    int      `json:",omitempty"`
	Millis int      `json:",omitempty"`
}

// A Response is the answer to the request with the same ID. When the guest is ready, it sends a response with ID 0 without a request.
type Response struct {
	ID     int
	Error  string `json:",omitempty"`
	Text   string `json:",omitempty"`
	Num    int    `json:",omitempty"`
	Millis int    `json:",omitempty"` // Wait: elapsed time in ms

	Ended bool `json:",omitempty"` // Wait: the program has ended
	// Status is how a program has ended. It is the exit status, or the negative number of the signal that ended the program.
	Status int `json:",omitempty"`

	Graphics  bool `json:",omitempty"` // Terminal: the mode is KD_GRAPHICS
	Leased    bool `json:",omitempty"` // Terminal: the switching mode is VT_PROCESS
	ActiveNum int  `json:",omitempty"` // Terminal: number of the virtual terminal in front
}
