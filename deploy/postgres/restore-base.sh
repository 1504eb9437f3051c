#!/bin/bash
# restore-base.sh <backup> <data directory> [moment]: decrypts a base backup (its name without .tar.gz.age) and the backups that it
# continues, combines and verifies them. PostgreSQL then replays the archive up to the moment when it starts. Runs as
# postgres; AGE_IDENTITY is the file of the identity.
set -euo pipefail
export LC_ALL=C
umask 077
environment=${HENGTAI_BACKUP_ENV:-/etc/postgresql/hengtai-backup.env}
. "$environment"
bin=${PG_BIN:-$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)}
wanted=$1 target=$2 moment=${3:-}
[ -e "$BASE_DIR/$wanted.manifest" ] || { echo "$BASE_DIR has no complete backup $wanted." >&2; exit 1; }
[ -z "$(ls -A "$target" 2>/dev/null)" ] || { echo "$target is not empty." >&2; exit 1; }
work=$target.part
rm -rf "$work"
trap 'rm -rf "$work"' EXIT

chain=()
for manifest in "$BASE_DIR"/20*.manifest; do
  name=$(basename "$manifest" .manifest)
  [[ $name > $wanted ]] && break
  [[ $name = *-full ]] && chain=()
  chain+=("$name")
done
for name in "${chain[@]}"; do
  mkdir -p "$work/$name"
  age --decrypt --identity "$AGE_IDENTITY" "$BASE_DIR/$name.tar.gz.age" | tar -C "$work/$name" -xzf -
  "$bin/pg_verifybackup" --quiet "$work/$name"
done
rm -rf "$target"
if [ "${#chain[@]}" -eq 1 ]; then
  mv "$work/$wanted" "$target"
else
  (cd "$work" && "$bin/pg_combinebackup" --output "$target" "${chain[@]}")
  "$bin/pg_verifybackup" --quiet "$target"
fi
# Settings of a recovery must not outlive it: a replica copies them, and a later restore would end at their moment. The last one
# removes them all once PostgreSQL accepts writes.
settings=$target/postgresql.auto.conf
sed -i -E '/^(restore|recovery)_/d' "$settings"
cat >> "$settings" <<END
restore_command = 'HENGTAI_BACKUP_ENV=$environment AGE_IDENTITY=$AGE_IDENTITY $(dirname "$(readlink -f "$0")")/restore-wal.sh %f %p'
recovery_target_action = 'promote'
recovery_end_command = 'sed -i -E "/^(restore|recovery)_/d" postgresql.auto.conf'
END
[ -z "$moment" ] || echo "recovery_target_time = '$moment'" >> "$settings"
touch "$target/recovery.signal"
echo "$target is ready: ${#chain[@]} backups, verified. Start PostgreSQL on it."
