package homeassistant

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"time"

	"dashboard/internal/fetch"
)

// callTime bounds a service's answer: some wait for a device that answers by radio.
const callTime = 20 * time.Second

// Call has Home Assistant do something: a service such as light.turn_on, with an entity or "", and what else it is told, which may be nil
// (developers.home-assistant.io/docs/api/websocket, call_service).
func (h *Home) Call(ctx context.Context, service, entity string, data map[string]any) error {
	domain, name, ok := strings.Cut(service, ".")
	if !ok || domain == "" || name == "" || len(service) > maxID || strings.Contains(name, ".") {
		return fmt.Errorf("%.80q is no action of Home Assistant: one is written like light.turn_on", service)
	}
	message := map[string]any{"type": "call_service", "domain": domain, "service": name, "service_data": map[string]any{}}
	if data != nil {
		message["service_data"] = maps.Clone(data)
	}
	if entity != "" {
		if err := CheckID(entity); err != nil {
			return err
		}
		message["target"] = map[string]any{"entity_id": entity}
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	c, release, err := h.Connect(ctx)
	if err != nil {
		return err
	}
	defer release()
	_, err = c.Ask(ctx, message)
	return err
}

// Calendar is the request for the events of a calendar between two moments (developers.home-assistant.io/docs/api/rest, calendars).
func (h *Home) Calendar(id string, from, to time.Time) (fetch.Request, error) {
	if err := CheckID(id); err != nil {
		return fetch.Request{}, err
	}
	if !strings.HasPrefix(id, "calendar.") || strings.ContainsAny(id, "/?#%") { // it becomes a part of an address
		return fetch.Request{}, fmt.Errorf("%s is no calendar: the entity of one is written like calendar.family", id)
	}
	span := url.Values{"start": {from.UTC().Format(time.RFC3339)}, "end": {to.UTC().Format(time.RFC3339)}}
	return fetch.Request{
		URL:    strings.TrimSuffix(h.request.URL, "websocket") + "calendars/" + id + "?" + span.Encode(),
		Secret: h.request.Secret, Auth: fetch.Auth{Bearer: h.token},
	}, nil
}
