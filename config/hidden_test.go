package config

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A fruit is a Setter whose error has a suggestion.
type fruit string

func (f *fruit) SetValue(v any) error {
	if v == "apple" {
		return nil
	}
	return nearApple{fmt.Sprintf("%q is no fruit", v)}
}

type nearApple struct{ text string }

func (e nearApple) Error() string { return e.text }
func (e nearApple) Near() string  { return "apple" }

// An error about a secret contains no part of the secret. It also suggests no similar word, because a suggestion would reveal the secret.
func TestMistakesInSecretsAreNotGuessed(t *testing.T) {
	type into struct {
		Word  string  `yaml:"word" enum:"sunrise,sunset"`
		Fruit fruit   `yaml:"fruit"`
		Size  int     `yaml:"size"`
		Share float64 `yaml:"share"`
	}
	for key, secret := range map[string]string{"word": "sunrize", "fruit": "applw", "size": "4711px", "share": "4711"} {
		for source, shown := range map[string]bool{"!secret s": false, `"` + secret + `"`: true} {
			var r Report
			n := Parse("a.yaml", []byte(key+": "+source+"\n"), &r, func(string) (any, error) { return secret, nil })
			var v into
			if n.Decode(&v, &r, nil) || len(r.Diagnostics()) != 1 {
				t.Errorf("%s: %s: got %v, want one mistake", key, source, r.Diagnostics())
				continue
			}
			d := r.Diagnostics()[0]
			if told := d.Near != "" || strings.Contains(d.Message, secret) || strings.Contains(d.Message, "unit"); told != shown {
				t.Errorf("%s: %s: got %q, near %q; want told %v", key, source, d.Message, d.Near, shown)
			}
		}
	}
}

// If the error of a required key was reported before, decoding fails without a new error in the report.
func TestRequiredKeyWithMistakeToldBefore(t *testing.T) {
	var r Report
	n := Parse("a.yaml", []byte("url: !secret none\nother: !secret none\n"), &r, func(string) (any, error) { return nil, errors.New("there is none") })
	before := len(r.Diagnostics())
	var needs struct {
		URL   string `yaml:"url" required:"true"`
		Other string `yaml:"other"`
	}
	var takes struct {
		URL   string `yaml:"url"`
		Other string `yaml:"other"`
	}
	if n.Decode(&needs, &r, nil) || len(r.Diagnostics()) != before {
		t.Errorf("got it whole, or told again: %v", r.Diagnostics())
	}
	if !n.Decode(&takes, &r, nil) {
		t.Error("without a required key: got it not whole")
	}
}
