package cli

import (
	"fmt"
	"strings"
)

// Shells are the shells there is completion for.
func Shells() []string { return []string{"bash", "zsh", "fish"} }

// Completion is the script that makes a shell complete the program's commands; "" for a shell that is none of Shells.
func (p *Program) Completion(shell string) string {
	switch shell {
	case "bash":
		return p.bash()
	case "zsh":
		return p.zsh()
	case "fish":
		return p.fish()
	}
	return ""
}

// function is the name of the shell function that completes.
func (p *Program) function() string { return "_" + strings.ReplaceAll(p.Name, "-", "_") }

func (p *Program) bash() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# bash completion of %s\n%s() {\n", p.Name, p.function())
	b.WriteString("\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words= word\n\tCOMPREPLY=()\n")
	b.WriteString("\tcase $prev in\n")
	for _, kind := range []Kind{File, Folder, Text} {
		if names := p.valued(kind); len(names) > 0 {
			fmt.Fprintf(&b, "\t%s) %s; return ;;\n", strings.Join(names, "|"), bashOffer(kind))
		}
	}
	for _, o := range p.wordOptions() {
		fmt.Fprintf(&b, "\t%s) while read -r word; do COMPREPLY+=(\"$word\"); done < <(compgen -W '%s' -- \"$cur\"); return ;;\n", o.Dashed(), strings.Join(o.Words, " "))
	}
	b.WriteString("\tesac\n\tcase ${COMP_WORDS[1]} in\n")
	for _, c := range p.Commands[1:] {
		fmt.Fprintf(&b, "\t%s) words='%s'; %s ;;\n", c.Name, strings.Join(dashed(c), " "), bashOperand(c.Operand))
	}
	first := p.Commands[0]
	fmt.Fprintf(&b, "\t*) words='%s'; %s\n", strings.Join(dashed(first), " "), bashOperand(first.Operand))
	fmt.Fprintf(&b, "\t\t[ \"$COMP_CWORD\" -eq 1 ] && words+=' %s' ;;\n\tesac\n", strings.Join(p.names(), " "))
	b.WriteString("\twhile read -r word; do COMPREPLY+=(\"$word\"); done < <(compgen -W \"$words\" -- \"$cur\")\n}\n")
	fmt.Fprintf(&b, "complete -F %s %s\n", p.function(), p.Name)
	return b.String()
}

// bashOffer puts the files or folders that begin as typed among the answers.
func bashOffer(k Kind) string {
	flag := map[Kind]string{File: "-f", Folder: "-d"}[k]
	if flag == "" {
		return ":"
	}
	return `compopt -o filenames; while read -r word; do COMPREPLY+=("$word"); done < <(compgen ` + flag + ` -- "$cur")`
}

func bashOperand(o Operand) string {
	if o.Takes == Word {
		return "words+=' " + strings.Join(o.Words, " ") + "'"
	}
	return bashOffer(o.Takes)
}

// dashed lists a command's options as they are typed.
func dashed(c Command) []string {
	var all []string
	for _, o := range c.Options {
		all = append(all, o.Dashed())
	}
	return all
}

// valued lists the options of all commands whose value is of a kind, each once.
func (p *Program) valued(k Kind) []string {
	var names []string
	seen := map[string]bool{}
	for _, c := range p.Commands {
		for _, o := range c.Options {
			if o.Value != "" && o.Takes == k && !seen[o.Name] {
				seen[o.Name] = true
				names = append(names, o.Dashed())
			}
		}
	}
	return names
}

// wordOptions lists the options whose value is one of a few words.
func (p *Program) wordOptions() []Option {
	var all []Option
	for _, c := range p.Commands {
		for _, o := range c.Options {
			if o.Takes == Word {
				all = append(all, o)
			}
		}
	}
	return all
}

func (p *Program) zsh() string {
	var b strings.Builder
	fmt.Fprintf(&b, "#compdef %s\n\n%s() {\n\tlocal -a commands\n\tcommands=(\n", p.Name, p.function())
	for _, c := range p.Commands[1:] {
		fmt.Fprintf(&b, "\t\t%s\n", quoted(c.Name+":"+c.Brief))
	}
	b.WriteString("\t)\n\tcase ${words[2]} in\n")
	for _, c := range p.Commands[1:] {
		fmt.Fprintf(&b, "\t%s)\n\t\tshift words; (( CURRENT-- ))\n\t\t%s ;;\n", c.Name, zshArguments(c))
	}
	b.WriteString("\t*)\n\t\t(( CURRENT == 2 )) && _describe command commands\n\t\t" + zshArguments(p.Commands[0]) + " ;;\n\tesac\n}\n\n")
	// Read by source it registers itself; loaded from fpath it is the function's first call.
	fmt.Fprintf(&b, "if [ \"$funcstack[1]\" = %s ]; then %s \"$@\"; else compdef %s %s; fi\n", p.function(), p.function(), p.function(), p.Name)
	return b.String()
}

func zshArguments(c Command) string {
	args := []string{"_arguments"}
	for _, o := range c.Options {
		spec := o.Dashed() + "[" + strings.NewReplacer("[", `\[`, "]", `\]`, ":", `\:`).Replace(o.Brief) + "]"
		if o.Value != "" {
			spec += ":" + o.Value + ":" + zshAction(o.Takes, o.Words)
		}
		args = append(args, quoted(spec))
	}
	if c.Operand.Name != "" {
		args = append(args, quoted("1:"+c.Operand.Name+":"+zshAction(c.Operand.Takes, c.Operand.Words)))
	}
	return strings.Join(args, " \\\n\t\t\t")
}

func zshAction(k Kind, words []string) string {
	switch k {
	case File:
		return "_files"
	case Folder:
		return "_files -/"
	case Word:
		return "(" + strings.Join(words, " ") + ")"
	}
	return " "
}

// quoted is a text in single quotes, as all these shells read it.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func (p *Program) fish() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# fish completion of %s\ncomplete -c %s -f\n", p.Name, p.Name)
	none := "not __fish_seen_subcommand_from " + strings.Join(p.names(), " ")
	for _, c := range p.Commands {
		when := none
		if c.Name != "" {
			when = "__fish_seen_subcommand_from " + c.Name
			fmt.Fprintf(&b, "complete -c %s -n %s -a %s -d %s\n", p.Name, quoted("__fish_use_subcommand"), c.Name, quoted(c.Brief))
		}
		for _, o := range c.Options {
			fmt.Fprintf(&b, "complete -c %s -n %s %s -d %s\n", p.Name, quoted(when), fishOption(o), quoted(o.Brief))
		}
		if action := fishAction(c.Operand.Takes, c.Operand.Words); c.Operand.Name != "" && action != "" {
			fmt.Fprintf(&b, "complete -c %s -n %s -a %s\n", p.Name, quoted(when), quoted(action))
		}
	}
	return b.String()
}

func fishOption(o Option) string {
	flag := "-l " + o.Name
	if len(o.Name) == 1 {
		flag = "-s " + o.Name
	}
	switch {
	case o.Value == "":
		return flag
	case o.Takes == File:
		return flag + " -r -F"
	}
	if action := fishAction(o.Takes, o.Words); action != "" {
		return flag + " -x -a " + quoted(action)
	}
	return flag + " -x"
}

func fishAction(k Kind, words []string) string {
	switch k {
	case Folder:
		return "(__fish_complete_directories)"
	case Word:
		return strings.Join(words, " ")
	}
	return ""
}
