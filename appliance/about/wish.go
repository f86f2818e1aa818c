package about

// Files between the set-up, which has no rights, and the keeper, which writes the card.
const (
	// WishFile has a Wish. The set-up's unit writes it.
	WishFile = "run/dashboard-setup/wish.json"
	// GrantFile has the number of the last wish in its first line, and then the reason if it was not granted.
	GrantFile = "run/appliance/setup"
	// PointFile names the access point and its password, for the report.
	PointFile = "run/dashboard-setup/point"
	// GalleryFolder has a folder for each wall that the set-up offers, with its files and wall.png.
	GalleryFolder = "usr/share/dashboard/gallery"
	// GalleryPicture is the picture in such a folder.
	GalleryPicture = "wall.png"
)

// A Wish is what the set-up wants to be written to the card. Empty values stay as they are.
type Wish struct {
	ID       string `json:"id"`
	Locale   string `json:"locale"`
	Country  string `json:"country"`
	Name     string `json:"name"`
	Zone     string `json:"zone"`
	Place    string `json:"place"` // latitude and longitude, as "48.52, 9.06"
	Wall     string `json:"wall"`  // name in the gallery
	Network  string `json:"network"`
	Password string `json:"password"` // as settings.txt has it
}
