package pages

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"dashboard/appliance/setup/flow"
)

var (
	tag     = regexp.MustCompile(`^[a-z]{2,3}$`)
	country = regexp.MustCompile(`^[A-Z]{2}$`)
	host    = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`) // RFC 1123, section 2.1
)

// do() carries out the action `verb` of a form. It returns the query of the following page.
func (s *Server) do(verb string, r *http.Request) (string, error) {
	m := s.Machine
	switch verb {
	case "take":
	case "speak":
		return "", s.speak(r)
	case "seek":
		m.Seek()
	case "try":
		return s.try(r)
	case "anyway":
		m.Anyway()
	case "stop":
		m.Stop()
	case "forget":
		m.Forget()
	case "settle":
		return s.settle(r)
	case "prefer":
		return "?" + url.Values{"show": {r.PostForm.Get("show")}}.Encode(), s.prefer(r.PostForm.Get("wall"))
	case "fix":
		s.fix(r.PostForm)
	case "skip":
		m.Skip()
	case "finish":
		m.Finish()
	case "back":
		step, _ := strconv.Atoi(r.PostForm.Get("step")) // 0 is not a step
		m.Forget()
		m.Back(step)
	default:
		return "", errForm
	}
	return "", nil
}

func (s *Server) speak(r *http.Request) error {
	language, where := r.PostForm.Get("language"), r.PostForm.Get("country")
	if more := r.PostForm.Get("more"); more != "" {
		language = more
	}
	if !tag.MatchString(language) || !country.MatchString(where) {
		return errForm
	}
	s.Machine.Speak(language, where)
	return nil
}

// try() begins the test of a network. If the network cannot be tested, it returns the query of the form's URL, which contains the reason.
func (s *Server) try(r *http.Request) (string, error) {
	f := r.PostForm
	n := flow.Network{Name: f.Get("network"), Password: f.Get("password"), Hidden: f.Get("hidden") != ""}
	open := f.Get("open") != "" || n.Hidden && n.Password == ""
	if problem := n.Problem(open); problem != "" {
		q := url.Values{"error": {problem}, "network": {n.Name}}
		if n.Hidden {
			q.Set("hidden", "1")
		}
		return "?" + q.Encode(), nil
	}
	s.Machine.Try(n, f.Get("inside") != "")
	return "", nil
}

// settle sets the name, the place and the time zone. If a value is not valid, settle returns the query of the form's URL, which contains
// the reason.
func (s *Server) settle(r *http.Request) (string, error) {
	f := r.PostForm
	name := strings.ToLower(strings.TrimSpace(f.Get("name")))
	where, ok := coordinates(f.Get("coordinates"))
	city := f.Get("place")
	switch {
	case !host.MatchString(name):
		return typed(f, "name.wrong"), nil
	case !ok:
		return typed(f, "coordinates.wrong"), nil
	case !slices.Contains(s.zonesWith(s.Machine.View("").Draft.Zone), f.Get("zone")):
		return "", errForm
	}
	if where == "" && city != "" {
		i := slices.IndexFunc(s.Tables.Cities, func(c City) bool { return c.Zone == city })
		if i < 0 {
			return "", errForm
		}
		where = s.Tables.Cities[i].At
	}
	s.Machine.Settle(name, f.Get("zone"), where)
	return "", nil
}

// typed returns the query of the step for the name, with the reason and with everything that a person has entered.
func typed(form url.Values, reason string) string {
	q := url.Values{"error": {reason}}
	for _, field := range []string{"name", "place", "coordinates", "zone"} {
		q.Set(field, form.Get(field))
	}
	return "?" + q.Encode()
}

// coordinates() returns latitude and longitude in the stored form, or "" if `text` is empty. It returns false if `text` has another form.
func coordinates(text string) (string, bool) {
	fields := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ';' })
	if len(fields) == 1 {
		fields = strings.Split(fields[0], ",")
	}
	if len(fields) == 0 {
		return "", true
	}
	if len(fields) != 2 {
		return "", false
	}
	lat, err1 := strconv.ParseFloat(strings.Trim(fields[0], ","), 64)
	lon, err2 := strconv.ParseFloat(strings.Trim(fields[1], ","), 64)
	if err1 != nil || err2 != nil || !(lat >= -90 && lat <= 90 && lon >= -180 && lon <= 180) {
		return "", false
	}
	return strconv.FormatFloat(lat, 'f', -1, 64) + ", " + strconv.FormatFloat(lon, 'f', -1, 64), true
}

func (s *Server) prefer(wall string) error {
	if !slices.Contains(s.Tables.Walls, wall) {
		return errForm
	}
	s.Machine.Prefer(wall)
	return nil
}
