package document

import "strings"

// The rules for optional tags and for the places of elements (WHATWG HTML, sections 13.1.2 and 13.2.4.2).
var (
	void    = set("area base br col embed hr img input link meta source track wbr")
	ofHead  = set("base link meta noscript script style template title")
	ofTable = set("caption colgroup tbody td tfoot th thead tr")
	// block contains the elements whose start closes an open paragraph.
	block = set(`address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure footer form
		h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu nav ol p pre search section summary table tbody td tfoot th thead tr ul`)
	// scope contains the elements that stay open when the end tag of another element occurs inside them.
	scope = set("button caption marquee object table td template th")

	endedBy = map[string]ends{
		"li": {set("li"), set("button caption menu object ol table td template th ul")},
		"dt": {set("dd dt"), set("button caption dl object table td template th")},
		"dd": {set("dd dt"), set("button caption dl object table td template th")},

		"option":   {set("option"), set("datalist optgroup select template")},
		"optgroup": {set("optgroup option"), set("datalist select template")},
		"rt":       {set("rp rt"), set("ruby template")},
		"rp":       {set("rp rt"), set("ruby template")},
		"a":        {set("a"), block},

		"td":    {set("td th"), set("table template tr")},
		"th":    {set("td th"), set("table template tr")},
		"tr":    {set("caption colgroup tr"), set("table template")},
		"tbody": {set("caption colgroup tbody tfoot thead"), set("table template")},
		"thead": {set("caption colgroup tbody tfoot thead"), set("table template")},
		"tfoot": {set("caption colgroup tbody tfoot thead"), set("table template")},
	}
)

// ends describes the effect of a start tag: the open elements that the tag closes, and the elements at which the search for these open
// elements stops.
type ends struct{ closes, until map[string]bool }

func set(names string) map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(names) {
		m[n] = true
	}
	return m
}
