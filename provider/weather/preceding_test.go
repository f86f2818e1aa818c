package weather

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestRainBeginsItsHour: Open-Meteo and Bright Sky report the precipitation of the hour before a time. A report assigns the
// precipitation, and a matching kind of weather, to the hour in which the precipitation fell.
func TestRainBeginsItsHour(t *testing.T) {
	// It rains from 13:00 to 14:00. Both services report this at 14:00.
	rain := []float64{0, 0, 3, 0, 0}
	var times, codes, amounts, chances, temps, rows []string
	for i, mm := range rain {
		at := noonOf.Add(time.Duration(i) * time.Hour)
		code, condition := 2, "dry"
		if mm > 0 {
			code, condition = 63, "rain"
		}
		times, codes = append(times, fmt.Sprint(at.Unix())), append(codes, fmt.Sprint(code))
		amounts, chances, temps = append(amounts, fmt.Sprint(mm)), append(chances, fmt.Sprint(mm*20)), append(temps, "10")
		rows = append(rows, fmt.Sprintf(`{"timestamp":%q,"temperature":10,"precipitation":%g,"precipitation_probability":%g,"condition":%q,"icon":"partly-cloudy-day"}`, at.Format(time.RFC3339), mm, mm*20, condition))
	}
	list := func(s []string) string { return "[" + strings.Join(s, ",") + "]" }
	openMeteo := fmt.Sprintf(`{"timezone":"Europe/Berlin","hourly":{"time":%s,"weather_code":%s,"precipitation":%s,"precipitation_probability":%s,"temperature_2m":%s}}`,
		list(times), list(codes), list(amounts), list(chances), list(temps))
	for name, read := range map[string]func() (*Report, error){
		"open-meteo": func() (*Report, error) { return OpenMeteo([]byte(openMeteo)) },
		"brightsky": func() (*Report, error) {
			return BrightSky([]byte(`{"weather":`+list(rows)+`}`), latitude, longitude, berlin, noonOf)
		},
	} {
		r, err := read()
		if err != nil || len(r.Hours) != len(rain)-1 {
			t.Fatalf("%s: got %+v, %v", name, r, err)
		}
		for i := range rain[1:] {
			h, falls := r.Hours[i], i == 1
			if (h.Rain == 3) != falls || (h.Probability == 60) != falls || (h.Kind == Rain) != falls || !falls && h.Kind != PartlyCloudy {
				t.Errorf("%s, %s: got %v mm, %v %%, kind %d; rain falls from 13:00 to 14:00", name, h.At.Format("15:04"), h.Rain, h.Probability, h.Kind)
			}
		}
	}
}

// TestBrightSkyDaySum: the rain from 23:00 to 24:00 belongs to the day that ends, although the service reports it with the time midnight.
// The last entry, at midnight, starts no new day.
func TestBrightSkyDaySum(t *testing.T) {
	var rows []string
	midnight := time.Date(2026, 5, 15, 0, 0, 0, 0, berlin)
	for i := range 49 {
		mm := 0
		if i == 0 || i == 24 {
			mm = 5
		}
		rows = append(rows, fmt.Sprintf(`{"timestamp":%q,"temperature":10,"precipitation":%d,"condition":"dry"}`, midnight.Add(time.Duration(i)*time.Hour).Format(time.RFC3339), mm))
	}
	r, err := BrightSky([]byte(`{"weather":[`+strings.Join(rows, ",")+`]}`), latitude, longitude, berlin, noonOf)
	if err != nil || len(r.Days) != 2 {
		t.Fatalf("got %+v, %v", r, err)
	}
	if r.Days[0].Rain != 5 || r.Days[1].Rain != 0 {
		t.Errorf("got %v and %v mm, want 5 and 0", r.Days[0].Rain, r.Days[1].Rain)
	}
}

// TestOpenWeatherSnow: a day with snow has precipitation, and a day with sleet has the sum of rain and snow.
func TestOpenWeatherSnow(t *testing.T) {
	r, err := OpenWeather([]byte(`{"current":{"dt":1},"daily":[{"dt":1,"snow":4.5},{"dt":90000,"rain":1,"snow":2},{"dt":180000,"rain":3},{"dt":270000}]}`))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Number{4.5, 3, 3} {
		if r.Days[i].Rain != want {
			t.Errorf("day %d: got %v mm, want %v", i, r.Days[i].Rain, want)
		}
	}
	if r.Days[3].Rain.Has() {
		t.Errorf("a dry day: got %v mm", r.Days[3].Rain)
	}
}
