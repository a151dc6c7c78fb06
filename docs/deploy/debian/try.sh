# Installs the package in an overlay of this system, uses it, and removes it.
mount -t tmpfs tmpfs "$AREA"
mkdir "$AREA/changes" "$AREA/work" "$AREA/system"
mount -t overlay overlay \
    -o "lowerdir=/,upperdir=$AREA/changes,workdir=$AREA/work" "$AREA/system"
mount -t proc proc "$AREA/system/proc"
mount --rbind /dev "$AREA/system/dev"
cp "$PACKAGE" "$AREA/system/tmp/jara.deb"
# A machine with systemd, as far as the package asks: what is enabled, and what runs.
mkdir -p "$AREA/system/run/systemd/system" "$AREA/system/tmp/enabled" "$AREA/system/tmp/running"
cat > "$AREA/system/usr/bin/systemctl" <<'END'
#!/bin/sh
action=$1
shift
[ "$1" != --quiet ] || shift
case $action in
    enable) cd /tmp/enabled && touch "$@" ;;
    disable) cd /tmp/enabled && rm -f "$@" ;;
    is-enabled) [ -e "/tmp/enabled/$1" ] ;;
    start) cd /tmp/running && touch "$@" ;;
    stop) cd /tmp/running && rm -f "$@" ;;
esac
END
chroot "$AREA/system" /bin/bash -euo pipefail -c '
    unset $(env | sed -n "s/^\(JARA_[A-Z_]*\|PYTHON[A-Z]*\|VIRTUAL_ENV\|SSH_AUTH_SOCK\)=.*/\1/p")
    export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive
    command -v jara && [ "$(command -v jara)" != /usr/bin/jara ] && exit 1
    dpkg --install /tmp/jara.deb
    jara --version
    touch /etc/jara/jara.toml
    jara init
    systemctl enable jara.service jara-daily.timer jara-backup.timer
    systemctl start jara.service jara-daily.timer jara-backup.timer
    jara organisation show
    jara ledger verify
    jara backup /var/backups/jara/first.backup
    dpkg --install /tmp/jara.deb
    diff <(ls /tmp/enabled) <(ls /tmp/running)
    [ -s /var/lib/jara/jara.db ] && jara organisation show
    report=$(sed -n "s/^ExecStart=//p" /usr/lib/systemd/system/jara-report.service)
    (cd /var/lib/jara && runuser -u jara -- ${report% *})  # without an address it sends no email
    ls /var/lib/jara/reports/*.html
    dpkg --remove jara
    [ -z "$(ls /tmp/enabled /tmp/running | grep jara)" ]
    [ ! -e /opt/jara ] && [ ! -e /usr/bin/jara ] && [ -s /var/lib/jara/jara.db ]
    echo "The Debian package was installed, used, installed again and removed."
'
