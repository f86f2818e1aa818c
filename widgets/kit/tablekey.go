package kit

// TableKey identifies the rows of a table. If the table is inside a list entry, the entry is part of the key.
type TableKey struct {
	Of    any    // parameters of the table
	Scope string // Key of an itemScope
}
