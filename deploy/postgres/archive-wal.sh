#!/bin/bash
# The archive_command of PostgreSQL: compresses and encrypts the file $1 of the write-ahead log and stores it as $2.
set -euo pipefail
umask 077
. "${HENGTAI_BACKUP_ENV:-/etc/postgresql/hengtai-backup.env}"
target=$WAL_DIR/$2
sum=$(sha256sum < "$1")
if [ -e "$target.age" ]; then
  # PostgreSQL repeats a file after a crash, and a new primary repeats those of the old one. Another content is an error.
  [ "$sum" = "$(cat "$WAL_DIR/checksums/$2")" ] || { echo "$target.age exists with another content" >&2; exit 1; }
  exit 0
fi
mkdir -p "$WAL_DIR/checksums"
gzip -1 < "$1" | age --recipient "$BACKUP_RECIPIENT" --output "$target.part"
echo "$sum" > "$WAL_DIR/checksums/$2"
sync "$target.part" "$WAL_DIR/checksums/$2"
mv "$target.part" "$target.age"
sync "$WAL_DIR"
