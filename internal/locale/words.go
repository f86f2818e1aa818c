package locale

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"io"
	"slices"
	"strings"
	"sync"
)

// packedWords contains words.txt in compressed form. It has a third of the size of words.txt.
//
//go:embed words.gz
var packedWords []byte

// ownWords returns the text of words.txt. The first call unpacks it.
var ownWords = sync.OnceValue(func() string {
	z, err := gzip.NewReader(bytes.NewReader(packedWords))
	if err != nil {
		panic("locale: the built-in words are broken: " + err.Error())
	}
	text, err := io.ReadAll(z)
	if err != nil {
		panic("locale: the built-in words are broken: " + err.Error())
	}
	return string(text)
})

// Phrase is a text that the wall itself shows. If the text contains the placeholder "{}", a value replaces the placeholder.
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
	NewMoon // the other seven phases follow
	WaxingCrescent
	FirstQuarter
	WaxingGibbous
	FullMoon
	WaningGibbous
	LastQuarter
	WaningCrescent
	AirQuality
	AirGood // the other five classes of the European index follow
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
	PollenNone // the other three levels follow
	PollenLow
	PollenMedium
	PollenHigh
	Clear // the other kinds of weather follow
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
	North // the other seven directions follow, clockwise
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
	TheClock // the names of the other kinds of widgets follow
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
	PageOf // this sentence has two placeholders
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
	Cancelled
	FirstValue // a widget waits for its first value
	Above
	Below
	NextTry     // a source or a widget failed. The phrase contains the time until the next attempt
	ServerFault // the server answers with an error
	TooMany
	WidgetStopped
	Loading
	Late // a departure, with its delay in minutes
	LeavesNow
	phrases // number of phrases
)

// Spoken lists the languages that have phrases.
func Spoken() (languages []string) {
	for line := range strings.Lines(ownWords()) {
		if tag, _, found := strings.Cut(line, "|"); found {
			languages = append(languages, tag)
		}
	}
	slices.Sort(languages)
	return languages
}

// spoken() returns the phrases of a language. ok is false if words.txt does not have the language. It may have fewer languages than
// cldr.gz.
func spoken(language string) (words []string, ok bool) {
	for line := range strings.Lines(ownWords()) {
		if tag, rest, found := strings.Cut(strings.TrimSuffix(line, "\n"), "|"); found && tag == language {
			return strings.Split(rest, "|"), true
		}
	}
	return nil, false
}

// setWords sets the phrases: the phrases of the locale's language, of a similar language, or English.
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

// Say returns a phrase in the wall's language. The phrase may contain the placeholder "{}".
func (l *Locale) Say(p Phrase) string { return l.words[p] }

// Letters returns the letters of the names of weekdays and months, of AM and PM, and of all phrases. A letter may occur several times.
func (l *Locale) Letters() string {
	var b strings.Builder
	for _, names := range [][]string{l.data.Days[0], l.data.Months[0], l.data.AMPM, l.words} {
		for _, name := range names {
			b.WriteString(name)
		}
	}
	return strings.Join(strings.Fields(b.String()), "")
}

// InEnglish returns a phrase in English. The phrase may contain the placeholder "{}".
func InEnglish(p Phrase) string {
	words, _ := spoken("en")
	return words[p]
}

// AppendCounted appends a phrase with two placeholders. n replaces the first placeholder, and the total `all` replaces the second.
func (l *Locale) AppendCounted(dst []byte, p Phrase, n, all int) []byte {
	before, rest, _ := strings.Cut(l.words[p], "{}")
	between, after, _ := strings.Cut(rest, "{}")
	dst = append(l.AppendNumber(append(dst, before...), float64(n), 0, false), between...)
	return append(l.AppendNumber(dst, float64(all), 0, false), after...)
}

// AppendPhrase appends a phrase. The text `with` replaces its placeholder "{}".
func (l *Locale) AppendPhrase(dst []byte, p Phrase, with string) []byte {
	before, after, found := strings.Cut(l.words[p], "{}")
	dst = append(dst, before...)
	if found {
		dst = append(dst, with...)
	}
	return append(dst, after...)
}

// Labeled joins a label and a text with the colon of the language. If the text is empty, it returns the label with the colon.
func (l *Locale) Labeled(label, text string) string {
	switch l.Language {
	case "zh", "ja":
		return label + "：" + text
	case "fr":
		return strings.TrimSuffix(label+"\u00a0: "+text, " ")
	}
	return strings.TrimSuffix(label+": "+text, " ")
}
