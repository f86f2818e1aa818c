// Package cli describes the command lines of the programs, one table each. Arguments are read by the table, and help,
// shell completion and man pages are written from it.
package cli

import (
	"dashboard/internal/spelling"
	"fmt"
	"slices"
	"strings"
)

// A Program is a command line with everything that is told about it.
type Program struct {
	Name     string
	Brief    string    // one line: "draw a wall of widgets"
	About    string    // paragraphs with an empty line between them
	Commands []Command // the first one has no name: it is what the program does without a command
	Files    []Note
	Signals  []Note
	Exits    []Note // exit status
	SeeAlso  []string
}

// A Note is a word and what it means.
type Note struct{ Word, Meaning string }

// A Command is one thing the program does.
type Command struct {
	Name     string // "" for the first
	Operand  Operand
	Brief    string // one line without a full stop
	About    string // paragraphs; may be empty
	Options  []Option
	Examples []Note // a command line and what it does
}

// An Operand is what may follow the options.
type Operand struct {
	Name     string // such as DIR; "" if nothing may
	Required bool
	Takes    Kind
	Words    []string // of Kind Word
}

// An Option is one option. A name of one letter is written with one dash, others with two.
type Option struct {
	Name    string
	Value   string // what stands for the value, such as FILE; "" for a switch
	Brief   string // a sentence without a full stop
	Default string
	Takes   Kind
	Words   []string // of Kind Word
}

// A Kind says what a shell offers for a value.
type Kind uint8

// The kinds of values.
const (
	Text Kind = iota
	File
	Folder
	Word
)

// Dashed is the option as it is typed.
func (o Option) Dashed() string {
	if len(o.Name) == 1 {
		return "-" + o.Name
	}
	return "--" + o.Name
}

// usage is the option with its value, as help shows it.
func (o Option) usage() string {
	if o.Value == "" {
		return o.Dashed()
	}
	return o.Dashed() + " " + o.Value
}

// meaning is the sentence of an option, with its default.
func (o Option) meaning() string {
	if o.Default == "" {
		return o.Brief
	}
	return o.Brief + " (default " + o.Default + ")"
}

func (o Operand) usage() string {
	switch {
	case o.Name == "":
		return ""
	case o.Required:
		return " " + o.Name
	}
	return " [" + o.Name + "]"
}

// Line is the command as it is typed: "dashboard check [options] [DIR]".
func (p *Program) Line(c *Command) string {
	line := p.Name
	if c.Name != "" {
		line += " " + c.Name
	}
	if len(c.Options) > 1 { // more than --help
		line += " [options]"
	}
	return line + c.Operand.usage()
}

// Command finds a command by its name.
func (p *Program) Command(name string) (*Command, bool) {
	i := slices.IndexFunc(p.Commands, func(c Command) bool { return c.Name == name })
	if i < 0 {
		return nil, false
	}
	return &p.Commands[i], true
}

// names lists the commands that have one.
func (p *Program) names() []string {
	var names []string
	for _, c := range p.Commands[1:] {
		names = append(names, c.Name)
	}
	return names
}

// helpName is the option that every command should have; Parse knows more ways to ask for it.
const helpName = "help"

// A Call is a command line that was read.
type Call struct {
	Command  *Command
	Operands []string
	Values   map[string]string // by the option's name; "true" for a switch
}

// Has reports whether an option was given.
func (c *Call) Has(option string) bool { _, ok := c.Values[option]; return ok }

// Value is what was given for an option, or its default.
func (c *Call) Value(option string) string {
	if v, ok := c.Values[option]; ok {
		return v
	}
	for _, o := range c.Command.Options {
		if o.Name == option {
			return o.Default
		}
	}
	return ""
}

// Parse reads arguments, without the program's name. An option counts wherever it stands; with one dash it is read as with
// two, and a value may follow after a space or an equals sign. After "--" everything is an operand. "help" and a command
// is the command's --help, and so is -h.
func (p *Program) Parse(args []string) (*Call, error) {
	call := &Call{Command: &p.Commands[0], Values: map[string]string{}}
	if len(args) > 0 && args[0] == helpName {
		args = append(args[1:len(args):len(args)], "--"+helpName)
	}
	if len(args) > 0 {
		if c, ok := p.Command(args[0]); ok {
			call.Command, args = c, args[1:]
		}
	}
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			call.Operands = append(call.Operands, args...)
			args = nil
		case len(arg) > 1 && arg[0] == '-':
			var err error
			if args, err = p.option(call, arg, args); err != nil {
				return nil, err
			}
		default:
			call.Operands = append(call.Operands, arg)
		}
	}
	return call, p.operands(call)
}

// option reads one option, with its value from rest if it does not bring it, and returns what is left.
func (p *Program) option(call *Call, arg string, rest []string) ([]string, error) {
	name, value, joined := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	if name == helpName[:1] {
		name = helpName
	}
	i := slices.IndexFunc(call.Command.Options, func(o Option) bool { return o.Name == name })
	if i < 0 {
		return nil, p.unknownOption(call.Command, arg, name)
	}
	switch o := call.Command.Options[i]; {
	case o.Value == "" && joined:
		return nil, fmt.Errorf("%s takes no value", o.Dashed())
	case o.Value == "":
		value = "true"
	case !joined && len(rest) == 0:
		return nil, fmt.Errorf("%s needs a value: %s", o.Dashed(), o.usage())
	case !joined:
		value, rest = rest[0], rest[1:]
	}
	call.Values[name] = value
	if o := call.Command.Options[i]; o.Takes == Word && !slices.Contains(o.Words, value) {
		return nil, noWord(value, o.Words)
	}
	return rest, nil
}

// noWord is the error of a word that is none of those there are.
func noWord(word string, words []string) error {
	if near := spelling.Nearest(word, words); near != "" {
		return fmt.Errorf("%q is none of %s; is %s meant?", word, strings.Join(words, ", "), near)
	}
	return fmt.Errorf("%q is none of %s", word, strings.Join(words, ", "))
}

func (p *Program) unknownOption(c *Command, arg, name string) error {
	var all []string
	for _, o := range c.Options {
		all = append(all, o.Name)
	}
	if near := spelling.Nearest(name, all); near != "" {
		return fmt.Errorf("unknown option %s; is %s meant?", arg, Option{Name: near}.Dashed())
	}
	for _, other := range p.Commands {
		if slices.ContainsFunc(other.Options, func(o Option) bool { return o.Name == name }) {
			return fmt.Errorf("%s is an option of '%s'", arg, strings.TrimSpace(p.Name+" "+other.Name))
		}
	}
	return fmt.Errorf("unknown option %s; %s lists what there is", arg, strings.TrimSpace(p.Name+" "+c.Name)+" --help")
}

// operands checks their number. What stands where a command might have stood is taken for a misspelt one if it looks like it.
func (p *Program) operands(call *Call) error {
	c, n := call.Command, len(call.Operands)
	switch {
	case c.Operand.Required && n == 0 && !call.Has(helpName):
		return fmt.Errorf("%s: %s is missing", p.Line(c), c.Operand.Name)
	case n > 1 || n == 1 && c.Operand.Name == "":
		extra := call.Operands[n-1]
		return fmt.Errorf("unexpected argument %q; it is: %s", extra, p.Line(c))
	case n == 1 && c.Operand.Takes == Word && !slices.Contains(c.Operand.Words, call.Operands[0]):
		return noWord(call.Operands[0], c.Operand.Words)
	}
	return nil
}

// Misspelt returns the command that a word was probably meant to be, or "".
func (p *Program) Misspelt(word string) string { return spelling.Nearest(word, p.names()) }
