// Package config turns one YAML file into checked values, and says of every
// mistake where it stands and what was probably meant.
//
// A file becomes a tree of [Node] values ([Load], [Parse]); a tree becomes Go
// values through struct tags ([Node.Decode]); whatever is wrong on the way is
// collected in a [Report], all mistakes of a file at once.
//
// Scalars follow YAML 1.1 the way PyYAML reads it, because the files this
// program takes over were written for that reader: yes and no are booleans,
// 8:30 is 510, 010 is 8 and 1e3 is text.
package config
