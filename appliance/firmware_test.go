//go:build linux

package appliance

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

// putFirmware writes files into the folder firmware of a card.
func putFirmware(t *testing.T, root string, files map[string]int) {
	t.Helper()
	for name, size := range files {
		if err := put(root+bootFolder+"/firmware/"+name, func(path string) error { return os.WriteFile(path, make([]byte, size), 0o644) }); err != nil {
			t.Fatal(err)
		}
	}
}

func TestFirmware(t *testing.T) {
	root := t.TempDir()
	if names, err := addFirmware(root); names != nil || err != nil {
		t.Errorf("no folder: got %q, %v", names, err)
	}
	putFirmware(t, root, map[string]int{"brcmfmac43436-sdio.bin": 10, "rtl_nic/a.fw": 20, ".DS_Store": 30})
	names, err := addFirmware(root)
	if want := []string{"brcmfmac43436-sdio.bin", "rtl_nic/a.fw"}; err != nil || !reflect.DeepEqual(names, want) {
		t.Errorf("got %q, %v, want %q", names, err, want)
	}
	for name, size := range map[string]int{"brcm/brcmfmac43436-sdio.bin": 10, "rtl_nic/a.fw": 20} {
		if got := read(t, root+firmwareFolder+"/"+name); len(got) != size {
			t.Errorf("%s: got %d bytes, want %d where the kernel looks", name, len(got), size)
		}
	}
}

// Firmware files that are too large or too many lead to an error. Otherwise the files could fill the memory.
func TestFirmwareBounds(t *testing.T) {
	many := map[string]int{}
	for i := range maxFirmwareFiles + 1 {
		many[fmt.Sprint(i)] = 1
	}
	for name, files := range map[string]map[string]int{"large": {"a": maxFirmware/2 + 1, "b": maxFirmware/2 + 1}, "many": many} {
		root := t.TempDir()
		putFirmware(t, root, files)
		if _, err := addFirmware(root); err == nil || !strings.HasPrefix(err.Error(), "firmware: ") {
			t.Errorf("%s: got %v, want an error", name, err)
		}
	}
}

func TestRadioNote(t *testing.T) {
	zero, other := map[string]bool{zeroTwo: true}, map[string]bool{"raspberrypi,4-model-b": true}
	for _, tt := range []struct {
		name  string
		here  map[string]bool
		wifi  bool
		names []string
		want  bool
	}{
		{"a Zero 2 W with Wi-Fi", zero, true, nil, true}, {"by cable", zero, false, nil, false}, {"another board", other, true, nil, false},
		{"with its firmware", zero, true, []string{"brcm/" + zeroRadio}, false},
	} {
		if got := radioNote(tt.here, tt.wifi, tt.names); (got != nil) != tt.want {
			t.Errorf("%s: got %q, want a note: %v", tt.name, got, tt.want)
		}
	}
}
