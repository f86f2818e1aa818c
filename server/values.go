package server

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/julienschmidt/httprouter"
)

var (
	// ErrNoProvider means that no provider has the name.
	ErrNoProvider = errors.New("no provider has this name")
	// ErrNotPushed means that the provider does not receive values from outside.
	ErrNotPushed = errors.New("only providers of 'type: push' take values")
)

// Values gives access to the values of providers.
type Values interface {
	// Values describes all running providers, or only the provider with the given name. ok is false if the name is not known. Secrets are
	// masked, and large values are cut.
	Values(name string) (list []Value, ok bool)
	// Put sets a value. It returns ErrNoProvider or ErrNotPushed. Any other error has a text for the caller.
	Put(name string, body []byte) error
}

// A Value is the current value of a provider.
type Value struct {
	Name  string          `json:"name"`
	Type  string          `json:"type"`
	Value json.RawMessage `json:"value"` // null if there is no value
	Cut   bool            `json:"cut"`   // true if a part of the value is left out
	At    time.Time       `json:"at,omitzero"`
	Age   any             `json:"seconds_since_value"` // age in whole seconds, or nil if there is no value
	Stale bool            `json:"stale"`
	Error any             `json:"error"` // error of the last attempt as text, or nil if it has succeeded
}

// values() answers GET /values and GET /values/NAME.
func (s *Server) values(w http.ResponseWriter, r *http.Request) {
	name := httprouter.ParamsFromContext(r.Context()).ByName("name")
	if s.deps.Values == nil {
		refuse(w, http.StatusNotFound, ErrNoProvider.Error())
		return
	}
	list, ok := s.deps.Values.Values(name)
	switch {
	case !ok:
		s.noProvider(w)
	case name != "":
		answer(w, http.StatusOK, fields{"success": true, "value": list[0]})
	default:
		answer(w, http.StatusOK, fields{"success": true, "values": append([]Value{}, list...)})
	}
}

// putValue answers PUT /values/NAME.
func (s *Server) putValue(w http.ResponseWriter, r *http.Request) {
	if s.deps.Values == nil {
		refuse(w, http.StatusNotFound, ErrNoProvider.Error())
		return
	}
	body, ok := readBody(w, r, maxBody)
	if !ok {
		return
	}
	err := s.deps.Values.Put(httprouter.ParamsFromContext(r.Context()).ByName("name"), body)
	switch {
	case err == nil:
		answer(w, http.StatusOK, fields{"success": true})
	case errors.Is(err, ErrNoProvider):
		s.noProvider(w)
	case errors.Is(err, ErrNotPushed):
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		refuse(w, http.StatusMethodNotAllowed, err.Error())
	default:
		refuse(w, http.StatusBadRequest, err.Error())
	}
}

// maxNamesTold is the maximum number of providers that an answer about an unknown name lists.
const maxNamesTold = 20

// noProvider answers a request for an unknown provider. It lists the providers.
func (s *Server) noProvider(w http.ResponseWriter) {
	list, _ := s.deps.Values.Values("")
	var names []string
	for _, v := range list[:min(len(list), maxNamesTold)] {
		names = append(names, v.Name)
	}
	if len(list) > maxNamesTold {
		names = append(names, "…")
	}
	refuse(w, http.StatusNotFound, ErrNoProvider.Error()+"; there are: "+cmp.Or(strings.Join(names, ", "), "none"))
}
