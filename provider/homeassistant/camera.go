package homeassistant

import (
	"fmt"
	"strings"

	"dashboard/internal/fetch"
)

// Camera returns the request for a picture of a camera or, if `moves` is true, for a stream of pictures
// (developers.home-assistant.io/docs/api/rest, camera_proxy).
func (h *Home) Camera(id string, moves bool) (fetch.Request, error) {
	if err := CheckID(id); err != nil {
		return fetch.Request{}, err
	}
	if !strings.HasPrefix(id, "camera.") || strings.ContainsAny(id, "/?#%") { // the ID becomes a part of an address
		return fetch.Request{}, fmt.Errorf("%s is not a camera, such as camera.door", id)
	}
	proxy := "camera_proxy/"
	if moves {
		proxy = "camera_proxy_stream/"
	}
	return fetch.Request{
		URL: strings.TrimSuffix(h.request.URL, "websocket") + proxy + id, Secret: h.request.Secret, Auth: fetch.Auth{Bearer: h.token},
	}, nil
}

// Base returns a request for the address of Home Assistant. The caller adds the path of a picture from an attribute. The request has no
// access token, because such a path already contains another token.
func (h *Home) Base() fetch.Request {
	return fetch.Request{URL: strings.TrimSuffix(h.request.URL, "api/websocket"), Secret: h.request.Secret}
}
