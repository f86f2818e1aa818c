// Package fbtest provides a framebuffer in memory with any geometry, and tests that every display must pass.
package fbtest

import (
	"errors"
	"fmt"
	"image"
	"sync"

	"dashboard/fb"
)

// guard is the value of bytes that no display may overwrite. Black and white pixels do not contain it.
const guard = 0xa5

// margin is the number of guard bytes before and after the memory.
const margin = 64

// A Memory is an fb.Device in memory. Guard bytes fill everything outside the visible window. Several goroutines may use it, but they must
// not access the pixels at the same time.
type Memory struct {
	mu         sync.Mutex
	geometry   fb.Geometry
	guarded    []byte
	err        error
	panError   error
	waitVSync  func() error
	pans       []int
	flushed    []image.Rectangle
	flushError error
	off        bool
	closed     int
}

// NewMemory returns a Memory with the geometry g. If Stride, Size or the virtual size is 0, the smallest possible value is used.
func NewMemory(g fb.Geometry) *Memory {
	if g.Driver == "" {
		g.Driver = "memory"
	}
	g.VirtualWidth = max(g.VirtualWidth, g.XOffset+g.Width)
	g.VirtualHeight = max(g.VirtualHeight, g.YOffset+g.Height)
	if g.Stride == 0 {
		g.Stride = g.VirtualWidth * g.Format.BytesPerPixel()
	}
	if g.Size == 0 {
		g.Size = g.Stride * g.VirtualHeight
	}
	m := &Memory{geometry: g, guarded: make([]byte, g.Size+2*margin)}
	for i := range m.guarded {
		m.guarded[i] = guard
	}
	return m
}

// Geometry implements fb.Device.
func (m *Memory) Geometry() (fb.Geometry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.geometry, m.err
}

// Pixels implements fb.Device.
func (m *Memory) Pixels() []byte {
	end := margin + m.geometry.Size
	return m.guarded[margin:end:end]
}

// Pan implements fb.Device.
func (m *Memory) Pan(yOffset int) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.panError != nil {
		return m.panError
	}
	m.pans = append(m.pans, yOffset)
	m.geometry.YOffset = yOffset
	return nil
}

// WaitVSync implements fb.Device. It returns an error unless SetWaitVSync was called.
func (m *Memory) WaitVSync() error {
	m.mu.Lock()
	wait := m.waitVSync
	m.mu.Unlock()
	if wait == nil {
		return errors.ErrUnsupported
	}
	return wait()
}

// Flush implements fb.Device. It stores the rectangles for Flushed.
func (m *Memory) Flush(rs []image.Rectangle) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.flushed = append(m.flushed[:0], rs...)
	return m.flushError
}

// Flushed returns the rectangles of the latest Flush.
func (m *Memory) Flushed() []image.Rectangle {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]image.Rectangle(nil), m.flushed...)
}

// FailFlush makes Flush return err from now on.
func (m *Memory) FailFlush(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.flushError = err
}

// Power implements fb.Device.
func (m *Memory) Power(on bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.off = !on
	return nil
}

// Off reports whether the screen is switched off.
func (m *Memory) Off() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.off
}

// Close implements fb.Device. A second Close returns an error.
func (m *Memory) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed++
	if m.closed > 1 {
		return errors.New("fbtest: closed twice")
	}
	return nil
}

// Closed reports whether the device has been closed.
func (m *Memory) Closed() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.closed > 0
}

// Fail makes Geometry return err from now on, as if the device was removed.
func (m *Memory) Fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.err = err
}

// FailPan makes Pan return err from now on.
func (m *Memory) FailPan(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.panError = err
}

// SetWaitVSync makes WaitVSync call the function `wait`.
func (m *Memory) SetWaitVSync(wait func() error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.waitVSync = wait
}

// Change makes Geometry return another geometry from now on. It does not change the memory.
func (m *Memory) Change(g fb.Geometry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.geometry = g
}

// Pans returns the rows of all calls of Pan so far.
func (m *Memory) Pans() []int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]int(nil), m.pans...)
}

// Shown returns the picture on the screen.
func (m *Memory) Shown() *image.RGBA {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.geometry.DecodeRGBA(m.guarded[margin:])
}

// CheckGuards returns an error if a byte outside the visible window was overwritten. Do not use it for displays that pan, because such
// displays write two windows.
func (m *Memory) CheckGuards() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	g := m.geometry
	left := g.XOffset * g.Format.BytesPerPixel()
	right := left + g.Width*g.Format.BytesPerPixel()
	for i, b := range m.guarded {
		at := i - margin
		row, column := at/g.Stride-g.YOffset, at%g.Stride
		visible := at >= 0 && at < g.Size && row >= 0 && row < g.Height && column >= left && column < right
		if !visible && b != guard {
			return fmt.Errorf("fbtest: byte %d (row %d, column %d) outside of the screen was written", at, row, column)
		}
	}
	return nil
}
