#!/bin/sh
# Runs in the machine under test, whose network cable is unplugged. A phone and a home network use emulated radios. Each line of the log is
# a step, with the seconds since the machine's start.
cd /tmp/air || exit 1
guide=/run/dashboard-setup/guide.json
line=/dev/ttyAMA0
say() { echo "$(cut -d. -f1 /proc/uptime) $*" >>log; }
# moment makes the host store a picture of the screen. It waits in a busy loop, so that the machine's clock, which counts instructions, does
# not run ahead of the host's clock.
moment() { say "$*"; kept=$((kept+1)); echo "walk: $*" >$line; until [ "$(grep -c kept answers)" -ge $kept ]; do :; done; }
over() { echo end >>log; echo "walk: end" >$line; exit; }
fail() { say "FAILED: $*"; cat "$guide" >>log 2>/dev/null; over; }
# until_ SECONDS COMMAND waits until the command succeeds. After about SECONDS seconds it fails.
until_() { n=$1; shift; while ! "$@" >/dev/null 2>&1; do n=$((n-1)); [ "$n" -gt 0 ] || return 1; sleep 1; done; }
phone() { busybox nsenter -n -t "$(cat phone.pid)" "$@"; }
home() { busybox nsenter -n -t "$(cat home.pid)" "$@"; }
shows() { grep -q "$1" "$guide"; }
# tap makes the browser on the host perform one step.
tap() { moment "tap $*"; }
# reach waits until the phone can load the page. It does not use a busy loop, so the machine's clock runs fast.
reach() { until_ 90 phone wget -q -T 5 -O page "http://$(cat target)/$token" || fail "the phone does not reach the page"; }
# join NAME PASSWORD makes the phone join a network.
join() {
	[ ! -e phone.wpa ] || kill "$(cat phone.wpa)" "$(cat udhcpc.pid)"
	rm -f address
	printf 'network={\n\tssid="%s"\n\tpsk="%s"\n}\n' "$1" "$2" >phone.conf
	sleep 1
	phone wpa_supplicant -B -Dnl80211 -iwlan1 -cphone.conf -P/tmp/air/phone.wpa >>wpa.log 2>&1
	phone busybox udhcpc -b -i wlan1 -s /tmp/air/lease -p /tmp/air/udhcpc.pid >>wpa.log 2>&1
	until_ 60 test -e address || fail "no address for the phone"
}

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
sleep 4
moment "join screen: $point"
join "$point" "$password"
sleep 2
moment "phone has $(cat address)"
tap open http://10.1.1.1/generate_204
tap speak
tap choose
tap wrong
until_ 60 shows 'refused the password' || fail "a wrong password is not refused"
sleep 2
moment "wall: refused"
reach
tap refused
kill "$(cat udhcpd.pid)"
tap right
until_ 60 shows 'gave no address' || fail "a network without DHCP"
sleep 2
moment "wall: no address"
reach
tap noaddress
home busybox udhcpd -S /tmp/air/udhcpd.conf
tap again
until_ 60 shows 'The wall is in Home Net now' || fail "the network is not joined"
board=$(sed 's|.*HTTP://\([0-9.]*\)/.*|\1|' $guide)
sleep 4
moment "wall: joined as $board"
join "Home Net" Kirschbaum-0815
echo "$board:80" >target
reach
tap home "http://$board/$token"
tap settle
tap prefer
until_ 5 shows 'gallery/family' || fail "the wall does not show the choice"
sleep 5
moment "wall shows the choice"
tap finish
sleep 2
moment "done"
sleep 90
moment "the wall"
say "host $(cat /etc/hostname) zone $(readlink /etc/localtime)"
over
