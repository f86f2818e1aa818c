package widgets

// tableKey tells the rows of tables apart: those of one that entries of a list are shown as by the entry.
type tableKey struct {
	of    any    // the parameters of the table
	scope string // key of an itemScope
}
