package programtest

import "strings"

// FourToTouch is a widgets file: four widgets in the quarters of the screen, column by column, and pages with these names that they may
// turn to.
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
