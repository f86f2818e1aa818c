package main

import (
	"bytes"
	"encoding/json"
	"image"
	_ "image/jpeg"
	"strings"
)

const service = "http://127.0.0.1:5000"

// health returns the answer of /healthz, or nil if there is no answer.
func (m *machine) health() map[string]any {
	status, body, err := m.get(service+"/healthz", "")
	var h map[string]any
	if err != nil || status != 200 || json.Unmarshal(body, &h) != nil {
		return nil
	}
	return h
}

// frameSize returns the size of the frame that a caller with the token receives.
func (m *machine) frameSize() image.Point {
	status, body, err := m.get(service+"/frame", token)
	if err != nil || status != 200 {
		return image.Point{}
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(body))
	if err != nil {
		return image.Point{}
	}
	return image.Pt(c.Width, c.Height)
}

// painted() reports whether the file that represents the screen contains a picture: 320 x 200 pixels of 2 bytes, with more than one color.
func (m *machine) painted() bool {
	found, err := m.try("sh", "-c", "cat /tmp/systemd-private-*/tmp/screen.raw")
	return err == nil && len(found) == 320*200*2 && strings.Trim(found, found[:2]) != ""
}

// checkRunning checks that a unit runs, is enabled, and has reported that it is ready.
func (m *machine) checkRunning(unit string) {
	m.t.Helper()
	for property, want := range map[string]string{
		"ActiveState": "active", "SubState": "running", "UnitFileState": "enabled", "Type": "notify", "WatchdogUSec": "2min 30s",
	} {
		if got := m.show(unit, property); got != want {
			m.t.Errorf("%s: %s: got %s, want %s\n%s", unit, property, got, want, m.journal())
		}
	}
}

// checkConfined checks that the service's process does not have root's rights, and belongs to no groups except its own group and the
// group of the screen.
func (m *machine) checkConfined() {
	m.t.Helper()
	status := m.run("cat", "/proc/"+m.show("dashboard.service", "MainPID")+"/status")
	fields := map[string]string{}
	for _, line := range strings.Split(status, "\n") {
		name, value, _ := strings.Cut(line, ":")
		fields[name] = strings.TrimSpace(value)
	}
	if uid := strings.Fields(fields["Uid"])[0]; uid == "0" {
		m.t.Error("it runs as root")
	}
	for _, set := range []string{"CapEff", "CapPrm", "CapBnd", "CapAmb"} {
		if strings.Trim(fields[set], "0") != "" {
			m.t.Errorf("%s: got %s, want none", set, fields[set])
		}
	}
	if fields["NoNewPrivs"] != "1" || fields["Seccomp"] != "2" {
		m.t.Errorf("got NoNewPrivs %s, Seccomp %s, want 1, 2", fields["NoNewPrivs"], fields["Seccomp"])
	}
	video := strings.Split(m.run("getent", "group", "video"), ":")[2]
	for _, group := range strings.Fields(fields["Groups"]) {
		if own := strings.Fields(fields["Gid"])[0]; group != own && group != video {
			m.t.Errorf("groups: got %s, want only its own and video", fields["Groups"])
		}
	}
}

// checkReload checks that a reload accepts valid files and refuses invalid files.
func (m *machine) checkReload() {
	m.t.Helper()
	pid := m.show("dashboard.service", "MainPID")
	m.write("etc/dashboard/conf.yaml", strings.Replace(wall, "[640, 360]", "[800, 480]", 1), 0o644)
	m.run("systemctl", "reload", "dashboard")
	m.eventually("a frame of 800 x 480", func() bool { return m.frameSize() == image.Pt(800, 480) })

	m.write("etc/dashboard/conf.yaml", "graphics: {resolution: none}\n", 0o644)
	m.run("systemctl", "start", "dashboard-reload.service") // as the timer does
	m.eventually("/healthz tells that the files are wrong", func() bool {
		config, _ := m.health()["config"].(map[string]any)
		return config["ok"] == false
	})
	if got := m.frameSize(); got != image.Pt(800, 480) {
		m.t.Errorf("after a reload of wrong files: got a frame of %v, want the one before", got)
	}
	m.write("etc/dashboard/conf.yaml", strings.Replace(wall, "[640, 360]", "[320, 200]", 1), 0o644)
	m.run("systemctl", "reload", "dashboard")
	m.eventually("a frame of 320 x 200", func() bool { return m.frameSize() == image.Pt(320, 200) })
	if got := m.show("dashboard.service", "MainPID"); got != pid {
		m.t.Errorf("reloads: got process %s, want %s as before", got, pid)
	}
}

// checkRevived checks that systemd restarts the program after a crash and after a hang.
func (m *machine) checkRevived() {
	m.t.Helper()
	first := m.show("dashboard.service", "MainPID")
	m.run("sh", "-c", "kill -KILL "+first)
	m.eventually("a killed program is started again", func() bool { return m.health() != nil && m.show("dashboard.service", "MainPID") != first })

	m.write("etc/systemd/system/dashboard.service.d/impatient.conf", "[Service]\nWatchdogSec=20\nTimeoutAbortSec=1\n", 0o644)
	m.run("systemctl", "daemon-reload")
	m.run("systemctl", "restart", "dashboard")
	second := m.show("dashboard.service", "MainPID")
	m.run("sh", "-c", "kill -STOP "+second)
	m.eventually("the watchdog ends a program that hangs", func() bool { return m.health() != nil && m.show("dashboard.service", "MainPID") != second })
	m.run("rm", "-r", "/etc/systemd/system/dashboard.service.d")
	m.run("systemctl", "daemon-reload")
}
