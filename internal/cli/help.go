package cli

import (
	"fmt"
	"strings"
)

// lineWidth is the greatest width of a line of help, for terminals of the usual 80 columns.
const lineWidth = 80

// Help is what --help tells of one command; of the first command, it is what there is to tell of the program.
func (p *Program) Help(c *Command) string {
	var b strings.Builder
	about := c.About
	if c.Name == "" {
		about = p.About
	}
	fmt.Fprintf(&b, "%s %s.\n\n", strings.TrimSpace(p.Name+" "+c.Name), briefVerb(c.Brief))
	if c.Name == "" {
		b.WriteString("Usage:\n")
		p.commandList(&b)
	} else {
		fmt.Fprintf(&b, "Usage:\n  %s\n", p.Line(c))
	}
	if about != "" {
		b.WriteString("\n" + fold(about, "", lineWidth))
	}
	if len(c.Options) > 0 {
		b.WriteString("\nOptions:\n")
		notes := make([]Note, len(c.Options))
		for i, o := range c.Options {
			notes[i] = Note{o.usage(), o.meaning()}
		}
		columns(&b, notes)
	}
	if len(c.Examples) > 0 {
		b.WriteString("\nExamples:\n")
		columns(&b, c.Examples)
	}
	if c.Name == "" && len(p.Commands) > 1 {
		fmt.Fprintf(&b, "\n'%s COMMAND --help' tells more of a command.\n", p.Name)
	}
	return b.String()
}

// briefVerb is a brief text as the end of a sentence that begins with the command: "show a wall", "shows a wall".
func briefVerb(s string) string {
	verb, rest, _ := strings.Cut(s, " ")
	return verb + "s " + rest
}

func (p *Program) commandList(b *strings.Builder) {
	notes := make([]Note, len(p.Commands))
	for i := range p.Commands {
		notes[i] = Note{p.Line(&p.Commands[i]), p.Commands[i].Brief}
	}
	columns(b, notes)
}

// maxColumn is the widest first column; what is longer has a line of its own.
const maxColumn = 36

// columns writes words and meanings beside each other.
func columns(b *strings.Builder, notes []Note) {
	width := 0
	for _, n := range notes {
		if len(n.Word) <= maxColumn {
			width = max(width, len(n.Word))
		}
	}
	for _, n := range notes {
		indent := strings.Repeat(" ", width+4)
		text := fold(n.Meaning, indent, lineWidth)
		if n.Meaning == "" {
			b.WriteString("  " + n.Word + "\n")
			continue
		}
		if len(n.Word) > width {
			fmt.Fprintf(b, "  %s\n%s", n.Word, text)
			continue
		}
		fmt.Fprintf(b, "  %-*s  %s", width, n.Word, strings.TrimPrefix(text, indent))
	}
}

// fold breaks paragraphs into lines of a width, each after an indent.
func fold(text, indent string, width int) string {
	var b strings.Builder
	for i, paragraph := range strings.Split(text, "\n\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		line := indent
		for _, word := range strings.Fields(paragraph) {
			switch {
			case line == indent:
				line += word
			case len(line)+1+len(word) > width:
				b.WriteString(line + "\n")
				line = indent + word
			default:
				line += " " + word
			}
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}
