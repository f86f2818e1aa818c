//go:build linux

// Command guest is the first process of a virtual machine of the rig. It mounts the usual file systems and loads kernel modules. Then it
// carries out the requests of the host.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"dashboard/tools/first"
	"dashboard/tools/rig/wire"
)

// Files of the initramfs.
const (
	modulesFile = "/modules/order" // paths of the modules to load at the start, one on each line
	portTimeout = 2 * time.Minute  // bound of the wait until the serial line to the host exists. The driver of the line may load late
	portPause   = 10 * time.Millisecond
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == "hold" {
		fmt.Println(hold(os.Args[2]))
		return
	}
	err := serve()
	fmt.Fprintln(os.Stderr, "guest:", err)
	// When the first process ends, the kernel panics, which ends the machine.
}

func serve() error {
	if err := first.Mount(); err != nil {
		return err
	}
	order, err := os.ReadFile(modulesFile)
	if err != nil {
		return err
	}
	if err := first.Load(strings.Fields(string(order))); err != nil {
		return err
	}
	port, err := openPort()
	if err != nil {
		return err
	}
	return answer(port)
}

// openPort opens the line to the host. The kernel's command line contains the path of this line as rig.port=PATH.
func openPort() (*os.File, error) {
	word, err := first.Parameters("rig.port=")
	if err != nil {
		return nil, err
	}
	path := strings.Join(word, "")
	for end := time.Now().Add(portTimeout); ; time.Sleep(portPause) {
		f, err := os.OpenFile(path, os.O_RDWR|unix.O_NOCTTY, 0)
		if err == nil {
			return f, raw(int(f.Fd()))
		}
		if time.Now().After(end) {
			return nil, err
		}
	}
}

// raw makes a serial port transfer all bytes unchanged, see termios(3). Other devices need no setting.
func raw(fd int) error {
	t, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return nil
	}
	t.Iflag, t.Oflag, t.Lflag = 0, 0, 0
	t.Cflag = t.Cflag&^(unix.CSIZE|unix.PARENB) | unix.CS8 | unix.CREAD | unix.CLOCAL
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	return unix.IoctlSetTermios(fd, unix.TCSETS, t)
}

// answer answers requests until the line to the host is closed.
func answer(port io.ReadWriter) error {
	g := &guest{programs: map[int]*program{}}
	// Write a line feed first. A driver that tests the serial line may have sent some bytes already. The line feed makes these bytes a
	// separate line.
	if _, err := port.Write([]byte{'\n'}); err != nil {
		return err
	}
	out := json.NewEncoder(port) // Encode writes each response as one line
	if err := out.Encode(g.first()); err != nil {
		return err
	}
	lines := bufio.NewScanner(port)
	lines.Buffer(nil, wire.MaxLine)
	for lines.Scan() {
		var q wire.Request
		a := wire.Response{}
		err := json.Unmarshal(lines.Bytes(), &q)
		if err == nil {
			err = g.do(&q, &a)
		}
		if err != nil {
			a.Error = err.Error()
		}
		a.ID = q.ID
		if err := out.Encode(a); err != nil {
			return err
		}
	}
	return fmt.Errorf("the host went away: %w", lines.Err())
}
