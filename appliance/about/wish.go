package about

import (
	"slices"
	"strings"
)

// Files with which two programs communicate: the unprivileged set-up, and the keeper, which writes to the card.
const (
	// WishFile contains a Wish. The set-up program writes it.
	WishFile = "run/dashboard-setup/wish.json"
	// GrantFile is the keeper's reply to a wish. The first line is the ID of the last wish. If the wish was not granted, the second line
	// is the reason.
	GrantFile = "run/appliance/setup"
	// PointFile contains the name and the password of the access point. The set-up program writes the file, and the keeper copies its
	// content into the report.
	PointFile = "run/dashboard-setup/point"
	// NetworksFile is a signal from "appliance apply" to the set-up program. Its content changes when the networks in settings.txt have
	// changed.
	NetworksFile = "run/appliance/networks"
	// CodesFile is a signal from the keeper to the set-up. The keeper changes its content at each
	// request to show or hide the codes of the access point.
	CodesFile = "run/appliance/codes"
	// GalleryFolder contains a folder for each wall that the set-up program offers. In this folder are the wall's files and wall.png.
	GalleryFolder = "usr/share/dashboard/gallery"
	// GalleryPicture is the name of the picture in a folder of the gallery.
	GalleryPicture = "wall.png"
)

// A Wish describes the changes that the set-up program wants on the card. Empty values change nothing.
type Wish struct {
	ID       string `json:"id"`
	Locale   string `json:"locale"`
	Country  string `json:"country"`
	Name     string `json:"name"`
	Zone     string `json:"zone"`
	Place    string `json:"place"` // latitude and longitude, such as "48.52, 9.06"
	Wall     string `json:"wall"`  // name of a wall in the gallery
	Network  string `json:"network"`
	Password string `json:"password"` // password as in settings.txt

	File string `json:"file,omitempty"` // file of the wall with the line to correct: conf.yaml or client.yaml. "" is settings.txt
	Line int    `json:"line,omitempty"` // number of the line to correct, or 0
	Was  string `json:"was,omitempty"`  // present text of the line with number Line, as the wall shows it
	Text string `json:"text,omitempty"` // new text of the line with number Line
}

// `live` lists the settings that apply without a restart of the board.
var live = []string{
	"role", "hostname", "timezone", "locale", "wifi_name", "wifi_password", "wifi_country",
	"address", "gateway", "dns", "ntp", "proxy",
}

// Restarts reports whether the correction of a line restarts the board.
func (w Wish) Restarts() bool {
	name, _, _ := strings.Cut(w.Text, "=")
	return w.Text != "" && w.File == "" && !slices.Contains(live, strings.ToLower(strings.TrimSpace(name)))
}

// WishOf returns the wish for the correction of a mistake. Text is the new line.
func WishOf(m *Mistake, text string) Wish {
	w := Wish{Line: m.Line, Was: m.Wrong().Text(), Text: text}
	if name, ok := strings.CutPrefix(m.File, WallPrefix); ok {
		w.File = name
	}
	return w
}
