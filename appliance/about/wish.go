package about

// Files for the communication between the set-up, which has no rights, and the keeper, which writes the card.
const (
	// WishFile has a Wish. The set-up's unit writes it.
	WishFile = "run/dashboard-setup/wish.json"
	// GrantFile has the ID of the last wish in its first line. If the wish was not granted, the reason follows.
	GrantFile = "run/appliance/setup"
	// PointFile has the name and the password of the access point, for the report.
	PointFile = "run/dashboard-setup/point"
	// CodesFile changes with each request for the codes of the access point. The keeper writes it.
	CodesFile = "run/appliance/codes"
	// GalleryFolder has one folder for each wall that the set-up offers. The folder has the wall's files and wall.png.
	GalleryFolder = "usr/share/dashboard/gallery"
	// GalleryPicture is the name of the picture in such a folder.
	GalleryPicture = "wall.png"
)

// A Wish describes the changes that the set-up requests for the card. Empty values change nothing.
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
}
