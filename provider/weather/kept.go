package weather

import (
	"bytes"
	"encoding/json"
	"errors"
	"time"

	"dashboard/provider"
)

var _ provider.Keeper = (*Provider)(nil)

// The type kept is the form in which a report is stored. It also has the name of the report's time zone.
type kept struct {
	Report

	Zone string
}

// UnmarshalJSON implements json.Unmarshaler. null becomes None.
func (n *Number) UnmarshalJSON(data []byte) error {
	*n = None
	if bytes.Equal(data, []byte("null")) {
		return nil
	}
	return json.Unmarshal(data, (*float64)(n))
}

// Kept implements provider.Keeper.
func (p *Provider) Kept(value any) ([]byte, error) {
	r, ok := value.(*Report)
	if !ok {
		return nil, errors.New("it is no report")
	}
	return json.Marshal(kept{*r, r.zone().String()})
}

// Restore implements provider.Keeper.
func (p *Provider) Restore(data []byte, _ time.Time) (any, error) {
	var k kept
	if err := json.Unmarshal(data, &k); err != nil {
		return nil, err
	}
	r := &k.Report
	var err error
	if r.Zone, err = time.LoadLocation(k.Zone); err != nil { // the name of the zone is unknown, so use the offset of the times
		_, offset := r.At.Zone()
		r.Zone = time.FixedZone(k.Zone, offset)
	}
	r.Hours, r.Days, r.Alerts = r.Hours[:min(len(r.Hours), MaxHours)], r.Days[:min(len(r.Days), MaxDays)], r.Alerts[:min(len(r.Alerts), maxAlerts)]
	r.At, r.words = r.At.In(r.Zone), p.words
	for i := range r.Hours {
		r.Hours[i].At = r.Hours[i].At.In(r.Zone)
	}
	for i := range r.Days {
		d := &r.Days[i]
		d.Date, d.Sunrise, d.Sunset = d.Date.In(r.Zone), in(d.Sunrise, r.Zone), in(d.Sunset, r.Zone)
	}
	return r, nil
}

// in() converts a time to a zone. The zero time stays zero.
func in(t time.Time, zone *time.Location) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.In(zone)
}
