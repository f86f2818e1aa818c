// Package theme resolves the design of a wall: named values (tokens), parameter defaults for types and groups of
// widgets, theme files, and colors.
//
// A theme is a mapping of sections, each a mapping of names to values, and the two special sections groups and
// defaults. !color panel in the widgets file stands for the entry panel of the section color or colors.
package theme
