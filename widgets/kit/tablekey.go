package kit

// TableKey distinguishes the rows of tables. If entries of a list are shown as tables, the entry is part of it.
type TableKey struct {
	Of    any    // the parameters of the table
	Scope string // key of an itemScope
}
