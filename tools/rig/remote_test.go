package rig

import (
	"context"
	"fmt"
	"image"
	"syscall"
)

// A remote is a computer that works as a remote screen. It also holds the service that sends the pictures to this screen.
type remote struct {
	*computer
	service *service
	source  *source
	walls   map[int]*image.RGBA // picture on the screen for each value of the source
}

// Values of the source.
const (
	cold = -4
	warm = 21
)

// newRemote creates the service, paints the pictures and boots the machine.
func newRemote(ctx context.Context, l *lab, m *machine, dir string) (trial, error) {
	r := &remote{walls: map[int]*image.RGBA{}}
	var err error
	if r.source, err = newSource(ctx); err != nil {
		return nil, err
	}
	if err = r.prepare(ctx, l, m, dir); err != nil {
		r.source.close()
		return nil, err
	}
	return r, nil
}

func (r *remote) prepare(ctx context.Context, l *lab, m *machine, dir string) error {
	folder, err := newFolder(dir, "service")
	if err != nil {
		return err
	}
	if r.service, err = newService(l.here, folder, m.size, r.source.url); err != nil {
		return err
	}
	for _, value := range []int{cold, warm} {
		r.source.value.Store(int64(value))
		painted, err := paint(ctx, nil, l.here, folder, m.size)
		if err != nil {
			return err
		}
		if r.walls[value], err = onDevice(painted, m.format); err != nil {
			return err
		}
	}
	if r.computer, err = newComputer(ctx, l, m, nil, dir); err != nil {
		return err
	}
	if err := r.guest.network(guestAddress); err != nil {
		r.computer.close()
		return err
	}
	return nil
}

// close ends the service and the machine.
func (r *remote) close() {
	_ = r.service.end(syscall.SIGKILL) // ends the service if it is still running
	r.source.close()
	r.computer.close()
}

// A screenSetting holds the settings that differ between the cases of the client.
type screenSetting struct {
	Token      string
	StaleAfter int // seconds
	Offline    bool
}

// startClient restarts the remote screen.
func (r *remote) startClient(s screenSetting) error {
	if err := r.stopProgram(); err != nil {
		return err
	}
	text, err := fillIn("client", struct {
		screenSetting
		Address       string
		Width, Height int
	}{s, fmt.Sprintf("%s:%d", hostAddress, r.service.port), r.machine.size.X, r.machine.size.Y})
	if err != nil {
		return err
	}
	if err := r.guest.write(guestScreen+"/client.yaml", string(text)); err != nil {
		return err
	}
	return r.start(guestClient, "--config-dir", guestScreen)
}

// ready() starts the service and a client, and waits until the screen shows the wall with the given value of the source.
func (r *remote) ready(value int, s screenSetting) error {
	r.source.value.Store(int64(value))
	if err := r.service.start(); err != nil {
		return err
	}
	if err := r.startClient(s); err != nil {
		return err
	}
	return r.screen.await(r.shows(value))
}

func (r *remote) shows(value int) condition { return r.screen.shows(r.walls[value]) }
