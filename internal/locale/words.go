package locale

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed words.txt
var ownWords string

// Phrase is a text of the wall about itself. "{}" in it is the placeholder.
type Phrase uint8

// The phrases, in the order of words.txt.
const (
	NoData Phrase = iota
	Since
	NoAnswer
	NoAnswerSince
	More
	AllDay
	Now
	Until
	NothingPlanned
	Free
	Busy
	WeekNumber
	Turns
	FeelsLike
	Wind
	Gusts
	Humidity
	UVIndex
	Sunrise
	Sunset
	Noon
	OfDaylight
	LongerThanYesterday
	ShorterThanYesterday
	NoSunset
	NoSunrise
	NewMoon // and the seven phases behind it
	WaxingCrescent
	FirstQuarter
	WaxingGibbous
	FullMoon
	WaningGibbous
	LastQuarter
	WaningCrescent
	AirQuality
	AirGood // and the five classes behind it, of the European index
	AirFair
	AirModerate
	AirPoor
	AirVeryPoor
	AirExtremelyPoor
	Grass
	Birch
	Alder
	Mugwort
	Olive
	Ragweed
	PollenNone // and the three levels behind it
	PollenLow
	PollenMedium
	PollenHigh
	Clear // and all kinds of weather behind it
	MainlyClear
	PartlyCloudy
	Cloudy
	Fog
	Drizzle
	FreezingDrizzle
	LightRain
	Rain
	HeavyRain
	FreezingRain
	Sleet
	LightSnow
	Snow
	HeavySnow
	Showers
	SnowShowers
	Thunderstorm
	ThunderstormHail
	Windy
	North // and the seven directions behind it, clockwise
	NorthEast
	East
	SouthEast
	South
	SouthWest
	West
	NorthWest
	On
	Off
	Open
	Closed
	Locked
	Unlocked
	Home
	Away
	Unavailable
	NoServer
	TokenRefused
	TimeNotSet
	LastPicture
	TimeIsUp
	WeatherDataBy
	Sun
	NotFound
	NotTrusted
	WebPage
	NoFile
	NoNetwork
	TheClock // and the names of kinds of widgets behind it
	TheWeather
	TheCalendar
	ThePhotos
	ThePicture
	TheCamera
	TheChart
	TheTable
	TheList
	TheText
	TheCountdown
	TheTimer
	TheMoon
	TheProgress
	TheValue
	TheQRCode
	TheNotification
	PageOf // with two placeholders
	Highest
	Lowest
	Latest
	Rising
	Falling
	Steady
	Warning
	OutOfDate
	Running
	Paused
	Done
	PictureOfTheWall
	AsOf
	Dismiss
	CrossedOut
	TheMusic
	NothingPlays
	PreviousTitle
	Play
	Pause
	NextTitle
	phrases // how many there are
)

// Spoken lists the languages that have their own words.
func Spoken() (languages []string) {
	for line := range strings.Lines(ownWords) {
		if tag, _, found := strings.Cut(line, "|"); found {
			languages = append(languages, tag)
		}
	}
	slices.Sort(languages)
	return languages
}

// spoken are the languages of words.txt, which may be fewer than the languages of dates.
func spoken(language string) (words []string, ok bool) {
	for line := range strings.Lines(ownWords) {
		if tag, rest, found := strings.Cut(strings.TrimSuffix(line, "\n"), "|"); found && tag == language {
			return strings.Split(rest, "|"), true
		}
	}
	return nil, false
}

// setWords chooses the language of phrases: its own, a near one, or English.
func (l *Locale) setWords() {
	near := map[string]string{"nn": "nb", "bs": "hr", "sr": "hr", "gl": "pt", "be": "ru", "kk": "ru", "ky": "ru", "lb": "de", "af": "nl"}
	script := ""
	if l.Language == "zh" && (strings.Contains(l.Tag, "Hant") || strings.Contains("TW HK MO", l.Region) && !strings.Contains(l.Tag, "Hans")) {
		script = "zh-Hant"
	}
	for _, language := range []string{script, l.Language, near[l.Language], "en"} {
		if words, ok := spoken(language); ok {
			l.words = words
			return
		}
	}
}

// Say returns a phrase in the wall's language, "{}" still in it.
func (l *Locale) Say(p Phrase) string { return l.words[p] }

// Letters are the letters of the names of days and months and of all phrases, some of them several times.
func (l *Locale) Letters() string {
	var b strings.Builder
	for _, names := range [][]string{l.data.Days[0], l.data.Months[0], l.data.AMPM, l.words} {
		for _, name := range names {
			b.WriteString(name)
		}
	}
	return strings.Join(strings.Fields(b.String()), "")
}

// InEnglish is a phrase in English, "{}" still in it.
func InEnglish(p Phrase) string {
	words, _ := spoken("en")
	return words[p]
}

// AppendCounted appends a phrase with two placeholders, for a number and the number of all.
func (l *Locale) AppendCounted(dst []byte, p Phrase, n, all int) []byte {
	before, rest, _ := strings.Cut(l.words[p], "{}")
	between, after, _ := strings.Cut(rest, "{}")
	dst = append(l.AppendNumber(append(dst, before...), float64(n), 0, false), between...)
	return append(l.AppendNumber(dst, float64(all), 0, false), after...)
}

// AppendPhrase appends a phrase with with put in.
func (l *Locale) AppendPhrase(dst []byte, p Phrase, with string) []byte {
	before, after, found := strings.Cut(l.words[p], "{}")
	dst = append(dst, before...)
	if found {
		dst = append(dst, with...)
	}
	return append(dst, after...)
}

// Labeled returns a text behind its label and the colon of the language. Without a text it is the label with the colon.
func (l *Locale) Labeled(label, text string) string {
	switch l.Language {
	case "zh", "ja":
		return label + "：" + text
	case "fr":
		return strings.TrimSuffix(label+"\u00a0: "+text, " ")
	}
	return strings.TrimSuffix(label+": "+text, " ")
}
