package cli

// Client is the command line of the remote screen.
func Client() *Program {
	file := Option{Name: "config", Value: "FILE", Takes: File, Brief: "file to read instead of client.yaml"}
	level := Option{Name: "log-level", Value: "LEVEL", Brief: "debug, info or warning, instead of logging.level of the file"}
	return &Program{
		Name:  "dashboard-client",
		Brief: "show the wall of another machine",
		About: "It fetches the frames of a dashboard over HTTP in the size of its screen and shows them on the framebuffer. " +
			"It needs no widgets, providers, fonts or pictures of its own. When it has lost the dashboard it keeps the last frame, " +
			"and says so after a while.\n\n" +
			"Without FILE and DIR it reads client.yaml of the current folder or else of ~/.config/dashboard or of " +
			"/etc/dashboard. Paths in it count from that folder.",
		Commands: []Command{
			{
				Brief: "show the wall of another machine until it is stopped", Operand: folder,
				Options:  []Option{configDir, file, level, version, help},
				Examples: []Note{{"dashboard-client kitchen", "the screen that kitchen/client.yaml describes"}},
			},
			{
				Name: "check", Brief: "tell everything that is wrong with a configuration", Operand: folder,
				About: "Nothing is started and nothing is fetched. Colors are used on a terminal, unless NO_COLOR is set. " +
					"The exit status is 1 if there is any error.",
				Options: []Option{configDir, file, {Name: "json", Brief: "answer in JSON"}, help},
			},
			{
				Name: "completion", Brief: "print what a shell needs to complete these commands",
				Operand: Operand{Name: "SHELL", Required: true, Takes: Word, Words: Shells()},
				Options: []Option{help},
			},
		},
		Files: []Note{
			{"client.yaml", "where the frames come from and how they are shown"},
			{"secrets.yaml", "what stands for \"!secret name\"; it may be missing. Credentials of systemd come before it."},
		},
		Signals: []Note{
			{"SIGUSR1", "read the file again: all of it is taken over or, if anything is wrong, nothing"},
			{"SIGINT, SIGTERM", "end, and give the console back"},
		},
		Exits: []Note{
			{"0", "it was stopped, or did what was asked"},
			{"1", "the configuration is wrong, or something could not be done"},
			{"2", "the command line is wrong"},
		},
		SeeAlso: []string{"dashboard(1)"},
	}
}
