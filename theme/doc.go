// Package theme resolves the design of a wall: named values (tokens), parameter defaults for types and groups of widgets, theme files, and
// colors.
//
// A theme is a mapping of sections. Each section is a mapping of names to values. The sections `groups` and `defaults` have special
// meanings. In the widgets file, `!color panel` is replaced by the entry `panel` of the theme's section `color` or `colors`.
package theme
