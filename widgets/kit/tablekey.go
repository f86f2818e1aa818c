package kit

// TableKey tells the rows of tables apart: those of one that entries of a list are shown as by the entry.
type TableKey struct {
	Of    any    // the parameters of the table
	Scope string // key of an itemScope
}
