package pages

// Names of icons in icons.svg.
const (
	iconWifi   = "wifi"
	iconHidden = "hidden"
	iconCable  = "cable"
	iconAlert  = "alert"
	iconFile   = "file"
	iconDone   = "done"
	iconCircle = "circle"
)

// more is the list of languages that the wall supports and the set-up does not support.
var more = [][2]string{
	{"bg", "Български"}, {"cs", "Čeština"}, {"da", "Dansk"}, {"el", "Ελληνικά"}, {"et", "Eesti"}, {"fi", "Suomi"}, {"hr", "Hrvatski"},
	{"hu", "Magyar"}, {"it", "Italiano"}, {"ja", "日本語"}, {"ko", "한국어"}, {"lt", "Lietuvių"}, {"lv", "Latviešu"}, {"nb", "Norsk bokmål"},
	{"nl", "Nederlands"}, {"pl", "Polski"}, {"pt", "Português"}, {"ro", "Română"}, {"ru", "Русский"}, {"sk", "Slovenčina"},
	{"sl", "Slovenščina"}, {"sv", "Svenska"}, {"tr", "Türkçe"}, {"uk", "Українська"}, {"vi", "Tiếng Việt"},
}
