package programtest

import "strings"

// FourToTouch returns a widgets file with four widgets in the quarters of the screen, column by column. The file also has pages with the
// given names, which the widgets may open.
func FourToTouch(four [4]string, pages ...string) string {
	const begin = `widgets:
  - widget: pages
    margin: 0
    transition: none
    dwell: 1h
    children:
      - widget: grid
        name: home
        rows: 2
        columns: 2
        children:
`
	var b strings.Builder
	b.WriteString(begin)
	for _, widget := range four {
		b.WriteString("          - " + widget + "\n")
	}
	for _, name := range pages {
		b.WriteString("      - {widget: empty, name: " + name + "}\n")
	}
	return b.String()
}
