# Boots systemd on a throw-away copy of this machine: an overlay in memory over /, namespaces of its own, no network.
# $1: an empty folder for the overlay; $2: a folder that is seen as /packages. Run by machine.ts as root, inside unshare.
set -eu
base=$1 packages=$2
mount --make-rprivate /
mount -t tmpfs -o size=8g overlay "$base"
mkdir "$base/upper" "$base/work" "$base/root"
root=$base/root
mount -t overlay overlay -o "lowerdir=/,upperdir=$base/upper,workdir=$base/work" "$root"

mount -t proc proc "$root/proc"
mount -t sysfs -o ro sysfs "$root/sys"
mount -t cgroup2 cgroup2 "$root/sys/fs/cgroup"
mount -t tmpfs -o mode=755 dev "$root/dev"
for device in null zero full random urandom tty; do
  : >"$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done
mkdir "$root/dev/pts" "$root/dev/shm"
mount -t tmpfs shm "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
ln -s /proc/self/fd "$root/dev/fd"
for folder in run tmp root home usr/local opt mnt; do mount -t tmpfs -o mode=755 "$folder" "$root/$folder"; done
chmod 1777 "$root/tmp"
# The checkout and its Node are not there: what runs has to have come in a package. What lay in a folder of the machine's
# own is gone by now.
for folder in $CUTROOM_HIDDEN; do [ ! -d "$root$folder" ] || mount -t tmpfs hidden "$root$folder"; done
mkdir "$root/packages"
mount --bind "$packages" "$root/packages"
mount -o remount,bind,ro "$root/packages"

rm -rf "$root/etc/systemd/system"
mkdir "$root/etc/systemd/system"
printf '%032d\n' 1 >"$root/etc/machine-id"
cat >"$root/etc/systemd/system/machine.target" <<'UNIT'
[Unit]
Requires=basic.target
After=basic.target
AllowIsolate=yes
UNIT
# Not chroot: who is in one may not make the namespaces that ffmpeg is started in.
cd "$root"
mkdir old
pivot_root . old
umount -l old
rmdir old
exec env -i container=cutroom PATH=/usr/sbin:/usr/bin:/sbin:/bin \
  /lib/systemd/systemd --unit=machine.target --log-target=null --show-status=0
