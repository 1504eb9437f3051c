#!/bin/bash
# The daily backup of systemd/hengtai-backup.service: makes one, which verifies itself, encrypts it for BACKUP_RECIPIENT, and
# keeps the newest BACKUP_KEEP in BACKUP_DIR.
set -euo pipefail
shopt -s nullglob
umask 077
folder=${BACKUP_DIR:-/var/backups/hengtai}
keep=${BACKUP_KEEP:-14}
[[ $keep =~ ^[1-9][0-9]*$ ]] || { echo "BACKUP_KEEP=$keep is not accepted: a whole number from 1 on." >&2; exit 78; }
name=$(date -u +%Y-%m-%dT%H%M%S.%3NZ)

# Removes what a failed run left: it must not count as a backup, nor stay without encryption.
remove_incomplete() {
  [ -z "${BACKUP_RECIPIENT:-}" ] || rm -rf "${folder:?}/$name"
  rm -rf "${folder:?}"/20*.part
  for one in "$folder"/20*Z; do [ -e "$one/manifest.json" ] || rm -rf "$one"; done
}
trap remove_incomplete EXIT

# A wrong recipient fails before the backup is made.
[ -z "${BACKUP_RECIPIENT:-}" ] || age --recipient "$BACKUP_RECIPIENT" < /dev/null > /dev/null
"$(dirname "$(readlink -f "$0")")/../bin/hengtai" backup "$folder/$name"
if [ -n "${BACKUP_RECIPIENT:-}" ]; then
  # The identity that decrypts belongs on another machine: age --decrypt -i identity.txt <file> | tar -x
  tar -C "$folder" -cf - "$name" | age --recipient "$BACKUP_RECIPIENT" --output "$folder/$name.part"
  mv "$folder/$name.part" "$folder/$name.tar.age"
fi
remove_incomplete
cd "$folder"
find . -mindepth 1 -maxdepth 1 -name '20*Z*' | sort | head -n "-$keep" | xargs -r rm -r
