package ical

// otherNames are zone names of programs that follow no list.
var otherNames = map[string]string{
	"Western/Central Europe": "Europe/Berlin", // Lotus Notes
	"Mitteleuropäische Zeit": "Europe/Berlin",
	"Eastern":                "America/New_York",
	"Central":                "America/Chicago",
	"Mountain":               "America/Denver",
	"Pacific":                "America/Los_Angeles",
	"GMT":                    "UTC",
	"Z":                      "UTC",

	"US-Eastern":  "America/New_York", // in the examples of RFC 5545
	"US-Central":  "America/Chicago",
	"US-Mountain": "America/Denver",
	"US-Pacific":  "America/Los_Angeles",

	"Universal Coordinated Time":      "UTC",
	"Israel, Jerusalem Standard Time": "Asia/Jerusalem",
}

// displayNames maps the names that Windows and Outlook show to the keys of windowsZones. Names that begin with the city of an IANA
// zone are not listed, because city finds them.
var displayNames = map[string]string{
	"International Date Line West":   "Dateline Standard Time",
	"Aleutian Islands":               "Aleutian Standard Time",
	"Hawaii":                         "Hawaiian Standard Time",
	"Marquesas Islands":              "Marquesas Standard Time",
	"Alaska":                         "Alaskan Standard Time",
	"Baja California":                "Pacific Standard Time (Mexico)",
	"Pacific Time (US & Canada)":     "Pacific Standard Time",
	"Arizona":                        "US Mountain Standard Time",
	"Chihuahua, La Paz, Mazatlan":    "Mountain Standard Time (Mexico)",
	"La Paz, Mazatlan":               "Mountain Standard Time (Mexico)",
	"Mountain Time (US & Canada)":    "Mountain Standard Time",
	"Central Time (US & Canada)":     "Central Standard Time",
	"Saskatchewan":                   "Canada Central Standard Time",
	"Chetumal":                       "Eastern Standard Time (Mexico)",
	"Eastern Time (US & Canada)":     "Eastern Standard Time",
	"Indiana (East)":                 "US Eastern Standard Time",
	"Turks & Caicos":                 "Turks And Caicos Standard Time",
	"Atlantic Time (Canada)":         "Atlantic Standard Time",
	"Georgetown":                     "SA Eastern Standard Time",
	"Brasilia":                       "E. South America Standard Time",
	"City of Buenos Aires":           "Argentina Standard Time",
	"Saint Pierre & Miquelon":        "Saint Pierre Standard Time",
	"Salvador":                       "Bahia Standard Time",
	"Mid-Atlantic":                   "UTC-02",
	"Cape Verde Is.":                 "Cape Verde Standard Time",
	"Cape Verde Islands":             "Cape Verde Standard Time",
	"Cabo Verde Is.":                 "Cape Verde Standard Time",
	"West Central Africa":            "W. Central Africa Standard Time",
	"Port Louis":                     "Mauritius Standard Time",
	"Ekaterinburg":                   "Ekaterinburg Standard Time",
	"Astana":                         "Qyzylorda Standard Time",
	"Nur-Sultan":                     "Qyzylorda Standard Time",
	"Sri Jayawardenepura":            "Sri Lanka Standard Time",
	"Sri Jayawardenepura, Sri Lanka": "Sri Lanka Standard Time",
	"Yangon (Rangoon)":               "Myanmar Standard Time",
	"Lord Howe Island":               "Lord Howe Standard Time",
	"Bougainville Island":            "Bougainville Standard Time",
	"Chokurdakh":                     "Russia Time Zone 10",
	"Norfolk Island":                 "Norfolk Standard Time",
	"Solomon Is., New Caledonia":     "Central Pacific Standard Time",
	"Solomon Islands, New Caledonia": "Central Pacific Standard Time",
	"Petropavlovsk-Kamchatsky":       "Russia Time Zone 11",
	"Marshall Is.":                   "UTC+12",
	"Marshall Islands":               "UTC+12",
	"Chatham Islands":                "Chatham Islands Standard Time",
	"Nuku'alofa":                     "Tonga Standard Time",
	"Nuku'alofa, Tonga":              "Tonga Standard Time",
	"Kiritimati Island":              "Line Islands Standard Time",
}
