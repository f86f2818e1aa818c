package server

import (
	"errors"
	"math"
	"net/http"

	"dashboard/control"
	"dashboard/output/trmnl"
)

// tending() wraps a handler that manages e-readers. It requires the control token. If no control token is configured, it requires the
// stream token, so that a caller that may not see the wall cannot allow e-readers to show it. If there are no tokens, every caller is
// allowed.
func (s *Server) tending(h http.HandlerFunc) http.HandlerFunc {
	return s.control(func(w http.ResponseWriter, r *http.Request) {
		c := s.settings.Load()
		switch {
		case c.ControlToken == nil && !authorized(r, c.StreamToken):
			reject(w, "stream")
		case s.deps.Readers == nil || !s.deps.Readers.On():
			refuse(w, http.StatusNotFound, errNoReaders)
		default:
			h(w, r)
		}
	})
}

// number converts NaN to null.
func number(v float64) any {
	if math.IsNaN(v) {
		return nil
	}
	return v
}

// readerList answers GET /readers with the e-readers, and the devices that request permission.
func (s *Server) readerList(w http.ResponseWriter, _ *http.Request) {
	shown, waiting := []fields{}, []fields{}
	all, _ := s.deps.Readers.Status()
	for _, d := range all {
		shown = append(shown, fields{
			"id": d.Name, "friendly_id": d.Friendly, "view": d.View, "model": d.Model, "listed": !d.Guest, "seen_at": control.Moment(d.Seen),
			"battery_volts": number(d.Volts), "battery_percent": number(d.Percent), "charging": d.Charging, "signal_dbm": number(d.Signal), "refresh": d.Refresh,
		})
	}
	for _, id := range s.deps.Readers.Asking() {
		waiting = append(waiting, fields{"id": id, "friendly_id": trmnl.Friendly(id)})
	}
	answer(w, http.StatusOK, fields{"success": true, "readers": shown, "waiting": waiting})
}

// allowReader answers POST /readers.
func (s *Server) allowReader(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		ID *string `json:"id"`
	}
	switch {
	case !readObject(w, r, &asked, "'id', the address of a device that asks"):
		return
	case asked.ID == nil:
		refuse(w, http.StatusBadRequest, "'id' is required: the address of a device that asks")
		return
	}
	if err := s.deps.Readers.Allow(*asked.ID); err != nil {
		refuseChange(w, err)
		return
	}
	s.log.Info("an e-reader was allowed", "address", *asked.ID, "by", r.RemoteAddr)
	answer(w, http.StatusOK, fields{"success": true, "friendly_id": trmnl.Friendly(*asked.ID)})
}

// removeReader answers DELETE /readers/ID.
func (s *Server) removeReader(w http.ResponseWriter, r *http.Request) {
	id := deviceID(r)
	if err := s.deps.Readers.Remove(id); err != nil {
		refuseChange(w, err)
		return
	}
	s.log.Info("an e-reader was removed", "address", id, "by", r.RemoteAddr)
	answer(w, http.StatusOK, fields{"success": true})
}

// refuseChange refuses a change of the e-readers.
func refuseChange(w http.ResponseWriter, err error) {
	status := http.StatusNotFound
	if errors.Is(err, trmnl.ErrFull) || errors.Is(err, trmnl.ErrListed) {
		status = http.StatusConflict
	}
	refuse(w, status, err.Error())
}
