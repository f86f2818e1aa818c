// Command imager writes a manifest for Raspberry Pi Imager. With the manifest, Imager lists the image of the SD card and can customize
// the card.
//
// The manifest has the format of Imager's list of systems (doc/json-schema/os-list-schema.json in Imager's repository).
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// A system is an entry of Imager's list of systems.
type system struct {
	Name           string   `json:"name"`
	Description    string   `json:"description"`
	URL            string   `json:"url"`
	ReleaseDate    string   `json:"release_date"`
	ExtractSize    int64    `json:"extract_size"`
	ExtractSHA256  string   `json:"extract_sha256"`
	DownloadSize   int64    `json:"image_download_size"`
	DownloadSHA256 string   `json:"image_download_sha256"`
	Devices        []string `json:"devices"`
	InitFormat     string   `json:"init_format"`
	Architecture   string   `json:"architecture"`
}

// devices are Imager's tags for the boards that can run the image. A Zero 2 W has the tag of a Pi 3.
var devices = []string{"pi3-64bit", "pi4-64bit"}

func main() {
	url := flag.String("url", "", "`address` of the folder with the image; without it, of the file on this machine")
	version := flag.String("version", "", "`version` of the release")
	date := flag.Int64("date", 0, "date of the release, Unix `seconds`")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: imager [-url ADDRESS] -version VERSION -date SECONDS IMAGE")
		os.Exit(2)
	}
	if err := write(os.Stdout, flag.Arg(0), *url, *version, time.Unix(*date, 0).UTC()); err != nil {
		fmt.Fprintln(os.Stderr, "imager:", err)
		os.Exit(1)
	}
}

// maxDownload is the maximum size of the compressed image in bytes. A larger image is an error, so that its growth is noticed.
// docs/image.md lists the parts of the image.
const maxDownload = 45_000_000

// write writes the manifest for an image. The compressed image with the extension .xz must be next to it.
func write(to io.Writer, image, url, version string, date time.Time) error {
	packed := image + ".xz"
	size, sum, err := measure(image)
	packedSize, packedSum, err2 := measure(packed)
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	if packedSize > maxDownload {
		return fmt.Errorf("%s has %d bytes, at most %d are allowed; see docs/image.md, what was tested", packed, packedSize, maxDownload)
	}
	if url == "" {
		folder, err := filepath.Abs(filepath.Dir(image))
		if err != nil {
			return err
		}
		url = "file://" + folder
	}
	e := json.NewEncoder(to)
	e.SetIndent("", "  ")
	return e.Encode(map[string][]system{"os_list": {{
		Name: "Dashboard " + version, Description: "A wall dashboard for a screen: set it up here or with a phone.",
		URL: url + "/" + filepath.Base(packed), ReleaseDate: date.Format(time.DateOnly), ExtractSize: size, ExtractSHA256: sum,
		DownloadSize: packedSize, DownloadSHA256: packedSum, Devices: devices, InitFormat: "cloudinit", Architecture: "armv8",
	}}})
}

// measure returns the size and the checksum of a file.
func measure(path string) (size int64, sum string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, "", err
	}
	defer f.Close()
	h := sha256.New()
	size, err = io.Copy(h, f)
	return size, hex.EncodeToString(h.Sum(nil)), err
}
