package settings

import (
	"cmp"
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
