package server

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"dashboard/control"
	"dashboard/control/pairing"
)

const (
	// editCookie is the cookie with the token of a device that may edit.
	editCookie = "dashboard_edit"
	// askCookie is the cookie with the secret of a device's request.
	askCookie = "dashboard_edit_ask"
	// editCookieTime is the lifetime of the token's cookie. Browsers allow at most 400 days.
	editCookieTime = 400 * 24 * time.Hour
	// maxGuestDays is the longest permission of a guest, in days. Later the cookie of a guest may have ended.
	maxGuestDays = int(editCookieTime / (24 * time.Hour))
	// errNoCodes is the error if the wall shows no codes.
	errNoCodes = "devices are not let in by a code here; server.auth.config_token in conf.yaml allows other machines"
)

// errManyEditors is the error if no other device can get the permission.
var errManyEditors = fmt.Sprintf("%d devices may edit or are allowed; remove one first", pairing.MaxDevices)

// codes() reports whether a device can receive the permission with a code on the wall.
func (s *Server) codes() bool {
	return s.deps.Editors != nil && s.settings.Load().EditCodes
}

// editDevice returns the device that has sent a request. ok is false if the device has no permission.
func (s *Server) editDevice(r *http.Request) (pairing.Device, bool) {
	c, err := r.Cookie(editCookie)
	if err != nil || !s.codes() {
		return pairing.Device{}, false
	}
	return s.deps.Editors.Known(c.Value, s.now())
}

// setCookie sets a cookie that scripts cannot read and that pages of other sites cannot send.
func setCookie(w http.ResponseWriter, name, value string, lasts time.Duration) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/edit", MaxAge: int(lasts.Seconds()), HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
}

// renew extends the lifetime of the cookie with the token of a device. Otherwise a device that edits often would lose the permission
// editCookieTime after its code.
func (s *Server) renew(w http.ResponseWriter, r *http.Request) {
	if _, ok := s.editDevice(r); !ok {
		return
	}
	if c, err := r.Cookie(editCookie); err == nil {
		setCookie(w, editCookie, c.Value, editCookieTime)
	}
}

// askToEdit answers POST /edit/allow. The wall then shows a code.
func (s *Server) askToEdit(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Name string `json:"name"`
	}
	switch {
	case !s.asksDigits():
		refuse(w, http.StatusNotFound, errNoCodes)
		return
	case !authorized(r, s.settings.Load().ControlToken):
		reject(w, "control")
		return
	case !readObject(w, r, &asked, "'name', text, the name of the device"):
		return
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	one, secret, err := s.deps.Editors.AskFrom(asked.Name, host, browserOf(r.UserAgent()), s.now())
	if err != nil {
		refuseFor(w, 10*time.Second, http.StatusTooManyRequests, err.Error())
		return
	}
	s.log.Info("a device asks to edit the files; the wall shows its code", "name", one.Name, "address", one.Address)
	s.showCode(one.ID, one.Code, one.Name)
	setCookie(w, askCookie, secret, 2*pairing.WaitTime) // a request that is allowed at its end can be collected for another WaitTime
	answer(w, http.StatusOK, fields{"success": true, "name": one.Name, "expires_in": one.Until.Sub(s.now()).Seconds()})
}

func (s *Server) showCode(id, code, name string) {
	if s.deps.ShowCode != nil {
		s.deps.ShowCode(id, code, name)
	}
}

// enterCode answers POST /edit/allow/code. With the right code, the device receives the permission. An empty code asks whether another
// device has allowed this one.
func (s *Server) enterCode(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Code string `json:"code"`
	}
	if !s.codes() {
		refuse(w, http.StatusNotFound, errNoCodes)
		return
	}
	if !readObject(w, r, &asked, "'code', the six digits on the wall, as text") {
		return
	}
	secret := ""
	if c, err := r.Cookie(askCookie); err == nil {
		secret = c.Value
	}
	if asked.Code == "" {
		s.collectEdit(w, secret)
		return
	}
	d, token, left, err := s.deps.Editors.Enter(secret, asked.Code, s.now())
	if err != nil {
		refuseCode(w, left, err)
		return
	}
	s.letIn(w, d, token)
}

// collectEdit gives a device the permission if another device has allowed its request. Otherwise the answer has the state of the request.
func (s *Server) collectEdit(w http.ResponseWriter, secret string) {
	state, token, _, err := s.deps.Editors.Collect(secret, s.now())
	switch {
	case err != nil:
		refuseCode(w, 0, err)
	case state != pairing.Paired:
		answer(w, http.StatusOK, fields{"success": true, "state": state})
	default:
		d, _ := s.deps.Editors.Known(token, s.now())
		s.letIn(w, d, token)
	}
}

// letIn answers a device that has received the permission.
func (s *Server) letIn(w http.ResponseWriter, d pairing.Device, token string) {
	s.log.Info("a device may edit the files", "name", d.Name, "address", d.Address)
	s.showCode(d.ID, "", d.Name)
	setCookie(w, askCookie, "", -time.Second)
	setCookie(w, editCookie, token, editCookieTime)
	answer(w, http.StatusOK, fields{"success": true, "state": pairing.Paired, "id": d.ID, "name": d.Name})
}

// editDevices answers GET /edit/devices.
func (s *Server) editDevices(w http.ResponseWriter, r *http.Request) {
	if s.deps.Editors == nil {
		refuse(w, http.StatusNotFound, errNoCodes)
		return
	}
	own, _ := s.editDevice(r)
	asking := []fields{} // first, because Asking removes guests whose permission has ended
	for _, one := range s.deps.Editors.Asking(s.now()) {
		asking = append(asking, fields{
			"id": one.ID, "name": one.Name, "address": one.Address, "browser": one.Browser, "allowed": one.Confirmed(),
		})
	}
	list := []fields{}
	for _, d := range s.deps.Editors.Devices() {
		list = append(list, fields{
			"id": d.ID, "name": d.Name, "address": d.Address, "browser": d.Browser, "own": d.ID == own.ID,
			"allowed_at": control.Moment(d.Paired), "seen_at": control.Moment(d.Seen), "ends_at": control.Moment(d.Ends),
		})
	}
	answer(w, http.StatusOK, fields{"success": true, "devices": list, "asking": asking, "codes": s.codes(), "digits": s.asksDigits()})
}

// allowEditDevice answers POST /edit/devices/ID. The waiting device with this ID receives the permission without its code.
func (s *Server) allowEditDevice(w http.ResponseWriter, r *http.Request) {
	if !s.codes() {
		refuse(w, http.StatusNotFound, errNoCodes)
		return
	}
	var asked struct {
		Days *int `json:"days"`
	}
	if !readObject(w, r, &asked, "optionally 'days', after which the permission ends") {
		return
	}
	var ends time.Time
	if d := asked.Days; d != nil {
		if *d < 1 || *d > maxGuestDays {
			refuse(w, http.StatusBadRequest, fmt.Sprintf("'days' must be from 1 to %d", maxGuestDays))
			return
		}
		ends = s.now().AddDate(0, 0, *d)
	}
	one, err := s.deps.Editors.AllowUntil(deviceID(r), ends, s.now())
	switch {
	case errors.Is(err, pairing.ErrUnknown):
		refuse(w, http.StatusNotFound, "no device with this ID waits for the permission")
		return
	case err != nil:
		refuse(w, http.StatusConflict, errManyEditors)
		return
	}
	s.log.Info("a device allows another device to edit the files", "name", one.Name, "address", one.Address, "by", r.RemoteAddr)
	answer(w, http.StatusOK, fields{"success": true})
}

// removeEditDevice answers DELETE /edit/devices/ID. It refuses a device that asks, or withdraws the permission of a device.
func (s *Server) removeEditDevice(w http.ResponseWriter, r *http.Request) {
	if s.deps.Editors == nil {
		refuse(w, http.StatusNotFound, errNoCodes)
		return
	}
	id := deviceID(r)
	// A request becomes a device when its token is collected. Therefore the list of requests is first.
	if one, err := s.deps.Editors.Refuse(id, s.now()); err == nil {
		s.showCode(one.ID, "", "")
		s.log.Info("a request to edit was refused", "name", one.Name, "address", one.Address, "by", r.RemoteAddr)
		answer(w, http.StatusOK, fields{"success": true})
		return
	}
	err := s.deps.Editors.Revoke(id, s.now())
	switch {
	case errors.Is(err, pairing.ErrUnknown):
		refuse(w, http.StatusNotFound, "there is no such device")
		return
	case err != nil:
		s.log.Warn("a device may not edit any more", "reason", err)
	}
	s.log.Info("a device may not edit any more", "by", r.RemoteAddr)
	answer(w, http.StatusOK, fields{"success": true})
}

// restoreEditDevice answers POST /edit/devices/ID/undo. A device that was removed a moment ago has its permission again.
func (s *Server) restoreEditDevice(w http.ResponseWriter, r *http.Request) {
	if !s.codes() {
		refuse(w, http.StatusNotFound, errNoCodes)
		return
	}
	if !readObject(w, r, &struct{}{}, "no keys") {
		return
	}
	d, err := s.deps.Editors.Restore(deviceID(r), s.now())
	switch {
	case errors.Is(err, pairing.ErrUnknown):
		refuse(w, http.StatusNotFound, "the removal of this device cannot be undone any more")
	case errors.Is(err, pairing.ErrFull):
		refuse(w, http.StatusConflict, errManyEditors)
	case err != nil:
		s.log.Warn("cannot restore the permission of a device", "reason", err)
		refuse(w, http.StatusInternalServerError, "the device cannot be kept")
	default:
		s.log.Info("the removal of a device was undone", "name", d.Name, "address", d.Address, "by", r.RemoteAddr)
		answer(w, http.StatusOK, fields{"success": true})
	}
}
