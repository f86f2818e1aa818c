#!/bin/sh
# Prepares the emulated radios in the machine under test: wlan0 belongs to the board, wlan1 to the phone, and wlan2 to the home network.
cd /tmp/air || exit 1
for m in rfkill cfg80211 libarc4 mac80211; do insmod $m.ko 2>/dev/null; done
for m in ccm cmac gcm ghash-generic; do insmod $m.ko 2>/dev/null; done
insmod mac80211_hwsim.ko radios=3 || exit 1
chmod 755 air lease walk.sh
sleep 2
for who in phone home; do
	busybox unshare -n sleep 100000 </dev/null >/dev/null 2>&1 &
	echo $! >$who.pid
done
sleep 1
./air move 1 "$(cat phone.pid)" || exit 1
./air move 2 "$(cat home.pid)" || exit 1
# The phone's browser runs on the host. Its connections reach this machine through eth1.
busybox ip link set eth1 netns "$(cat phone.pid)" || exit 1
phone() { busybox nsenter -n -t "$(cat phone.pid)" "$@"; }
phone busybox ifconfig lo up
phone busybox ifconfig eth1 10.0.9.15 netmask 255.255.255.0 up
echo 10.1.1.1:80 >target
phone ./air relay 10.0.9.15:8080 target >/dev/null 2>&1 </dev/null &
cat >home.conf <<END
network={
	ssid="Home Net"
	mode=2
	frequency=2462
	key_mgmt=WPA-PSK
	proto=RSN
	pairwise=CCMP
	psk="Kirschbaum-0815"
}
END
cat >udhcpd.conf <<END
start 192.168.77.20
end 192.168.77.40
interface wlan2
lease_file /tmp/air/leases
pidfile /tmp/air/udhcpd.pid
option subnet 255.255.255.0
option router 192.168.77.1
option dns 192.168.77.1
END
: >leases
home() { busybox nsenter -n -t "$(cat home.pid)" "$@"; }
home busybox ifconfig lo up
home busybox ifconfig wlan2 192.168.77.1 up
home wpa_supplicant -B -Dnl80211 -iwlan2 -chome.conf || exit 1
home busybox udhcpd -S /tmp/air/udhcpd.conf
home ./air names 192.168.77.1 >/dev/null 2>&1 </dev/null &
systemctl stop appliance-setup
rm -f /var/lib/private/dashboard-setup/setup.json
echo ready
