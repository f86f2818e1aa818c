package mqtt

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dashboard/internal/budget"
	"dashboard/internal/testing/programtest"
	"dashboard/provider"
)

// An authority signs certificates.
type authority struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
	der  []byte
}

func newAuthority(t *testing.T, name string) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return &authority{key, c, der}
}

// write writes the certificate of the authority to a file and returns the file's path.
func (a *authority) write(t *testing.T, path string) string {
	t.Helper()
	writePEM(t, path, "CERTIFICATE", a.der)
	return path
}

// sign writes a key and a certificate for 127.0.0.1.
func (a *authority) sign(t *testing.T, dir string) (cert, key string) {
	t.Helper()
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "broker"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, c, a.cert, &own.PublicKey, a.key)
	raw, err2 := x509.MarshalECPrivateKey(own)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writePEM(t, cert, "CERTIFICATE", der)
	writePEM(t, key, "EC PRIVATE KEY", raw)
	return cert, key
}

func writePEM(t *testing.T, path, kind string, der []byte) {
	t.Helper()
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o644); err != nil {
		t.Fatal(err)
	}
}

// mosquitto runs Debian's broker with the given lines of configuration, on a free port.
func mosquitto(t *testing.T, lines string) (port int) {
	t.Helper()
	const path = "/usr/sbin/mosquitto"
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("DASHBOARD_CI") != "" {
			t.Fatal("mosquitto is missing")
		}
		t.Skip("needs mosquitto: apt install mosquitto")
	}
	port = programtest.FreePort(t)
	file := filepath.Join(t.TempDir(), "mosquitto.conf")
	if err := os.WriteFile(file, fmt.Appendf(nil, "listener %d 127.0.0.1\npersistence false\n%s", port, lines), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, "-c", file)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return port
}

// TestTLS: Debian's Mosquitto requires a password and has a certificate from a private authority. A client connects only if it trusts
// this authority, and if the certificate names the host in the broker's address.
func TestTLS(t *testing.T) {
	dir := t.TempDir()
	home, stranger := newAuthority(t, "home"), newAuthority(t, "stranger")
	cert, key := home.sign(t, dir)
	own, other := home.write(t, filepath.Join(dir, "ca.pem")), stranger.write(t, filepath.Join(dir, "other.pem"))
	secrets := filepath.Join(dir, "passwords")
	if out, err := exec.Command("mosquitto_passwd", "-b", "-c", secrets, "wall", "right").CombinedOutput(); err != nil {
		t.Skipf("mosquitto_passwd: %v %s", err, out)
	}
	for _, f := range []string{dir, filepath.Dir(dir)} {
		_ = os.Chmod(f, 0o755) // a broker that is started as root reads these files as another user
	}
	for _, f := range []string{key, secrets} {
		_ = os.Chmod(f, 0o644)
	}
	port := mosquitto(t, fmt.Sprintf("certfile %s\nkeyfile %s\nallow_anonymous false\npassword_file %s\nuser root\n", cert, key, secrets))
	at := fmt.Sprintf("127.0.0.1:%d", port)

	good := Broker{URL: "mqtts://" + at, CAFile: own, ClientID: "good"}
	cell := run(t, &Params{Topic: "home/door"}, &good)
	m := provider.NewManager(budget.New(), func() {}, slog.New(slog.DiscardHandler))
	defer m.Close()
	teller := good
	teller.ClientID, teller.Username, teller.Password = "teller", "wall", "right"
	conn, release, err := Connect(t.Context(), m.Sessions(), teller)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	up := make(chan struct{}, 1)
	defer conn.OnUp(func() {
		select {
		case up <- struct{}{}:
		default: // the channel is full if the connection was lost and opened again
		}
	})()
	<-up
	if err := conn.Publish(t.Context(), "home/door", []byte(`"open"`), true); err != nil {
		t.Fatal(err)
	}
	await(t, cell, "over TLS", is("open"))

	for name, tt := range map[string]struct {
		b    Broker
		want string
	}{
		"without the authority":       {Broker{URL: "mqtts://" + at, ClientID: "1"}, "unknown authority"},
		"with another authority":      {Broker{URL: "mqtts://" + at, CAFile: other, ClientID: "2"}, "unknown authority"},
		"under another name":          {Broker{URL: fmt.Sprintf("mqtts://localhost:%d", port), CAFile: own, ClientID: "3"}, "match localhost"},
		"without a file":              {Broker{URL: "mqtts://" + at, CAFile: filepath.Join(dir, "none.pem"), ClientID: "4"}, "none.pem"},
		"without TLS":                 {Broker{URL: "mqtt://" + at, ClientID: "5"}, ""},
		"with a password that is not": {Broker{URL: "mqtts://" + at, CAFile: own, ClientID: "6", Password: "wrong-secret"}, "refuses"},
	} {
		cell := run(t, &Params{Topic: "home/door"}, &tt.b)
		await(t, cell, name, func(s *provider.Sample) bool { // the first attempts may time out
			if s.Has() && s.Value != nil || s.Err != nil && strings.Contains(s.Err.Error(), "wrong-secret") {
				t.Errorf("%s: got %v, %v", name, s.Value, s.Err)
			}
			return s.Err != nil && strings.Contains(s.Err.Error(), tt.want)
		})
	}
}

// TestPauses: while a broker is away, a wall makes a few attempts in the first minute, and then one or two per minute. Several walls do
// not make their attempts at the same time.
func TestPauses(t *testing.T) {
	for range 200 {
		tries := 0
		for away := time.Duration(0); away < time.Minute; tries++ {
			away += pause(tries + 1)
		}
		if tries < 5 || tries > 8 {
			t.Fatalf("%d tries in the first minute", tries)
		}
	}
	seen := map[time.Duration]bool{}
	for range 100 {
		d := pause(30)
		if seen[d] = true; d < retryMost/2 || d > retryMost {
			t.Fatalf("after a day: %v", d)
		}
	}
	if len(seen) < 50 {
		t.Errorf("%d different pauses of 100", len(seen))
	}
}
