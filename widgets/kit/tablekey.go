package kit

// TableKey identifies the rows of a table. If a table shows an entry of a list, the entry is part of the key.
type TableKey struct {
	Of    any    // parameters of the table
	Scope string // key of an itemScope
}
