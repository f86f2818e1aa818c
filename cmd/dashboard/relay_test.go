package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dashboard/cmd/shared/cli"
)

// TestRelay requests a file that the server does not have. The program reads the request from its standard input and answers "gone".
// Without an address it returns an error.
func TestRelay(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.FileServerFS(os.DirFS("testdata")))
	defer s.Close()
	file := filepath.Join(t.TempDir(), "address")
	if err := os.WriteFile(file, []byte(s.URL+"/\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	o := &options{Options: cli.Options{AddressFile: file}}
	if err := relayRelease(t.Context(), o, strings.NewReader("nothing 0\n"), &out); err == nil || out.String() != "gone\n" {
		t.Errorf("got %q, %v", out.String(), err)
	}
	if err := relayRelease(t.Context(), &options{}, strings.NewReader("nothing 0\n"), &out); err == nil {
		t.Error("without an address: got an answer")
	}
}
