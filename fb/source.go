package fb

import "context"

// A source opens a device whenever this is necessary. It holds the state that outlives a device. Only watch() may run concurrently with
// other methods.
type source interface {
	open() (Device, error)
	// listen starts to receive the messages that watch() reads. It is called before the first call of open(), so that no later change is
	// missed.
	listen()
	// watch calls the function `look` when a device has appeared, disappeared or changed, until ctx is done.
	watch(ctx context.Context, look func())
	// yield lets another console use the screen. The method regain() takes the screen back.
	yield()
	regain()
	close()
}

// A plainSource is a source that consists only of a function that opens the device.
type plainSource func() (Device, error)

func (s plainSource) open() (Device, error)             { return s() }
func (plainSource) listen()                             {}
func (plainSource) watch(ctx context.Context, _ func()) { <-ctx.Done() }
func (plainSource) yield()                              {}
func (plainSource) regain()                             {}
func (plainSource) close()                              {}

// source returns the source of the screen that the options describe.
func (o Options) source() source {
	if o.Connector == nil || o.Virtual != nil {
		return plainSource(o.openDevice)
	}
	return newConnectorSource(o)
}
