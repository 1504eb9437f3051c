#!/bin/bash
# The daily backup of systemd/hengtai-backup.service: makes one, which verifies itself, encrypts it for BACKUP_RECIPIENT, and
# keeps the newest BACKUP_KEEP in BACKUP_DIR.
set -euo pipefail
umask 077
folder=${BACKUP_DIR:-/var/backups/hengtai}
keep=${BACKUP_KEEP:-14}
[[ $keep =~ ^[1-9][0-9]*$ ]] || { echo "BACKUP_KEEP=$keep is not accepted: a whole number from 1 on." >&2; exit 78; }
name=$(date -u +%Y-%m-%dT%H%M%S.%3NZ)
if [ -n "${BACKUP_RECIPIENT:-}" ]; then
  # Before the backup: a wrong recipient must not cost an hour, nor leave a backup that is not encrypted.
  age --recipient "$BACKUP_RECIPIENT" < /dev/null > /dev/null
  trap 'rm -rf "${folder:?}/$name" "$folder/$name.part"' EXIT
fi
"$(dirname "$(readlink -f "$0")")/../bin/hengtai" backup "$folder/$name"
if [ -n "${BACKUP_RECIPIENT:-}" ]; then
  # The identity that decrypts belongs on another machine: age --decrypt -i identity.txt <file> | tar -x
  tar -C "$folder" -cf - "$name" | age --recipient "$BACKUP_RECIPIENT" --output "$folder/$name.part"
  mv "$folder/$name.part" "$folder/$name.tar.age"
  rm -r "${folder:?}/$name"
fi
cd "$folder"
find . -mindepth 1 -maxdepth 1 -name '20*Z*' ! -name '*.part' | sort | head -n "-$keep" | xargs -r rm -r
