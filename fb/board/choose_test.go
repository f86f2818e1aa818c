package board

import (
	"errors"
	"testing"
)

func TestChoose(t *testing.T) {
	pi5 := []chip{{"/dev/gpiochip0", "gpio-brcmstb@107d508500", 32, -1}, {"/dev/gpiochip4", "pinctrl-rp1", 54, -1}}
	for name, c := range map[string]struct {
		chips  []chip
		number int
		path   string
		offset int
	}{
		"by its name":           {[]chip{{"a", "x", 32, -1}, {"b", "y", 32, 9}}, 17, "b", 9},
		"of the header":         {pi5, 17, "/dev/gpiochip4", 17},
		"beyond the header":     {pi5, 54, "", 0},
		"the only one":          {[]chip{{"/dev/gpiochip0", "9030000.pl061", 8, -1}}, 3, "/dev/gpiochip0", 3},
		"beyond the only one":   {[]chip{{"/dev/gpiochip0", "9030000.pl061", 8, -1}}, 8, "", 0},
		"two, neither a header": {[]chip{{"a", "x", 32, -1}, {"b", "y", 32, -1}}, 3, "", 0},
		"none":                  {nil, 3, "", 0},
	} {
		path, offset, err := choose(c.chips, c.number)
		if path != c.path || offset != c.offset || (c.path == "") != errors.Is(err, ErrNone) {
			t.Errorf("%s: got %s, %d, %v", name, path, offset, err)
		}
	}
}
