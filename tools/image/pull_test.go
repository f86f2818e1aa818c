package main

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"dashboard/appliance/card"
	"dashboard/tools/command"
)

// hostInside is the address of this machine's loopback in the emulated machine.
const hostInside = "10.0.2.2"

// testPull starts from a card that contains a wall. The machine shows the wall of config_url instead. It still shows the wall of
// config_url after the server has sent a faulty wall, and after a start without the server.
func (t *tester) testPull(ctx context.Context) error {
	certificate, own, err := houseAuthority()
	if err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	files := map[string]string{}
	for _, name := range []string{"conf.yaml", "widgets.yaml"} {
		files[name] = t.kit.files[card.ConfigFolder+"/"+name]
	}
	right, wrong := zipped(files), zipped(map[string]string{"conf.yaml": files["conf.yaml"], "widgets.yaml": "widgets:\n- {widget: clokc}\n"})
	var served atomic.Pointer[[]byte]
	served.Store(&right)
	s := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(*served.Load()) })}
	go func() {
		// Serve returns when the server is closed.
		_ = s.Serve(tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}))
	}()
	defer s.Close()
	d, done, err := t.pullCard(ctx, l.Addr().(*net.TCPAddr).Port, own)
	if err != nil {
		return err
	}
	defer done()
	if err := t.pullRound(ctx, d, "pull-first", "Wall: from config_url, taken"); err != nil {
		return err
	}
	served.Store(&wrong)
	if err := t.pullRound(ctx, d, "pull-wrong", "WALL NOT TAKEN: config_url: the files were not taken: widgets.yaml:2:"); err != nil {
		return err
	}
	s.Close()
	return t.pullRound(ctx, d, "pull-gone", "Wall: from config_url, taken")
}

// pullRound starts a machine, expects the picture and a report that contains the given text, and cuts the power.
func (t *tester) pullRound(ctx context.Context, d *disk, name, says string) error {
	m, err := t.start(ctx, d, name, "appliance.report=30")
	if err != nil {
		return err
	}
	defer m.Stop()
	m.pause = 100 * time.Millisecond
	if _, err := m.await(ctx, t.kit.want, paintTolerance, pictureTime); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if m.dark > 0 {
		return fmt.Errorf("%s: the screen was black in the %d looks before the picture", name, m.dark)
	}
	report, err := t.awaitReport(ctx, d, says, 2*reportTime)
	err = errors.Join(err, os.WriteFile(filepath.Join(t.dir, name+".txt"), []byte(report), 0o644))
	if err == nil {
		_, err = m.await(ctx, t.kit.want, paintTolerance, pictureTime)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return t.keep(m, name)
}

// pullCard returns a card with another wall, and with settings that name the server and its certificate authority.
func (t *tester) pullCard(ctx context.Context, port int, own []byte) (*disk, func(), error) {
	on := *t
	kit := *t.kit
	on.kit = &kit
	kit.image = filepath.Join(kit.dir, "pull.img")
	if _, err := command.Run(ctx, nil, "cp", "--sparse=always", t.kit.image, kit.image); err != nil {
		return nil, nil, err
	}
	for name, text := range map[string]string{
		card.SettingsFile:                   settingsText + fmt.Sprintf("config_url = https://%s:%d/wall.zip\r\nca_file = house.crt\r\n", hostInside, port),
		"house.crt":                         string(own),
		card.ConfigFolder + "/widgets.yaml": "widgets: []\n",
	} {
		if err := kit.write(ctx, name, []byte(text)); err != nil {
			return nil, nil, err
		}
	}
	return on.disk()
}

func zipped(files map[string]string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			panic(err) // writing to a buffer never fails
		}
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// houseAuthority returns a certificate for the address at which the emulated machine reaches the host. `own` is the file that makes the
// machine trust this certificate.
func houseAuthority() (c tls.Certificate, own []byte, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return c, nil, err
	}
	form := &x509.Certificate{
		// The emulated machine's clock may be behind.
		SerialNumber: big.NewInt(1), NotBefore: time.Now().AddDate(-10, 0, 0), NotAfter: time.Now().AddDate(10, 0, 0),
		IPAddresses: []net.IP{net.ParseIP(hostInside)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, form, form, &key.PublicKey, key)
	if err != nil {
		return c, nil, err
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), nil
}
