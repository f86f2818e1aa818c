package widgets

import (
	"image"
	"os"
	"testing"

	"dashboard/widgets/walltest"
)

// ipaGothic is the folder of a font with Japanese letters, which the built-in fonts do not have (package fonts-ipafont-gothic).
const ipaGothic = "/usr/share/fonts/opentype/ipafont-gothic"

// plansInJapanese are the events of a family with Japanese titles.
var plansInJapanese = []walltest.Planned{
	{Day: 0, From: -1, To: 0, Title: "資源ごみ", Of: walltest.Bins},
	{Day: 0, From: 9 * 60, To: 10 * 60, Title: "朝食", Of: walltest.Anna},
	{Day: 0, From: 13*60 + 10, To: 14 * 60, Title: "歯医者(さくら)", Of: walltest.Anna},
	{Day: 0, From: 18*60 + 30, To: 20 * 60, Title: "合唱の練習", Of: walltest.Ben},
	{Day: 1, From: -1, To: 0, Title: "健太", Of: walltest.Birthdays},
	{Day: 1, From: 16 * 60, To: 17 * 60, Title: "水泳", Of: walltest.Anna},
	{Day: 2, From: 9 * 60, To: 12 * 60, Title: "朝市のあと、みんなでおばあちゃんの家へ行って昼ごはんを食べる", Of: walltest.Bins},
	{Day: 3, From: -1, To: 4, Title: "沖縄旅行", Of: walltest.Anna},
	{Day: 5, From: 9 * 60, To: 10*60 + 30, Title: "面接", Of: walltest.Ben},
}

// TestJapaneseGoldens draws the calendar widgets in Japanese, where days are written 22日 and months 5月, and titles have no spaces.
func TestJapaneseGoldens(t *testing.T) {
	if _, err := os.Stat(ipaGothic); err != nil {
		t.Skip("SKIPPED, Japanese calendars NOT checked: ", err)
	}
	all := []walltest.Scene{
		{Size: image.Pt(900, 560), Widget: walltest.FamilyMonth + ", title: 予定}"},
		{Size: image.Pt(700, 480), Widget: walltest.FamilyWeek + "}"},
		{Size: image.Pt(420, 480), Widget: walltest.FamilyAgenda + "}"},
		{Size: image.Pt(300, 200), Widget: walltest.NextFamily + ", title: 次の予定}"},
		{Size: image.Pt(320, 240), Picture: image.Pt(320, 240), Widget: walltest.FamilyMonth + "}"},
		{Size: image.Pt(320, 240), Picture: image.Pt(320, 240), Widget: walltest.FamilyAgenda + "}"},
	}
	for i := range all {
		all[i].Locale, all[i].Fonts, all[i].Feed = "ja", ipaGothic, walltest.Planning(plansInJapanese)
	}
	walltest.ModernSheet(t, "calendar-ja", all)
}
