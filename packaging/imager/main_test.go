package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The manifest has the sizes and checksums of the image and of the compressed image. It also names cloud-init as the format in which
// Imager stores the user's settings on the card.
func TestManifest(t *testing.T) {
	image := filepath.Join(t.TempDir(), "dashboard.img")
	for path, text := range map[string]string{image: "abc", image + ".xz": ""} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var b bytes.Buffer
	date := time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC)
	if err := write(&b, image, "https://example.org/r", "1.2.3", date); err != nil {
		t.Fatal(err)
	}
	var m struct {
		List []system `json:"os_list"`
	}
	if err := json.Unmarshal(b.Bytes(), &m); err != nil || len(m.List) != 1 {
		t.Fatalf("got %s, %v", b.Bytes(), err)
	}
	s := m.List[0]
	const abc, empty = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	if s.URL != "https://example.org/r/dashboard.img.xz" || s.InitFormat != "cloudinit" || s.ExtractSize != 3 || s.ExtractSHA256 != abc ||
		s.DownloadSize != 0 || s.DownloadSHA256 != empty || s.ReleaseDate != "2026-11-24" || len(s.Devices) != 2 {
		t.Errorf("got %+v", s)
	}
	b.Reset()
	if err := write(&b, image, "", "1.2.3", date); err != nil || !strings.Contains(b.String(), "file://"+filepath.Dir(image)+"/dashboard.img.xz") {
		t.Errorf("without an address: got %s, %v", b.String(), err)
	}
	if err := write(&b, image+"2", "", "", date); err == nil {
		t.Error("without an image: got no error")
	}
	if err := os.Truncate(image+".xz", maxDownload+1); err != nil {
		t.Fatal(err)
	}
	if err := write(&b, image, "", "", date); err == nil || !strings.Contains(err.Error(), "at most 45000000") {
		t.Errorf("a packed image that is too large: got %v", err)
	}
}
