package scene

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dashboard/config"
	"dashboard/internal/folder"
	"dashboard/internal/testing/programtest"
	"dashboard/internal/testing/thorough"
	"dashboard/theme/sun"
	"dashboard/widgets/kit"
	"dashboard/widgets/kit/speech"
)

// Texts that hostile recipes try to read. The widget `use` passes handedOver to the recipe as a secret. The recipe may send this secret
// to its declared host but not show it.
const (
	wallSecret, fileText, environment = "secret-of-the-wall", "content-of-a-file", "value-of-the-environment"
	wallValue, atHome                 = "value-of-the-wall", "47.1234"
	handedOver                        = "secret-of-the-use"
)

// A prey is the target of hostile recipes: a wall with the server of a recipe, and another server
// to which the recipe must not send requests.
type prey struct {
	own, other string // addresses of the two servers
	dir        string

	mu    sync.Mutex
	asked []string // requests that the other server has received
	sent  []string // whole requests that the recipe's server has received
}

// newPrey starts both servers. The other server listens on all addresses of this machine.
func newPrey(t *testing.T) *prey {
	t.Helper()
	p := &prey{dir: t.TempDir()}
	port := programtest.FreePort(t) // from FreePort, so that tests in other processes send no requests to it
	l, err := net.Listen("tcp", fmt.Sprint(":", port))
	if err != nil {
		t.Fatal(err)
	}
	other := &httptest.Server{Listener: l, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.asked = append(p.asked, r.Host+r.URL.String())
		fmt.Fprint(w, `{"n": "stolen"}`)
	})}}
	other.Start()
	t.Cleanup(other.Close)
	p.other = fmt.Sprint("127.0.0.1:", port)
	own := httptest.NewServer(http.HandlerFunc(p.answer))
	t.Cleanup(own.Close)
	p.own = own.URL
	for name, text := range map[string]string{
		"conf.yaml": "outputs: [{type: stream}]\ngraphics: {resolution: [400, 300]}\nlocation: {latitude: " + atHome + ", longitude: 8.5, name: Home}\n" +
			"homeassistant: {url: 'http://127.0.0.1:1', token: !secret bank}\n",
		"secrets.yaml":   "bank: " + wallSecret + "\nuse: " + handedOver + "\n",
		"providers.yaml": "providers: {bank: {type: derived, value: !data '\"" + wallValue + "\"'}}\n",
		"private.json":   `{"n": "` + fileText + `"}`,
		"private.ics":    "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:" + fileText + "\nDTSTART:20260101\nEND:VEVENT\nEND:VCALENDAR\n",
	} {
		if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// answer is the handler of the recipe's server, which is hostile too.
func (p *prey) answer(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	p.sent = append(p.sent, fmt.Sprint(r.Host, " ", r.URL, " ", r.Header))
	p.mu.Unlock()
	to := map[string]string{
		"/away": "http://" + p.other + "/away", "/scheme": "//" + p.other + "/scheme", "/userinfo": p.own + "@" + p.other + "/userinfo",
		"/file": "file://" + p.dir + "/private.json", "/gopher": "gopher://" + p.other + "/1",
	}[r.URL.Path]
	if to != "" {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusTemporaryRedirect)
		return
	}
	if r.URL.Path == "/feed" {
		fmt.Fprintf(w, `<rss version="2.0"><channel><title>x</title><item><title>y</title><link>http://%s/link</link><enclosure url="http://%[1]s/e.png" type="image/png"/></item></channel></rss>`, p.other)
		return
	}
	fmt.Fprintf(w, `{"n": 1, "host": %q, "url": "http://%[1]s/kept", "userinfo": "@%[1]s", "up": "..", "file": "file://%s/private.json", "path": "%[2]s/private.json", "cover": "http://%[1]s/cover.png", "title": "t", "state": "playing", "list": ["http://%[1]s/1", "@%[1]s"]}`, p.other, p.dir)
}

// A raid is a hostile recipe and the widget that uses it.
type raid struct {
	hosts     string // list of declared hosts; default: the recipe's server
	head      string // more keys of recipe.yaml
	providers string
	widget    string
	use       string // more keys of the widget that uses the recipe
	want      string // text in the report or in the error of a provider; "": the recipe is drawn
}

// load loads a wall with a raid. It waits until each provider has a value or an error.
func (p *prey) load(t *testing.T, r raid) (*Builder, *Generation, *config.Report) {
	t.Helper()
	wake := make(chan struct{}, 1)
	b := NewBuilder(Parts{Version: "dev", Log: slog.New(slog.DiscardHandler), Permits: t.TempDir(), Wake: func() {
		select {
		case wake <- struct{}{}:
		default:
		}
	}})
	t.Cleanup(b.Providers.Close)
	in := strings.NewReplacer("OWN", p.own, "HOST", strings.TrimPrefix(p.own, "http://"), "OTHER", p.other, "PORT", p.other[strings.LastIndex(p.other, ":")+1:], "DIR", p.dir)
	if r.hosts == "" {
		r.hosts = `["{server}"]`
	}
	if r.widget == "" {
		r.widget = "{widget: text, text: !data .own.n}"
	}
	files := folder.Dir(p.dir).Over(map[string][]byte{
		"widgets.yaml": []byte("theme: calm\nwidgets:\n  - {widget: use, recipe: own, server: " + p.own + ", token: !secret use" + in.Replace(r.use) + "}\n"),
		"recipes/own/recipe.yaml": []byte(in.Replace("name: own\ntitle: Own\nabout: Own.\nversion: \"1\"\nlicense: CC0-1.0\nauthor: A\nhosts: " + r.hosts +
			"\nparameters:\n  server: {type: address, help: Server.}\n  token: {type: secret, help: Token., default: null}\n  line: {help: Line., default: \"\"}\n" +
			"  lamp: {type: entity, help: Lamp., default: null}\n" + r.head)),
		"recipes/own/providers.yaml": []byte(in.Replace("providers:\n  own: {url: \"{server}/n\"}\n" + r.providers)),
		"recipes/own/widgets.yaml":   []byte(in.Replace("widgets:\n  - " + r.widget + "\n")),
	})
	g, report := b.Load(Folder{Home: p.dir, Files: files, Widgets: "widgets.yaml"}, Alone(func() {}))
	if g == nil {
		return b, nil, report
	}
	b.Providers.Commit(g.Sources)
	b.Await(t.Context(), wake)
	return b, g, report
}

// raids() returns the hostile recipes. The keys describe what a recipe tries to reach.
func raids() map[string]raid {
	const among = "is not among the hosts"
	one := func(keys string) string { return "  raid: {" + keys + "}\n" }
	step := func(keep, next string) string {
		return "  raid: {steps: [{url: '{server}/n', keep: {got: '" + keep + "'}}, " + next + "]}\n"
	}
	image := func(url string) string { return "{widget: image, url: !data '" + url + "'}" }
	return map[string]raid{
		"nothing hostile": {},
		// These recipes try to reach another host.
		"a host":                         {providers: one(`url: "http://OTHER/"`), want: among},
		"a host by redirect":             {providers: one(`url: "{server}/away"`), want: among},
		"a redirect without a scheme":    {providers: one(`url: "{server}/scheme"`), want: among},
		"a redirect with a name in it":   {providers: one(`url: "{server}/userinfo"`), want: among},
		"a redirect to a file":           {providers: one(`url: "{server}/file"`), want: "redirect to scheme"},
		"a redirect to gopher":           {providers: one(`url: "{server}/gopher"`), want: "redirect to scheme"},
		"a host by a parameter":          {providers: one(`url: "http://{line}/"`), use: ", line: 'OTHER'", want: among},
		"a host behind a name":           {providers: one(`url: "http://HOST{line}/"`), use: ", line: '@OTHER'", want: among},
		"a host behind a password":       {providers: one(`url: "http://HOST:x@OTHER/"`), want: among},
		"a host behind a backslash":      {providers: one(`url: 'http://HOST\\@OTHER/'`), want: "not a URL"},
		"a host by its Host header":      {providers: one(`url: "{server}/n", headers: {Host: "OTHER"}`), want: among},
		"a port of the user's server":    {hosts: `["{server}", "127.0.0.1:PORT"]`, providers: one(`url: "http://OTHER/"`), want: "address refused"},
		"this machine":                   {hosts: `[localhost]`, providers: one(`url: "http://localhost:PORT/"`), want: "address refused"},
		"this machine by a number":       {hosts: `["0.0.0.0:PORT"]`, providers: one(`url: "http://0.0.0.0:PORT/"`), want: "address refused"},
		"a default":                      {hosts: `["{at}"]`, head: "  at: {type: address, help: H., default: 'http://OTHER'}\n", providers: one(`url: "{at}/"`), want: "address refused"},
		"a default of IP version 6":      {hosts: `["{at}"]`, head: "  at: {type: address, help: H., default: 'http://[::1]:PORT'}\n", providers: one(`url: "{at}/"`), want: "address refused"},
		"a default in both versions":     {hosts: `["{at}"]`, head: "  at: {type: address, help: H., default: 'http://[::ffff:127.0.0.1]:PORT'}\n", providers: one(`url: "{at}/"`), want: "address refused"},
		"a default in wide letters":      {hosts: `["{at}"]`, head: "  at: {type: address, help: H., default: 'http://\uff4cocalhost:PORT'}\n", providers: one(`url: "{at}/"`), want: "address refused"},
		"a default with a dot":           {hosts: `["{at}"]`, head: "  at: {type: address, help: H., default: 'http://localhost.:PORT'}\n", providers: one(`url: "{at}/"`), want: "GET http://localhost."}, // refused, or unknown to the name server
		"a name that is a default":       {hosts: `["{at}"]`, head: "  at: {help: H., default: 'localhost'}\n", providers: one(`url: "http://{at}:PORT/"`), want: "address refused"},
		"a kept address":                 {providers: step(".url", `{url: "{got}"}`), want: among},
		"a kept host":                    {providers: step(".host", `{url: "http://{got}/"}`), want: "the host must be written"},
		"a kept name":                    {providers: step(".userinfo", `{url: "http://HOST{got}/"}`), want: "the host must be written"},
		"a kept list":                    {providers: step(".list", `{url: "{got}", each: got}`), want: among},
		"a kept file":                    {providers: step(".file", `{url: "{got}"}`), want: "files are not allowed here"},
		"another value's address":        {providers: one(`url: "{own.url}"`), want: among},
		"another value's host":           {providers: one(`url: "http://{own.host}/"`), want: "the host must be written"},
		"another value's file":           {providers: one(`url: "{own.file}"`), want: "files are not allowed here"},
		"another value's name":           {providers: one(`url: "{server}{own.userinfo}/"`), want: "the host must be written"},
		"a feed":                         {providers: one(`type: feed, url: "http://OTHER/"`), want: among},
		"links of a feed":                {providers: one(`type: feed, url: "{server}/feed"`), widget: image(".raid.entries[0].image // .own.url")},
		"metrics":                        {providers: one(`type: prometheus, url: "http://OTHER", query: up`), want: among},
		"a calendar":                     {providers: one(`type: calendar, calendars: [{name: A, url: "http://OTHER/"}]`), want: among},
		"a calendar server":              {providers: one(`type: calendar, calendars: [{name: A, caldav: "http://OTHER/"}]`), want: among},
		"events":                         {providers: one(`type: stream, url: "http://OTHER/"`), want: among},
		"a socket":                       {providers: one(`type: stream, url: "ws://OTHER/"`), want: among},
		"a picture of an answer":         {widget: image(".own.cover")},
		"a picture's own address":        {widget: `{widget: image, url: "http://OTHER/i.png"}`, want: among},
		"a camera":                       {widget: `{widget: camera, url: "http://OTHER/c.mjpg"}`, want: among},
		"a camera of an answer":          {widget: "{widget: camera, url: !data .own.cover}"},
		"a cover":                        {widget: "{widget: nowplaying, provider: own}"},
		"a proxy":                        {providers: one(`url: "{server}/n", proxy: "http://OTHER"`), want: "unknown key 'proxy'"},
		"a proxy of a login":             {providers: one(`url: "{server}/n", auth: {proxy: "http://OTHER"}`), want: "unknown key 'proxy'"},
		"a host in the list, by a place": {hosts: `["{lamp}"]`, want: "is no parameter of type address"},
		// These recipes try to read files and to use sockets of the machine.
		"a file":                   {providers: one(`url: "file://DIR/private.json"`), want: "may not read files"},
		"a file by a parameter":    {providers: one(`url: "{line}"`), use: ", line: 'file://DIR/private.json'", want: "neither http nor https"},
		"a file by its path":       {providers: one("url: DIR/private.json"), want: "has no scheme"},
		"a file of the wall":       {providers: one("url: secrets.yaml"), want: "has no scheme"},
		"a calendar file":          {providers: one("type: calendar, calendars: [{name: A, url: 'DIR/private.ics'}]"), want: "has no scheme"},
		"a calendar's path":        {providers: one("type: calendar, calendars: [{name: A, path: private.ics}]"), want: "may not read files"},
		"a provider of a file":     {providers: one("type: file, path: private.json"), want: "may have providers of type"},
		"a music player's socket":  {providers: one("type: mpd, host: /run/mpd/socket"), want: "may have providers of type"},
		"a scheme for sockets":     {providers: one(`url: "unix:///run/docker.sock"`), want: "neither http nor https"},
		"a scheme for FTP":         {providers: one(`url: "ftp://HOST/"`), want: "neither http nor https"},
		"a picture's file":         {widget: image(".own.file")},
		"a picture's path":         {widget: image(".own.path")},
		"an icon's file":           {widget: "{widget: icon, icon: !data '\"DIR/x.svg\"'}"},
		"a tag that includes":      {providers: one("url: !include private.json"), want: "there is no theme here"},
		"a tag for the system":     {providers: one("url: !ENV DASHBOARD_PREY"), want: "there is no theme here"},
		"a tag of Python":          {providers: one("url: !!python/object/apply:os.system [id]"), want: "tag"},
		"certificates":             {providers: one(`url: "{server}/n", ca_file: private.json`), want: "may not read files"},
		"certificates by a value":  {providers: one(`url: "{server}/n", ca_file: !param line`), use: ", line: private.json", want: "may not read files"},
		"a file's text in a label": {widget: "{widget: text, path: private.json}", want: "may not read files"},
		// These recipes try to read secrets and values of the wall.
		"the wall's secret":         {providers: one(`url: "{server}/{bank}", headers: {A: !secret bank}`), want: "cannot be used in this file"},
		"the wall's secret shown":   {widget: "{widget: text, text: !secret bank}", want: "cannot be used in this file"},
		"its secret as a text":      {widget: `{widget: text, text: "{token}"}`, want: "is for the addresses"},
		"its secret in a program":   {widget: "{widget: text, text: !data '$token'}", want: "is for the addresses"},
		"its secret as a value":     {providers: one("type: derived, value: !data '$token'"), widget: "{widget: text, text: !data .raid}", want: "is for the addresses"},
		"its secret in an answer":   {providers: one(`url: "{server}/n", jq_expression: "$token"`), widget: "{widget: text, text: !data .raid}", want: "is for the addresses"},
		"its secret kept":           {providers: step("$token", `{url: "{server}/n"}`), want: "is for the addresses"},
		"its secret as a name":      {providers: one(`type: calendar, calendars: [{name: "{token}", url: "{server}/n"}]`), widget: "{widget: agenda, provider: raid}", want: "is for the addresses"},
		"the environment":           {widget: "{widget: text, text: !data '$ENV.DASHBOARD_PREY // env.DASHBOARD_PREY'}"},
		"the environment, sent":     {widget: image(`"OWN/\\($ENV | tostring)\\(env | tostring)"`)},
		"a variable in a text":      {providers: one(`url: "{server}/${DASHBOARD_PREY}"`)},
		"modules of programs":       {widget: "{widget: text, text: !data 'import \"private\" as $x; $x'}", want: "module"},
		"a value of the wall":       {widget: "{widget: text, text: !data .bank}", want: "no provider is named 'bank'"},
		"all values of the wall":    {widget: "{widget: text, text: !data tojson}"},
		"all values, by their keys": {widget: "{widget: text, text: !data 'keys | join(\" \")'}"},
		"a value by its path":       {widget: "{widget: text, text: !data 'getpath([\"bank\"])'}"},
		"Home Assistant, whole":     {widget: "{widget: text, text: !data '.homeassistant | tojson'}", use: ", lamp: light.hall"},
		"another entity":            {widget: "{widget: text, text: !data '.homeassistant[\"lock.door\"].state'}", use: ", lamp: light.hall", want: "was not given the entity"},
		"the home, by the sun":      {providers: one("type: sun"), widget: image(`"OWN/sun?\\(.raid | tojson)"`), want: "location"},
		// These recipes try to use too much memory.
		"aliases":            {widget: "{widget: text, text: x, a: &a [x,x,x,x,x,x,x,x,x], b: &b [*a,*a,*a,*a,*a,*a,*a,*a], c: &c [*b,*b,*b,*b,*b,*b,*b,*b], d: &d [*c,*c,*c,*c,*c,*c,*c,*c], e: &e [*d,*d,*d,*d,*d,*d,*d,*d], f: [*e,*e,*e,*e,*e,*e,*e,*e]}", want: "more than"},
		"an alias in itself": {widget: "&a {widget: text, text: x, a: *a}", want: "refers to a value that contains it"},
		"widgets":            {widget: "{widget: column, children: [" + strings.Repeat("{widget: clock}, ", 90) + "]}", want: "at most 60"},
		"widgets by aliases": {widget: "{widget: column, children: [&a {widget: clock}" + strings.Repeat(", *a", 90) + "]}", want: "at most 60"},
		"programs":           {widget: "{widget: column, children: [{widget: text, text: x, a: [" + strings.Repeat("!data .own, ", 130) + "]}]}", want: "at most 120"},
		"bytes by parameter": {widget: "{widget: text, text: \"" + strings.Repeat("{line}", 2000) + "\"}", use: ", line: " + strings.Repeat("x", 400), want: "bytes of text"},
		"providers":          {providers: many(9), want: "at most 8"},
		"steps":              {providers: one(`steps: [{url: "{server}/1"}, {url: "{server}/2"}, {url: "{server}/3"}, {url: "{server}/4"}, {url: "{server}/5"}]`), want: "at most 4"},
		"a long file":        {widget: "{widget: text, text: " + strings.Repeat("x", 70000) + "}", want: "longer than"},
		"a recipe":           {widget: "{widget: use, recipe: own}", want: "cannot have a 'use'"},
		"a recipe in a row":  {widget: "{widget: row, children: [{widget: use, recipe: earthquakes}]}", want: "cannot have a 'use'"},
		"a second widget":    {widget: "{widget: clock}\n  - {widget: clock}", want: "exactly one widget"},
		// These recipes try to get the messages for other widgets.
		"notifications": {widget: "{widget: notifiabletext, name: hall}", want: "cannot have"},
		"a broker":      {providers: one("type: mqtt, topic: '#'"), want: "may have providers of type"},
		"pushed values": {providers: one("type: push"), want: "may have providers of type"},
	}
}

func many(n int) (list string) {
	for i := range n {
		list += fmt.Sprintf("  p%d: {url: \"{server}/%d\"}\n", i, i)
	}
	return list
}

// A hostile recipe on a wall reaches no other host, no secret, no value and no file, and it cannot exceed its limits.
func TestHostileRecipes(t *testing.T) {
	thorough.Only(t)
	t.Setenv("DASHBOARD_PREY", environment)
	for name, r := range raids() {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // parallel, because recipes that get no answer wait until the limit of Await
			p := newPrey(t)
			b, g, report := p.load(t, r)
			var got string
			var shown strings.Builder
			look := func() bool {
				got = report.String()
				shown.Reset()
				for _, s := range b.Providers.Status(time.Now()) {
					if !strings.HasPrefix(s.Name, "own.") && s.Name != "" {
						continue
					}
					fmt.Fprintf(&shown, "%s: %v\n", s.Name, s.Value)
					if s.Err != nil {
						got += s.Err.Error() + "\n"
					}
				}
				return strings.Contains(got, r.want)
			}
			programtest.Eventually(t, "the report has "+r.want, look) // on a busy machine, the limit of Await is too short
			if g != nil {
				shown.WriteString(spokenText(g.Scenes[config.MainView]))
			}
			p.mu.Lock()
			defer p.mu.Unlock()
			if len(p.asked) > 0 {
				t.Errorf("the other server was asked for %v", p.asked)
			}
			if r.want == "" && got != "" && g == nil {
				t.Errorf("got %q, want no error", got)
			}
			out, shownText := strings.Join(p.sent, "\n"), got+shown.String()
			for _, w := range []string{wallSecret, fileText, environment, wallValue, atHome} {
				if strings.Contains(out, w) || strings.Contains(shownText, w) {
					t.Errorf("%s came out:\n%s\n%s", w, out, shownText)
				}
			}
			if strings.Contains(shownText, handedOver) {
				t.Errorf("the secret of the use is shown:\n%s", shownText)
			}
		})
	}
}

// spokenText returns the text of a scene for a screen reader.
func spokenText(sc *Scene) string {
	var s speech.Speech
	s.Begin(sc.Region.Locale, sc.Region.Zone, time.Now(), false)
	kit.SpeakOf(&s, sc.Trees[sun.Day].Root)
	return string(s.AppendText(nil))
}
