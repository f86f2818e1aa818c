//go:build linux

package radio

import (
	"strconv"
	"strings"

	"dashboard/appliance/setup/flow"
)

// heard() reads the answer to SCAN_RESULTS. Each line contains an address, a frequency, a signal, flags and a name, separated by tabs.
// `slow` is true if the board does not support 5 GHz. In this case Found.Fast is true for networks that use only 5 GHz.
func heard(answer string, slow bool) (all []flow.Found) {
	at24 := map[string]bool{}
	for line := range strings.Lines(answer) {
		f := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(f) != 5 {
			continue
		}
		frequency, err1 := strconv.Atoi(f[1])
		signal, err2 := strconv.Atoi(f[2])
		name := unescape(f[4])
		if err1 != nil || err2 != nil || name == "" {
			continue
		}
		const low = 3000 // limit in MHz between the bands of 2.4 GHz and 5 GHz
		at24[name] = at24[name] || frequency < low
		all = append(all, flow.Found{Name: name, Signal: signal, Security: security(f[3]), Fast: slow && frequency >= low})
	}
	for i := range all {
		all[i].Fast = all[i].Fast && !at24[all[i].Name]
	}
	return all
}

// security reads the flags of a network, such as [WPA2-PSK+SAE-CCMP][ESS].
func security(flags string) flow.Security {
	switch {
	case strings.Contains(flags, "EAP") && !strings.Contains(flags, "PSK") && !strings.Contains(flags, "SAE"):
		return flow.Enterprise
	case strings.Contains(flags, "SAE"):
		return flow.WPA3
	case strings.Contains(flags, "PSK"):
		return flow.WPA2
	case strings.Contains(flags, "-OWE-"):
		return flow.Enhanced // the open half of a pair has the flag OWE-TRANS-OPEN and stays open
	case strings.Contains(flags, "WPA") || strings.Contains(flags, "WEP"):
		return flow.Unsupported // WEP is broken
	}
	return flow.Open
}

// unescape decodes a name as wpa_supplicant prints it (printf_encode in utils/common.c).
func unescape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'e':
			b.WriteByte(0x1b)
		case 'x':
			if i+2 < len(s) {
				v, _ := strconv.ParseUint(s[i+1:i+3], 16, 8) // wpa_supplicant always writes two digits
				b.WriteByte(byte(v))
				i += 2
			}
		default:
			b.WriteByte(s[i])
		}
	}
	return strings.Trim(b.String(), "\x00") // the name of a hidden network may consist of zeros
}

// A sign is the meaning of an event of wpa_supplicant.
type sign int

const (
	nothing sign = iota
	seen
	accepted
	refused
	missing
	scanned
	joined // a phone has joined the access point
	left
)

// signOf returns the meaning of an event. For an event about a phone, `value` is the phone's address. For an event about a network, `value`
// is the network's name, or "" if the event does not contain the name.
func signOf(event string) (s sign, value string) {
	word, rest, _ := strings.Cut(event, " ")
	switch word {
	case "CTRL-EVENT-SCAN-RESULTS":
		return scanned, ""
	case "CTRL-EVENT-CONNECTED":
		return accepted, ""
	case "CTRL-EVENT-NETWORK-NOT-FOUND":
		return missing, ""
	case "AP-STA-CONNECTED":
		return joined, first(rest)
	case "AP-STA-DISCONNECTED":
		return left, first(rest)
	case "SME:", "Trying":
		return seen, tryingOf(rest)
	case "CTRL-EVENT-SSID-TEMP-DISABLED":
		if strings.Contains(rest, "reason=WRONG_KEY") || strings.Contains(rest, "reason=AUTH_FAILED") {
			return refused, field(rest, "ssid=")
		}
	case "CTRL-EVENT-AUTH-REJECT":
		// WPA3 reports a wrong password as a failed challenge (IEEE 802.11, table 9-50, status 15).
		if strings.Contains(rest, "status_code=15") {
			return refused, ""
		}
	}
	return nothing, ""
}

func first(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return word
}

// tryingOf returns the name in an event such as: SME: Trying to authenticate with 02:00:00:00:01:00 (SSID='home' freq=2437 MHz).
func tryingOf(event string) string {
	_, rest, _ := strings.Cut(event, "(SSID='")
	return unescape(rest[:max(0, strings.LastIndex(rest, "' freq="))])
}

// field returns the value of a field in an event. The value is in quotation marks, and a backslash precedes each quotation mark in it.
func field(s, name string) string {
	_, rest, ok := strings.Cut(s, name+`"`)
	if !ok {
		return ""
	}
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '\\':
			i++
		case '"':
			return unescape(rest[:i])
		}
	}
	return unescape(rest)
}
