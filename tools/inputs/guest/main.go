//go:build linux

// Command guest is the first process on an emulated board. It prints the events of the board's touchscreen, of its keyboard, and of one of
// its GPIO lines.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
	"periph.io/x/conn/v3/gpio"

	"dashboard/fb/board"
	"dashboard/fb/evdev"
	"dashboard/tools/first"
)

// lifetime bounds how long the board runs.
const lifetime = 3 * time.Minute

// driver is a folder of sysfs. Writing to its files detaches an input device from its driver and attaches it again.
const driver = "/sys/bus/virtio/drivers/virtio_input"

// line is the GPIO line of QEMU's board on which the command system_powerdown makes a pulse.
const line = 3

func say(format string, args ...any) { fmt.Printf("wall: "+format+"\n", args...) }

// An ear prints the events of one device. When the key 9 is pressed, the ear disconnects the touchscreen and connects it again.
type ear struct{ name string }

func (e ear) Packet(p *evdev.Packet) time.Time {
	f := p.Fingers[0]
	if len(p.Keys) > 0 {
		say("%s: keys %v", e.name, p.Keys)
		if p.Keys[0] == evdev.Key9 {
			go replug()
		}
		return time.Time{}
	}
	if strings.Contains(e.name, "Tablet") {
		say("%s: %d down at %.2f,%.2f", e.name, p.Down, f.X, f.Y)
	}
	if p.Down > 0 {
		return time.Now().Add(time.Second)
	}
	return time.Time{}
}

func (e ear) Late() time.Time {
	say("%s: rests", e.name)
	return time.Time{}
}

func (e ear) Gone() { say("%s: gone", e.name) }

// replug detaches the first input device from its driver, and attaches it again a moment later.
func replug() {
	all, _ := filepath.Glob(driver + "/virtio*")
	if len(all) == 0 {
		return
	}
	name := []byte(filepath.Base(all[0]))
	say("unplugged %v", os.WriteFile(driver+"/unbind", name, 0))
	say("plugged %v", os.WriteFile(driver+"/bind", name, 0))
}

// start loads the modules in the initramfs.
func start() error {
	if err := first.Mount(); err != nil {
		return err
	}
	order, err := os.ReadFile("/modules/order")
	if err != nil {
		return err
	}
	return first.Load(strings.Fields(string(order)))
}

func main() {
	if err := start(); err != nil {
		say("%v", err)
	}
	edges()
	ctx, cancel := context.WithTimeout(context.Background(), lifetime)
	defer cancel()
	w := &evdev.Watcher{Listen: func(i evdev.Info) evdev.Listener {
		say("%s: touch %v, keys %v, full %v", i.Name, i.Touch, i.Keys, i.Full)
		return ear{i.Name}
	}}
	w.Run(ctx)
	_ = unix.Reboot(unix.LINUX_REBOOT_CMD_POWER_OFF)
}

// edges() prints the edges of a GPIO line. It also checks that no other program can open this line.
func edges() {
	l, err := board.Open(line, gpio.PullDown, "wall")
	say("line: %v", err)
	if err != nil {
		return
	}
	_, err = board.Open(line, gpio.PullDown, "other")
	say("line again: %v", err)
	go func() {
		for l.WaitForEdge(-1) {
			say("line is %v", l.Read())
		}
	}()
}
