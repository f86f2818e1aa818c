package homeassistant

import (
	"fmt"
	"strings"

	"dashboard/internal/fetch"
)

// Camera is the request for the picture of a camera: one, or with moves a stream of them
// (developers.home-assistant.io/docs/api/rest, camera_proxy).
func (h *Home) Camera(id string, moves bool) (fetch.Request, error) {
	if err := CheckID(id); err != nil {
		return fetch.Request{}, err
	}
	if !strings.HasPrefix(id, "camera.") || strings.ContainsAny(id, "/?#%") { // it becomes a part of an address
		return fetch.Request{}, fmt.Errorf("%s is no camera: the entity of one is written like camera.door", id)
	}
	proxy := "camera_proxy/"
	if moves {
		proxy = "camera_proxy_stream/"
	}
	return fetch.Request{
		URL: strings.TrimSuffix(h.request.URL, "websocket") + proxy + id, Secret: h.request.Secret, Auth: fetch.Auth{Bearer: h.token},
	}, nil
}
