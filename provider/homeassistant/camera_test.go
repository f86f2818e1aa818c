package homeassistant

import (
	"strings"
	"testing"
)

func TestCameraOfAnEntity(t *testing.T) {
	h, err := NewHome("http://home.lan:8123/", true, "tok", Deps{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := h.Camera("camera.door", false)
	if err != nil || r.URL != "http://home.lan:8123/api/camera_proxy/camera.door" || r.Auth.Bearer != "tok" || !r.Secret {
		t.Errorf("got %+v, %v", r, err)
	}
	if r, err = h.Camera("camera.door", true); err != nil || r.URL != "http://home.lan:8123/api/camera_proxy_stream/camera.door" {
		t.Errorf("a stream: got %+v, %v", r.URL, err)
	}
	for id, want := range map[string]string{"light.hall": "is not a camera", "camera./../x": "is not a camera", "camera": "is not an entity id"} {
		if _, err := h.Camera(id, false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", id, err, want)
		}
	}
}
