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
	// UpdateFile contains the state of updates, as an Update in JSON. The keeper, the service "appliance keep", writes it.
	UpdateFile = "run/appliance/update"
	// AskSocket is the socket of the keeper, the service "appliance keep". A client sends an Ask as one line of JSON and receives an
	// Answer.
	AskSocket = "run/appliance-ask"
	// MaxAsk is the maximum length of a request or an answer, in bytes.
	MaxAsk = 1 << 10
	// askTime is the time limit for the keeper's answer.
	askTime = 10 * time.Second
)

// Phases of an update. The phase is "" if there is no update.
const (
	Fetch = "fetch" // the board fetches the description of the release and computes the checksum of the running root file system
	Write = "write" // the board fetches the release and writes it to the card
	Check = "check" // the board reads the release back from the card
	Trial = "trial" // the board restarts into the release
)

// An Update is the state of updates.
type Update struct {
	Version string    `json:"version"`           // running version
	Channel string    `json:"channel"`           // channel of releases: stable, beta or off
	Window  string    `json:"window"`            // hours for installations, such as 03:00-04:00
	Source  bool      `json:"source"`            // true if settings.txt contains the address of a release server
	Latest  string    `json:"latest,omitempty"`  // version of the newest release for this board
	Ready   bool      `json:"ready,omitempty"`   // true if the latest release can be installed
	Waits   string    `json:"waits,omitempty"`   // reason why the latest release is not installed automatically
	Size    int64     `json:"size,omitempty"`    // number of bytes to fetch
	Notes   []string  `json:"notes,omitempty"`   // changes of the release
	Phase   string    `json:"phase,omitempty"`   // phase of the running update
	Percent int       `json:"percent,omitempty"` // progress of the running update, in percent. It never decreases
	Problem string    `json:"problem,omitempty"` // reason why the offered release is refused, or why the last download failed
	Warning string    `json:"warning,omitempty"` // warning that a person should read
	Failed  string    `json:"failed,omitempty"`  // version whose trial failed
	Why     string    `json:"why,omitempty"`     // reason of the failed trial
	At      time.Time `json:"at,omitzero"`       // time of the present start. For a limited time after this start, the wall shows the failure
	Seen    bool      `json:"seen,omitempty"`    // true if a person has seen the failure
	Painted time.Time `json:"painted,omitzero"`  // time of the first picture if this start has ended the trial of a release, else zero
	Back    string    `json:"back,omitempty"`    // earlier version that can be started again
	Asked   time.Time `json:"asked,omitzero"`    // time of the last request to the server
	Next    time.Time `json:"next,omitzero"`     // time of the next request to the server
}

// Encode returns the content of UpdateFile.
func (u *Update) Encode() []byte {
	data, err := json.Marshal(u)
	if err != nil {
		panic("about: " + err.Error()) // the value can always be encoded
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
	DoCheck   = "check"   // ask the server for releases now
	DoNow     = "now"     // install the release that is ready
	DoBack    = "back"    // return to the previous version and switch updates off
	DoChannel = "channel" // change the channel. Value is stable, beta or off
	DoWindow  = "window"  // change the hours. Value has the form 03:00-04:00
	DoSeen    = "seen"    // record that a person has seen the failed update
	DoCodes   = "codes"   // show or hide the QR codes for joining the access point
)

// An Ask is a request to the keeper.
type Ask struct {
	Do    string `json:"do"`
	Value string `json:"value,omitempty"`
}

// An Answer is the reply of the keeper. Error is "" if the request succeeded.
type Answer struct {
	Error   string `json:"error,omitempty"`
	Changed bool   `json:"changed,omitempty"` // true if the error is ErrChanged
}

// Send sends a request to the keeper, which listens at a socket, and returns the keeper's error.
func Send(socket string, a Ask) error { return send(socket, a, nil, askTime) }

// send sends a request and then `body`, and waits for the answer.
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
	_, _ = conn.Write(body) // the error is ignored, because a keeper that refuses the request answers without reading the body
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
