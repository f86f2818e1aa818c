package wall

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"dashboard/control"
	"dashboard/control/pairing"
	"dashboard/control/verb"
	"dashboard/internal/folder"
	"dashboard/internal/stable"
	"dashboard/internal/state"
)

const (
	// devicesFolder and devicesFile are the path of a file in the state folder with the paired screens and the hashes of their tokens.
	// Unlike other files of the state folder, this file is not removed to make room.
	devicesFolder, devicesFile = "devices", "devices.json"
	// editorsFile is a file next to devicesFile. It contains the devices that may edit.
	editorsFile = "editors.json"
	// digitsFile is a file next to devicesFile. Unless its text is digitsOn, no device can ask for the permission to edit.
	digitsFile, digitsOn, digitsOff = "edit-digits", "on\n", "off\n"
	// peersFile is a file next to devicesFile. It contains the walls that may control this wall, and their keys.
	peersFile = "peers.json"
	// maxDevicesFile is the maximum size of each of the files devicesFile, editorsFile and peersFile, in bytes. A device takes about 300
	// bytes.
	maxDevicesFile = 64 << 10
	// identityKind is the kind of the file in the state folder with the identity of the wall. It has identityLength letters of rand.Text.
	identityKind, identityLength = "identity", 26
)

// identity returns a random text that the wall in the folder `home` announces in the network. It is the same after each start. Without a
// state folder, identity returns "", because then the tokens of paired screens are not kept either.
func identity(store *state.Store, home string) string {
	if data, ok := store.Load(identityKind, home); ok && len(data) == identityLength {
		return string(data)
	}
	id := rand.Text()
	if store == nil || store.Save(identityKind, home, []byte(id)) != nil {
		return ""
	}
	return id
}

// keepScreens loads the devices of a registry from a file of the store. From then on the registry saves each change to the file. The
// devices are screens, editors or walls.
func keepScreens(to *pairing.Registry, store *state.Store, file string) error {
	if store == nil {
		return nil
	}
	dir, err := store.Folder(devicesFolder)
	if err != nil {
		return err
	}
	var before []pairing.Device
	if data, err := folder.Read(folder.Dir(dir), file, maxDevicesFile); err == nil && json.Unmarshal(data, &before) != nil {
		before = nil // if the file has an error, the registry is empty
	}
	to.Keep(before, func(all []pairing.Device) error {
		data, err := json.Marshal(all)
		if err != nil {
			return err
		}
		return state.Replace(filepath.Join(dir, file), data)
	})
	return nil
}

// keepDigits loads from the store whether devices can ask for the permission to edit. From then on the registry saves each change. Devices
// can ask if there is no file. If the file has an error, they cannot.
func keepDigits(to *pairing.Registry, store *state.Store) error {
	if store == nil {
		return nil
	}
	dir, err := store.Folder(devicesFolder)
	if err != nil {
		return err
	}
	data, err := folder.Read(folder.Dir(dir), digitsFile, maxDevicesFile)
	to.KeepClosed(!errors.Is(err, fs.ErrNotExist) && string(data) != digitsOn, func(closed bool) error {
		text := digitsOn
		if closed {
			text = digitsOff
		}
		return state.Replace(filepath.Join(dir, digitsFile), []byte(text))
	})
	return nil
}

const (
	// pairingNotice is the id of the notification with the digits of screens.
	pairingNotice = "dashboard-pairing"
	// mostNamed is the maximum number of screens that the notification names.
	mostNamed = 3
)

// showPairing posts a notification with the digits of the screens that request pairing. If no screen requests pairing, it removes the
// notification. The page shows the digits too, for walls without notifications.
func (s *Service) showPairing() {
	by := control.Caller{Via: "pairing"}
	waiting := s.screens.Waiting(time.Now())
	ctx := context.Background() // posting does not block
	if len(waiting) == 0 {
		if !s.digits.Swap(false) {
			return
		}
		_, _ = s.verbs.Do(ctx, control.Action{By: by, Verb: "dismiss", Args: verb.Args{"id": pairingNotice}})
		return
	}
	body, err := json.Marshal(pairingCard(waiting, time.Now()))
	if err == nil {
		_, err = s.verbs.Do(ctx, control.Action{By: by, Verb: "notify", Args: verb.Args{"body": json.RawMessage(body)}})
	}
	s.digits.Store(err == nil)
	if err != nil {
		s.log.Debug("the digits of a screen that asks to be paired are on the page alone", "reason", err)
	}
}

// pairingCard returns the body of the notification with the digits.
func pairingCard(waiting []pairing.Request, now time.Time) map[string]any {
	stable.Sort(waiting, func(a, b pairing.Request) int { return cmp.Compare(a.Until.UnixNano(), b.Until.UnixNano()) })
	var lines []string
	for _, r := range waiting[max(0, len(waiting)-mostNamed):] {
		lines = append(lines, fmt.Sprintf("%s %s  %s", r.Code[:3], r.Code[3:], r.Name))
	}
	last := waiting[len(waiting)-1].Until
	return map[string]any{
		"id": pairingNotice, "title": "A screen wants to show this wall", "icon": "mdi:monitor",
		"text":     strings.Join(lines, "\n") + "\nThe same digits there? Confirm on this wall's page.",
		"duration": max(1, last.Sub(now).Seconds()),
	}
}
