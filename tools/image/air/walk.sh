#!/bin/sh
# Runs in the machine under test, without its cable: a phone and a home network on emulated radios. Each line of the log is a step with
# the seconds since the machine's start.
cd /tmp/air || exit 1
guide=/run/dashboard-setup/guide.json
line=/dev/ttyAMA0
say() { echo "$(cut -d. -f1 /proc/uptime) $*" >>log; }
# moment has a picture kept. It waits busily, so that the machine's clock, which counts instructions, does not run ahead of the host's.
moment() { say "$*"; kept=$((kept+1)); echo "walk: $*" >$line; until [ "$(grep -c kept answers)" -ge $kept ]; do :; done; }
over() { echo end >>log; echo "walk: end" >$line; exit; }
fail() { say "FAILED: $*"; cat "$guide" >>log 2>/dev/null; over; }
# until SECONDS COMMAND: waits until the command succeeds.
until_() { n=$1; shift; while ! "$@" >/dev/null 2>&1; do n=$((n-1)); [ "$n" -gt 0 ] || return 1; sleep 1; done; }
phone() { busybox nsenter -n -t "$(cat phone.pid)" "$@"; }
home() { busybox nsenter -n -t "$(cat home.pid)" "$@"; }
shows() { grep -q "$1" "$guide"; }
get() { phone wget -q -T 20 -O page "$1"; }
# wget repeats a form after a redirect, so the page is asked for again.
post() { phone wget -q -T 40 -O page --post-data "$2" "$base/$1" >/dev/null 2>&1; sleep 1; until_ 20 get "$base"; }
here() { get "$base" && grep -q "$1" page; }

kept=0
busybox stty -F $line -echo 2>/dev/null
busybox cat $line >answers &
until_ 600 grep -q 0 /sys/class/net/eth0/carrier || fail "the cable is in"
say "cable out"
systemctl start appliance-setup
until_ 60 test -e "$guide" || fail "no access point"
until_ 20 shows 'WIFI:T:WPA' || fail "no code"
point=$(sed 's/.*WIFI:T:WPA;S:\([^;]*\);.*/\1/' $guide)
password=$(sed 's/.*WIFI:T:WPA;S:[^;]*;P:\([^;]*\);.*/\1/' $guide)
token=$(sed 's|.*HTTP://10.1.1.1/\([A-Z0-9]*\).*|\1|' $guide)
base=http://10.1.1.1/$token
sleep 4
moment "join screen: $point"
cat >phone.conf <<END
network={
	ssid="$point"
	psk="$password"
}
END
phone wpa_supplicant -B -Dnl80211 -iwlan1 -cphone.conf -P/tmp/air/phone.wpa >>wpa.log 2>&1
phone busybox udhcpc -b -i wlan1 -s /tmp/air/lease -p /tmp/air/udhcpc.pid >>wpa.log 2>&1
until_ 60 test -e address || fail "no address for the phone"
sleep 2
moment "phone has $(cat address)"
until_ 20 get http://10.1.1.1/generate_204 || fail "no page"
grep -q 'Hello' page || fail "the sign-in sheet shows something else"
sleep 3
moment "page open"
post speak "language=en&country=DE" || fail speak
until_ 40 here 'Home Net' || fail "the list lacks the network"
moment "network in the list"
phone wget -q -T 3 -O page --post-data "network=Home+Net&password=wrong-password&inside=1" "$base/try" >/dev/null 2>&1
sleep 1
moment "tries a wrong password"
until_ 60 shows 'refused the password' || fail "a wrong password is not refused"
sleep 2
moment "wall: refused"
until_ 60 here 'The network refused the password' || fail "the page does not say so"
say "page: refused"
kill "$(cat udhcpd.pid)"
phone wget -q -T 3 -O page --post-data "network=Home+Net&password=Kirschbaum-0815&inside=1" "$base/try" >/dev/null 2>&1
say "tries without DHCP"
until_ 60 shows 'gave no address' || fail "a network without DHCP"
sleep 2
moment "wall: no address"
until_ 60 here 'The network gave no address' || fail "the page does not say so"
say "page: no address"
home busybox udhcpd -S /tmp/air/udhcpd.conf
phone wget -q -T 3 -O page --post-data "network=Home+Net&password=Kirschbaum-0815&inside=1" "$base/try" >/dev/null 2>&1
say "tries again"
until_ 60 shows 'The wall is in Home Net now' || fail "the network is not joined"
board=$(sed 's|.*HTTP://\([0-9.]*\)/.*|\1|' $guide)
sleep 4
moment "wall: joined as $board"
base=http://$board/$token
phone() { home "$@"; }
until_ 30 here 'Name and place' || fail "no page in the home network"
post settle "name=kitchen&zone=Europe%2FBerlin&place=Europe%2FBerlin" || fail settle
grep -q 'Choose a wall' page || fail "no gallery"
post prefer "wall=family" || fail prefer
until_ 5 shows 'gallery/family' || fail "the wall does not show the choice"
sleep 5
moment "wall shows the choice"
post finish "" || fail finish
grep -q 'kitchen is ready' page || fail "not done"
sleep 2
moment "done"
sleep 90
moment "the wall"
say "host $(cat /etc/hostname) zone $(readlink /etc/localtime)"
over
