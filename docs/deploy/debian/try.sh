# Installs the package in an overlay of this system, uses it, and removes it.
mount -t tmpfs tmpfs "$AREA"
mkdir "$AREA/changes" "$AREA/work" "$AREA/system"
mount -t overlay overlay \
    -o "lowerdir=/,upperdir=$AREA/changes,workdir=$AREA/work" "$AREA/system"
mount -t proc proc "$AREA/system/proc"
mount --rbind /dev "$AREA/system/dev"
cp "$PACKAGE" "$AREA/system/tmp/jara.deb"
chroot "$AREA/system" /bin/bash -euo pipefail -c '
    unset $(env | sed -n "s/^\(JARA_[A-Z_]*\|PYTHON[A-Z]*\|VIRTUAL_ENV\|SSH_AUTH_SOCK\)=.*/\1/p")
    export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive
    command -v jara && [ "$(command -v jara)" != /usr/bin/jara ] && exit 1
    dpkg --install /tmp/jara.deb
    jara --version
    printf "JARA_DATABASE_URL = \"/var/lib/jara/jara.db\"\n" > /etc/jara/jara.toml
    jara init
    jara organisation show
    jara ledger verify
    jara backup /var/backups/jara/first.backup
    dpkg --install /tmp/jara.deb
    [ -s /var/lib/jara/jara.db ] && jara organisation show
    dpkg --remove jara
    [ ! -e /opt/jara ] && [ ! -e /usr/bin/jara ] && [ -s /var/lib/jara/jara.db ]
    echo "The Debian package was installed, used, installed again and removed."
'
