package settings

import (
	"cmp"
	"os"
	"path/filepath"
	"strings"
)

// languages maps a country to its language, for countries in which nearly all inhabitants read the same language. In other countries the
// wall uses English words, but the country's formats of times, dates and numbers. Japan and Korea are not in the map, because the card has
// no font for their letters.
var languages = map[string]string{
	"AR": "es", "AT": "de", "BG": "bg", "BR": "pt", "CL": "es", "CO": "es", "CZ": "cs", "DE": "de", "DK": "da", "EE": "et", "ES": "es", "FR": "fr",
	"GR": "el", "HR": "hr", "HU": "hu", "IT": "it", "LI": "de", "LT": "lt", "LV": "lv", "MX": "es", "NL": "nl", "NO": "nb",
	"PE": "es", "PL": "pl", "PT": "pt", "RO": "ro", "RU": "ru", "SE": "sv", "SI": "sl", "SK": "sk", "TR": "tr", "UA": "uk", "UY": "es", "VN": "vi",
}

// localeOf returns the locale of a country, such as de-DE, or "" if `country` is empty.
func localeOf(country string) string {
	switch language, ok := languages[country]; {
	case country == "":
		return ""
	case ok:
		return language + "-" + country
	}
	return "en-" + country
}

// Language returns the value of LANG for the wall. It uses the first of these values that is set: locale, the time zone's country,
// wifi_country. If none is set, it returns "". `table` is tzdata's zone.tab with the columns country, coordinates, zone and comment.
func (s Settings) Language(table string) string {
	tag := cmp.Or(s.Locale, localeOf(countryOf(s.Timezone, table)), localeOf(s.WifiCountry))
	if tag == "" {
		return ""
	}
	return strings.ReplaceAll(tag, "-", "_") + ".UTF-8"
}

func countryOf(zone, table string) string {
	for line := range strings.Lines(table) {
		if f := strings.Fields(line); len(f) >= 3 && strings.EqualFold(f[2], zone) {
			return f[0]
		}
	}
	return ""
}

// PresentZone returns the present name of a time zone with an old name, such as Asia/Kolkata for Asia/Calcutta. In the folder of tzdata, an
// old name is a link to the present name, which `table` (zone.tab) lists. A zone without a present name is returned unchanged.
func PresentZone(folder, zone, table string) string {
	const mostLinks = 4 // an old name may lead to another old name
	now := zone
	for range mostLinks {
		switch {
		case now == "Etc/UTC":
			return "UTC"
		case countryOf(now, table) != "":
			return now
		}
		target, err := os.Readlink(filepath.Join(folder, now))
		if err != nil {
			break
		}
		now = filepath.Join(filepath.Dir(now), target)
	}
	return zone
}
