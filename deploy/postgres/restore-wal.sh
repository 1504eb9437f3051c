#!/bin/bash
# The restore_command of PostgreSQL: decrypts the file $1 of the archive to $2. AGE_IDENTITY is the file of the identity.
set -euo pipefail
umask 077
. "${HENGTAI_BACKUP_ENV:-/etc/postgresql/hengtai-backup.env}"
# 1: the archive has no such file, which is the end of recovery. A damaged file must not look like that: above 125 PostgreSQL
# stops.
[ -e "$WAL_DIR/$1.age" ] || exit 1
age --decrypt --identity "$AGE_IDENTITY" "$WAL_DIR/$1.age" | gunzip > "$2" || exit 126
