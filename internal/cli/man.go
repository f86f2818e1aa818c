package cli

import (
	"fmt"
	"strings"
)

// Man is the manual page of the program in section 1, in the macros of man(7).
func (p *Program) Man() string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1\n.SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", strings.ToUpper(Roff(p.Name)), Roff(p.Name), Roff(p.Brief))
	for i := range p.Commands {
		if i > 0 {
			b.WriteString(".br\n")
		}
		fmt.Fprintf(&b, ".B %s\n", Roff(p.Line(&p.Commands[i])))
	}
	b.WriteString(".SH DESCRIPTION\n" + manText(p.About))
	b.WriteString(".SH OPTIONS\n")
	manOptions(&b, p.Commands[0].Options)
	if len(p.Commands) > 1 {
		b.WriteString(".SH COMMANDS\n")
	}
	for _, c := range p.Commands[1:] {
		fmt.Fprintf(&b, ".SS %s\n%s", Roff(strings.TrimSpace(c.Name+c.Operand.usage())), manText(sentence(c.Brief)+"\n\n"+c.About))
		manOptions(&b, c.Options)
	}
	manNotes(&b, "FILES", p.Files)
	manNotes(&b, "SIGNALS", p.Signals)
	manNotes(&b, "EXIT STATUS", p.Exits)
	var examples []Note
	for _, c := range p.Commands {
		examples = append(examples, c.Examples...)
	}
	manNotes(&b, "EXAMPLES", examples)
	if len(p.SeeAlso) > 0 {
		fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", Roff(strings.Join(p.SeeAlso, ", ")))
	}
	return b.String()
}

// sentence begins with a capital letter and ends with a full stop.
func sentence(s string) string { return strings.ToUpper(s[:1]) + strings.TrimSuffix(s[1:], ".") + "." }

func manOptions(b *strings.Builder, options []Option) {
	for _, o := range options {
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", Roff(o.usage()), Roff(sentence(o.meaning())))
	}
}

func manNotes(b *strings.Builder, title string, notes []Note) {
	if len(notes) == 0 {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	for _, n := range notes {
		fmt.Fprintf(b, ".TP\n.B %s\n", Roff(n.Word))
		if n.Meaning != "" {
			b.WriteString(Roff(sentence(n.Meaning)) + "\n")
		}
	}
}

func manText(text string) string {
	var b strings.Builder
	for i, paragraph := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		b.WriteString(Roff(paragraph) + "\n")
	}
	return b.String()
}

// Roff is a text in which nothing is taken for a command: dashes are those that are typed.
func Roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}
