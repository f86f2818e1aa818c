package rig

import (
	"context"
	"image"
	"syscall"
)

// A bench is a computer for testing the dashboard, with the expected pictures.
type bench struct {
	*computer
	walls map[string]*image.RGBA
	on    string // name of the wall that the dashboard must show
}

// newBench paints the pictures and boots the machine. The machine's configuration contains the first wall.
func newBench(ctx context.Context, l *lab, m *machine, dir string) (trial, error) {
	b := &bench{walls: map[string]*image.RGBA{}, on: first}
	for _, name := range []string{first, second} {
		var err error
		if b.walls[name], err = l.expect(ctx, name, m, dir); err != nil {
			return nil, err
		}
	}
	wall, err := wallFolder(first, m)
	if err != nil {
		return nil, err
	}
	b.computer, err = newComputer(ctx, l, m, under(guestWall, wall), dir)
	return b, err
}

// expect returns the expected picture of a wall on a machine's screen.
func (l *lab) expect(ctx context.Context, name string, m *machine, dir string) (*image.RGBA, error) {
	painted, err := l.painting(ctx, name, m, dir)
	if err != nil {
		return nil, err
	}
	return onDevice(painted, m.format)
}

// A painting identifies a picture of a wall in a certain size. All machines with screens of this size use the same picture.
type painting struct {
	wall string
	size image.Point
}

// painting() returns the picture of a wall in the size of a machine's screen, painted by the dashboard. All machines with this size use
// the same picture.
func (l *lab) painting(ctx context.Context, name string, m *machine, dir string) (*image.RGBA, error) {
	l.brush.Lock()
	defer l.brush.Unlock()
	key := painting{name, m.size}
	if l.painted[key] != nil {
		return l.painted[key], nil
	}
	files, err := wallFolder(name, m)
	if err != nil {
		return nil, err
	}
	folder, err := newFolder(dir, name)
	if err != nil {
		return nil, err
	}
	if err := writeFiles(folder, files); err != nil {
		return nil, err
	}
	l.painted[key], err = l.paintTwice(ctx, folder, m.size)
	return l.painted[key], err
}

// startDashboard starts the dashboard if it is not running.
func (b *bench) startDashboard() error { return b.start(guestDashboard, "--config-dir", guestWall) }

// put writes the widgets file of a wall.
func (b *bench) put(wall string) error {
	text, err := widgetsOf(wall)
	if err != nil {
		return err
	}
	b.on = wall
	return b.guest.write(guestWall+"/widgets.yaml", string(text))
}

// reload writes the widgets file of a wall and makes the dashboard load it.
func (b *bench) reload(wall string) error {
	if err := b.put(wall); err != nil {
		return err
	}
	return b.guest.signal(b.pid, syscall.SIGUSR1)
}

// ready() makes the dashboard show the first wall. It starts the dashboard if it does not run.
func (b *bench) ready() error {
	if b.pid == 0 {
		if err := b.put(first); err != nil {
			return err
		}
		if err := b.startDashboard(); err != nil {
			return err
		}
	} else if b.on != first {
		if err := b.reload(first); err != nil {
			return err
		}
	}
	return b.screen.await(b.shows(first))
}

func (b *bench) shows(wall string) condition { return b.screen.shows(b.walls[wall]) }
