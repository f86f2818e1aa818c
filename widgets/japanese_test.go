package widgets

import (
	"image"
	"os"
	"testing"
)

// ipaGothic has Japanese letters, which the built-in fonts lack (package fonts-ipafont-gothic).
const ipaGothic = "/usr/share/fonts/opentype/ipafont-gothic"

// plansInJapanese are a family's plans.
var plansInJapanese = []planned{
	{0, -1, 0, "資源ごみ", bins},
	{0, 9 * 60, 10 * 60, "朝食", anna},
	{0, 13*60 + 10, 14 * 60, "歯医者(さくら)", anna},
	{0, 18*60 + 30, 20 * 60, "合唱の練習", ben},
	{1, -1, 0, "健太", birthdays},
	{1, 16 * 60, 17 * 60, "水泳", anna},
	{2, 9 * 60, 12 * 60, "朝市のあと、みんなでおばあちゃんの家へ行って昼ごはんを食べる", bins},
	{3, -1, 4, "沖縄旅行", anna},
	{5, 9 * 60, 10*60 + 30, "面接", ben},
}

// TestJapaneseGoldens: the calendar's widgets where days are 22日, months 5月 and titles have no spaces.
func TestJapaneseGoldens(t *testing.T) {
	if _, err := os.Stat(ipaGothic); err != nil {
		t.Skip("SKIPPED, Japanese calendars NOT checked: ", err)
	}
	all := []scene{
		{size: image.Pt(900, 560), widget: familyMonth + ", title: 予定}"},
		{size: image.Pt(700, 480), widget: familyWeek + "}"},
		{size: image.Pt(420, 480), widget: familyAgenda + "}"},
		{size: image.Pt(300, 200), widget: nextFamily + ", title: 次の予定}"},
		{size: image.Pt(320, 240), picture: image.Pt(320, 240), widget: familyMonth + "}"},
		{size: image.Pt(320, 240), picture: image.Pt(320, 240), widget: familyAgenda + "}"},
	}
	for i := range all {
		all[i].locale, all[i].fonts, all[i].feed = "ja", ipaGothic, planning(plansInJapanese)
	}
	modernSheet(t, "calendar-ja", all)
}
