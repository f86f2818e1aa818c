package cli

import (
	"strings"

	"dashboard/samples"
)

// Options that several commands have.
var (
	configDir = Option{Name: "config-dir", Value: "DIR", Takes: Folder, Brief: "folder of the configuration, instead of the current one; the same as DIR"}
	widgets   = Option{Name: "widgets", Value: "FILE", Takes: File, Default: "widgets.yaml", Brief: "file with the widgets"}
	theme     = Option{Name: "theme", Value: "FILE", Takes: File, Brief: "theme file that replaces the theme block of the widgets file"}
	demo      = Option{Name: "demo", Brief: "use the built-in example; it needs no files and no network"}
	size      = Option{Name: "size", Value: "WxH", Brief: "draw at this size in pixels instead of the configured resolution"}
	help      = Option{Name: helpName, Brief: "print this and end"}
	version   = Option{Name: "version", Brief: "print the version and end"}
)

var folder = Operand{Name: "DIR", Takes: Folder}

// Dashboard is the command line of the service.
func Dashboard() *Program {
	return &Program{
		Name:  "dashboard",
		Brief: "draw a wall of widgets",
		About: "The wall is described by YAML files in a folder: conf.yaml, widgets.yaml and, where they exist, providers.yaml " +
			"and secrets.yaml. Paths in them count from that folder. It is drawn to the framebuffer, and to browsers, remote " +
			"screens, uploads and files as conf.yaml says.",
		Commands: []Command{
			{
				Brief: "show a wall until it is stopped", Operand: folder,
				Options: []Option{configDir, widgets, theme, demo, size, version, help},
				Examples: []Note{
					{"dashboard --demo", "the built-in example, at http://127.0.0.1:5000/"},
					{"dashboard my-wall", "the wall of a folder"},
				},
			},
			{
				Name: "init", Brief: "write a configuration to start from", Operand: Operand{Name: "DIR", Required: true, Takes: Folder},
				About: "The files have comments that say what each part does. They need no key and no network. Nothing that is there " +
					"already is overwritten. The samples are larger; some of them ask public services on the network.",
				Options: []Option{
					{Name: "sample", Value: "NAME", Takes: Word, Words: samples.Names(), Brief: "write this one of the samples: " + strings.Join(samples.Names(), ", ")},
					help,
				},
				Examples: []Note{
					{"dashboard init my-wall", "make the folder my-wall with a wall in it"},
					{"dashboard init --sample epaper paper", "make one for an e-paper display"},
				},
			},
			{
				Name: "check", Brief: "tell everything that is wrong with a configuration", Operand: folder,
				About: "Each mistake is shown with its file, line and column and, where there is one, the nearest right word. " +
					"Nothing is started and nothing is fetched. Colors are used on a terminal, unless NO_COLOR is set. " +
					"The exit status is 1 if there is any error.",
				Options: []Option{configDir, widgets, theme, demo, size, {Name: "json", Brief: "answer in JSON"}, help},
				Examples: []Note{
					{"dashboard check my-wall", "what is wrong with the wall of a folder"},
					{"dashboard check --json my-wall | jq .ok", "for scripts"},
				},
			},
			{
				Name: "render", Brief: "draw one picture of a wall", Operand: folder,
				About: "It waits up to five seconds for the first values of all providers, and tells which did not come. The picture is a PNG.",
				Options: []Option{
					{Name: "o", Value: "FILE", Takes: File, Default: "dashboard.png", Brief: "file to write"},
					size, configDir, widgets, theme, demo, help,
				},
				Examples: []Note{{"dashboard render --size 800x480 -o wall.png my-wall", "how it looks on a small screen"}},
			},
			{
				Name: "completion", Brief: "print what a shell needs to complete these commands",
				Operand: Operand{Name: "SHELL", Required: true, Takes: Word, Words: Shells()},
				Options: []Option{help},
				Examples: []Note{
					{"source <(dashboard completion bash)", "for this shell; for every one, put the line into ~/.bashrc"},
					{"dashboard completion zsh > ~/.zfunc/_dashboard", "~/.zfunc being in fpath"},
					{"dashboard completion fish > ~/.config/fish/completions/dashboard.fish", ""},
				},
			},
		},
		Files: []Note{
			{"conf.yaml", "what is rendered, where it goes, the server, the day and night themes"},
			{"widgets.yaml", "the wall: a tree of widgets, and the theme"},
			{"providers.yaml", "where values come from; it may be missing"},
			{"secrets.yaml", "what stands for \"!secret name\"; it may be missing. Credentials of systemd come before it."},
		},
		Signals: []Note{
			{"SIGUSR1", "read all files again: all of it is taken over or, if anything is wrong, nothing"},
			{"SIGINT, SIGTERM", "end, and give the console back"},
		},
		Exits: []Note{
			{"0", "it was stopped, or did what was asked"},
			{"1", "the configuration is wrong, or something could not be done"},
			{"2", "the command line is wrong"},
		},
		SeeAlso: []string{"dashboard-client(1)"},
	}
}
