package rig

import (
	"syscall"
	"time"
)

const (
	// staleAfter is the time in seconds for which the remote screen tolerates a lost connection. It is long enough to distinguish a
	// warning after this time from an immediate warning.
	staleAfter = 3
	// silenceTime is the maximum time until a remote screen notices that no data arrives. The service writes every 20 s, and one message may
	// be lost.
	silenceTime = 45 * time.Second
)

// Settings of the remote screen. With the setting `patient`, a case sees only warnings that appear immediately, because the warning about a
// lost connection appears after 300 s.
var (
	patient  = screenSetting{Token: serviceToken, StaleAfter: 300}
	usual    = screenSetting{Token: serviceToken, StaleAfter: staleAfter}
	withTime = screenSetting{Token: serviceToken, StaleAfter: staleAfter, Offline: true}
)

// probes() returns the cases for a remote screen in the order in which they run.
func (r *remote) probes() []probe {
	return []probe{
		{"a wrong token is told at once", r.wrongToken},
		{"the screen shows the service's wall", r.firstFrame},
		{"text on the console does not show over it", r.textHidden},
		{"a widget changes on the host, and on the screen", r.widgetChanges},
		{"a pulled cable: the triangle comes, and goes", r.cablePulled},
		{"the service restarts after kill -9: the wall stays", r.serviceKilled},
		{"the service ends: the offline screen comes, and goes", r.serviceEnds},
		{"no service at the start: the offline screen, the wall", r.serviceLate},
		{"SIGTERM ends the program and gives the console back", r.consoleReturns},
	}
}

func (r *remote) wrongToken() error {
	r.source.value.Store(cold)
	if err := r.service.start(); err != nil {
		return err
	}
	wrong := patient
	wrong.Token = "a-wrong-one"
	if err := r.startClient(wrong); err != nil {
		return err
	}
	if err := r.screen.await(r.screen.showsOffline(blackScreen(r.machine.size))); err != nil {
		return err
	}
	return r.awaitLog("rejects the token", 0)
}

func (r *remote) firstFrame() error {
	if err := r.ready(cold, patient); err != nil {
		return err
	}
	if err := r.screen.steady(r.shows(cold)); err != nil {
		return err
	}
	return r.terminal(true, true)
}

func (r *remote) textHidden() error { return r.textStaysAway(r.shows(cold)) }

func (r *remote) widgetChanges() error {
	r.source.value.Store(warm)
	return r.screen.awaitFrom(r.oneOf(cold, warm), r.shows(warm), 0, showTime)
}

// cablePulled interrupts the network without a signal to either side, and changes a widget in the meantime.
func (r *remote) cablePulled() error {
	if err := r.ready(warm, usual); err != nil {
		return err
	}
	if err := r.plug(false); err != nil {
		return err
	}
	r.source.value.Store(cold)
	const margin = 2 * time.Minute // for a busy machine
	triangle := r.screen.showsTriangle(r.walls[warm])
	if err := r.screen.awaitFrom(r.screen.mayHaveTriangle(r.walls[warm]), triangle, staleAfter*time.Second, silenceTime+staleAfter*time.Second+margin); err != nil {
		return err
	}
	if err := r.screen.steady(triangle); err != nil {
		return err
	}
	if err := r.record("triangle"); err != nil {
		return err
	}
	if err := r.plug(true); err != nil {
		return err
	}
	return r.screen.await(r.shows(cold))
}

// serviceKilled kills the service and starts it again. Until the service runs again, the screen must show its last frame.
func (r *remote) serviceKilled() error {
	if err := r.ready(cold, patient); err != nil {
		return err
	}
	if err := r.service.end(syscall.SIGKILL); err != nil {
		return err
	}
	if err := r.awaitLog("no connection", 0); err != nil {
		return err
	}
	r.source.value.Store(warm)
	if err := r.service.start(); err != nil {
		return err
	}
	return r.screen.awaitFrom(r.oneOf(cold, warm), r.shows(warm), 0, showTime)
}

func (r *remote) serviceEnds() error {
	if err := r.ready(warm, withTime); err != nil {
		return err
	}
	if err := r.service.end(syscall.SIGTERM); err != nil {
		return err
	}
	offline := r.screen.showsOffline(r.walls[warm])
	if err := r.screen.awaitFrom(r.screen.becomesOffline(r.walls[warm], false), offline, 0, showTime); err != nil {
		return err
	}
	if err := r.record("offline"); err != nil {
		return err
	}
	if err := r.service.start(); err != nil {
		return err
	}
	return r.screen.await(r.shows(warm))
}

func (r *remote) serviceLate() error {
	if err := r.service.end(syscall.SIGTERM); err != nil {
		return err
	}
	if err := r.startClient(withTime); err != nil {
		return err
	}
	if err := r.screen.await(r.screen.showsOffline(blackScreen(r.machine.size))); err != nil {
		return err
	}
	if err := r.service.start(); err != nil {
		return err
	}
	return r.screen.await(r.shows(warm))
}

// oneOf returns the condition that the screen shows one of two walls. While the screen changes from one wall to the other, it may show
// parts of both.
func (r *remote) oneOf(a, b int) condition { return r.screen.oneOf(r.walls[a], r.walls[b]) }
