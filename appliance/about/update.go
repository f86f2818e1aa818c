package about

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"time"

	"dashboard/internal/folder"
)

const (
	// UpdateFile has the state of updates, as Update in JSON. The keeper writes it.
	UpdateFile = "run/appliance/update"
	// AskSocket is where the keeper takes an Ask in JSON, one line, and answers with an Answer.
	AskSocket = "run/appliance-ask"
	// MaxAsk bounds a line of either, bytes.
	MaxAsk = 1 << 10
	// askTime is how long the keeper may take for an answer.
	askTime = 10 * time.Second
)

// Phases of an update. Without one the phase is "".
const (
	Fetch = "fetch" // the description of the release, and the checksum of the running one
	Write = "write" // the release, while it arrives
	Check = "check" // what is on the card
	Trial = "trial" // the restart into it
)

// An Update is the state of updates.
type Update struct {
	Version string    `json:"version"`           // that runs
	Channel string    `json:"channel"`           // stable, beta or off
	Window  string    `json:"window"`            // hours in which releases are installed, as 03:00-04:00
	Source  bool      `json:"source"`            // there is an address of releases
	Latest  string    `json:"latest,omitempty"`  // version of the newest release for this board
	Ready   bool      `json:"ready,omitempty"`   // it can be installed
	Waits   string    `json:"waits,omitempty"`   // why it is not installed without being asked for
	Size    int64     `json:"size,omitempty"`    // bytes to fetch
	Notes   []string  `json:"notes,omitempty"`   // changes of the release
	Phase   string    `json:"phase,omitempty"`   // of the update that is being installed
	Percent int       `json:"percent,omitempty"` // of it, never falling
	Problem string    `json:"problem,omitempty"` // why the offered release is refused, or the last one failed to arrive
	Warning string    `json:"warning,omitempty"` // what somebody should look at
	Failed  string    `json:"failed,omitempty"`  // version whose trial failed
	Why     string    `json:"why,omitempty"`     // reason of that
	At      time.Time `json:"at,omitzero"`       // of the start after that
	Seen    bool      `json:"seen,omitempty"`    // somebody saw that
	Painted time.Time `json:"painted,omitzero"`  // when this release painted for the first time, at this start
	Back    string    `json:"back,omitempty"`    // version that can be returned to
	Asked   time.Time `json:"asked,omitzero"`    // the server
	Next    time.Time `json:"next,omitzero"`     // question to it
}

// Encode returns the content of the file.
func (u *Update) Encode() []byte {
	data, err := json.Marshal(u)
	if err != nil {
		panic("about: " + err.Error()) // only for what cannot be JSON
	}
	return data
}

// ReadUpdate returns the state of updates, and false if the machine has no such state.
func ReadUpdate(root fs.FS) (u Update, ok bool) {
	data, err := folder.Read(root, UpdateFile, maxFile)
	return u, err == nil && json.Unmarshal(data, &u) == nil
}

// Requests to the keeper.
const (
	DoCheck   = "check"   // ask the server now
	DoNow     = "now"     // install the release that is ready
	DoBack    = "back"    // return to the version before, and switch updates off
	DoChannel = "channel" // Value is stable, beta or off
	DoWindow  = "window"  // Value is the hours, as 03:00-04:00
	DoSeen    = "seen"    // the failed update was seen
)

// An Ask is a request to the keeper.
type Ask struct {
	Do    string `json:"do"`
	Value string `json:"value,omitempty"`
}

// An Answer is what the keeper replies. Error is "" for a request that is carried out.
type Answer struct {
	Error   string `json:"error,omitempty"`
	Changed bool   `json:"changed,omitempty"` // the error is ErrChanged
}

// Send asks the keeper that listens at a socket.
func Send(socket string, a Ask) error { return send(socket, a, nil, askTime) }

// send sends a request with the bytes that follow it, and waits for the answer.
func send(socket string, a Ask, body []byte, limit time.Duration) error {
	conn, err := net.DialTimeout("unix", socket, limit)
	if err != nil {
		return fmt.Errorf("the keeper of the card does not answer: %w", err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	if err := json.NewEncoder(conn).Encode(a); err != nil {
		return err
	}
	_, _ = conn.Write(body) // a keeper that refuses the request does not read it, but it answers
	line, err := bufio.NewReaderSize(conn, MaxAsk).ReadSlice('\n')
	if err != nil {
		return fmt.Errorf("the keeper of the card does not answer: %w", err)
	}
	var answer Answer
	if err := json.Unmarshal(line, &answer); err != nil {
		return err
	}
	switch {
	case answer.Changed:
		return ErrChanged
	case answer.Error != "":
		return errors.New(answer.Error)
	}
	return nil
}
