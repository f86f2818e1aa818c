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

// callTime is the maximum time until Home Assistant answers a call. Some services wait for a radio device.
const callTime = 20 * time.Second

// Call calls a service (an action) of Home Assistant, such as light.turn_on. `entity` may be "", and `data` may be nil
// (developers.home-assistant.io/docs/api/websocket, call_service).
func (h *Home) Call(ctx context.Context, service, entity string, data map[string]any) error {
	domain, name, ok := strings.Cut(service, ".")
	if !ok || domain == "" || name == "" || len(service) > maxID || strings.Contains(name, ".") {
		return fmt.Errorf("%.80q is not an action of Home Assistant, such as light.turn_on", service)
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

// Call calls a service of the provider's Home Assistant. See Home.Call.
func (p *Provider) Call(ctx context.Context, service, entity string, data map[string]any) error {
	return p.home.Call(ctx, service, entity, data)
}

// Calendar returns the request for the events of a calendar between two times (developers.home-assistant.io/docs/api/rest, calendars).
func (h *Home) Calendar(id string, from, to time.Time) (fetch.Request, error) {
	if err := CheckID(id); err != nil {
		return fetch.Request{}, err
	}
	if !strings.HasPrefix(id, "calendar.") || strings.ContainsAny(id, "/?#%") { // the ID becomes a part of an address
		return fetch.Request{}, fmt.Errorf("%s is not a calendar, such as calendar.family", id)
	}
	span := url.Values{"start": {from.UTC().Format(time.RFC3339)}, "end": {to.UTC().Format(time.RFC3339)}}
	return fetch.Request{
		URL:    strings.TrimSuffix(h.request.URL, "websocket") + "calendars/" + id + "?" + span.Encode(),
		Secret: h.request.Secret, Auth: fetch.Auth{Bearer: h.token},
	}, nil
}
