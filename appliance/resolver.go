//go:build linux

package appliance

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	// resolverSocket is the socket of systemd-resolved. The file resolverFile has the name servers from settings.txt.
	resolverSocket = "/run/systemd/resolve/io.systemd.Resolve"
	resolverFile   = "/etc/systemd/resolved.conf.d/settings.conf"
	// askedName is the name that is looked up to test the name servers. It is a name of Debian's time servers, because every name server
	// can look up this name, and the board looks up this name anyway.
	askedName = "0.debian.pool.ntp.org"
	// resolverTime limits the wait for an answer. It is longer than systemd-resolved's own limit of two minutes.
	resolverTime = 3 * time.Minute
	// resolverPause is the time between two checks.
	resolverPause = 5 * time.Minute
	maxAnswer     = 64 << 10
)

// errNoServer means that none of the name servers has answered.
var errNoServer = errors.New("no name server answers")

// A namesWatch checks whether the name servers in settings.txt answer. It does not check the name servers that the network provides,
// because some owners run a wall without internet access on purpose.
type namesWatch struct {
	file    string // file with the servers from settings.txt
	servers string // servers from settings.txt, or ""
	socket  string
	next    time.Duration // time of the next check, since the kernel's start
	answer  chan error    // result of the running check, or nil
	problem string
}

func newNamesWatch(file, socket string) namesWatch {
	return namesWatch{file: file, servers: serversIn(file), socket: socket}
}

// serversIn returns the name servers in a file. If the file is missing, it returns "".
func serversIn(file string) string {
	text, _ := os.ReadFile(file)
	_, servers, _ := strings.Cut(string(text), "DNS=")
	return strings.TrimSpace(servers)
}

// look starts a check if one is due, and reports whether the problem has changed. It does not wait for the result of the check.
func (w *namesWatch) look(now time.Duration, connected bool) (changed bool) {
	if servers := serversIn(w.file); servers != w.servers { // a person has corrected settings.txt
		changed = w.problem != ""
		w.servers, w.problem, w.answer, w.next = servers, "", nil, now
		return changed
	}
	if w.servers == "" {
		return false
	}
	if w.answer == nil {
		if connected && now >= w.next {
			w.answer = make(chan error, 1)
			go func(answer chan<- error) { answer <- askResolver(w.socket, askedName) }(w.answer)
		}
		return false
	}
	select {
	case err := <-w.answer:
		w.answer, w.next = nil, now+resolverPause
		problem := ""
		if errors.Is(err, errNoServer) {
			problem = fmt.Sprintf("No answer from the name server %s: names are not found; check dns in settings.txt", strings.Join(strings.Fields(w.servers), " or "))
		}
		changed = problem != w.problem
		w.problem = problem
	default:
	}
	return changed
}

// silent() reports whether an answer of systemd-resolved means that no name server has answered (io.systemd.Resolve, systemd's source).
func (a resolverAnswer) silent() bool {
	switch a.Error {
	case "io.systemd.Resolve.QueryTimedOut", "io.systemd.Resolve.MaxAttemptsReached", "io.systemd.Resolve.NoNameServers":
		return true
	case "io.systemd.System": // no machine has the server's address, or the machine there refuses the request
		unreached := []syscall.Errno{syscall.EHOSTUNREACH, syscall.ENETUNREACH, syscall.ECONNREFUSED, syscall.ETIMEDOUT}
		return slices.Contains(unreached, syscall.Errno(max(0, a.Parameters.Errno)))
	}
	return false
}

// A resolverAnswer is the part of an answer that describes a failure.
type resolverAnswer struct {
	Error      string
	Parameters struct{ Errno int }
}

// askResolver asks systemd-resolved to look up a name. The protocol is varlink, which ends each
// JSON object with a zero byte. A name server that answers with an error counts as working.
func askResolver(socket, name string) error {
	c, err := net.DialTimeout("unix", socket, resolverTime)
	if err != nil {
		return err
	}
	defer c.Close()
	question, err := json.Marshal(map[string]any{"method": "io.systemd.Resolve.ResolveHostname", "parameters": map[string]any{"name": name}})
	if err != nil {
		return err
	}
	if err := c.SetDeadline(time.Now().Add(resolverTime)); err != nil {
		return err
	}
	if _, err := c.Write(append(question, 0)); err != nil {
		return err
	}
	line, err := bufio.NewReaderSize(c, maxAnswer).ReadSlice(0)
	if err != nil {
		return err
	}
	var answer resolverAnswer
	if err := json.Unmarshal(line[:len(line)-1], &answer); err != nil {
		return err
	}
	if answer.silent() {
		return fmt.Errorf("%w: %s", errNoServer, answer.Error)
	}
	return nil
}
