#!/bin/bash
# The base backup of systemd/hengtai-base-backup.service, as postgres: full or, from PostgreSQL 17 on, incremental. Verifies and
# encrypts it, then removes what is older than BASE_KEEP full backups. Connects like psql (PGHOST, PGPORT, PGUSER).
set -euo pipefail
shopt -s nullglob
export LC_ALL=C
umask 077
. "${HENGTAI_BACKUP_ENV:-/etc/postgresql/hengtai-backup.env}"
bin=${PG_BIN:-$(printf '%s\n' /usr/lib/postgresql/*/bin | sort -V | tail -n 1)}
mkdir -p "$BASE_DIR"
manifests=("$BASE_DIR"/20*.manifest)
recent=$(find "$BASE_DIR" -name '20*-full.manifest' -mtime "-$FULL_DAYS")
summarized=$("$bin/psql" -XAtd postgres -c "select setting from pg_settings where name = 'summarize_wal'")

kind=full
options=(--wal-method stream --checkpoint fast --no-password)
if [ "$summarized" = on ] && [ -n "$recent" ]; then
  kind=incremental
  options+=(--incremental "${manifests[-1]}")
fi
backup=$BASE_DIR/$(date -u +%Y-%m-%dT%H%M%SZ)-$kind
work=$backup.part
trap 'rm -rf "$work" "$backup.tar.gz.age.part"' EXIT
"$bin/pg_basebackup" --pgdata "$work" "${options[@]}"
"$bin/pg_verifybackup" --quiet "$work"
tar -C "$work" -I "gzip -1" -cf - . | age --recipient "$BACKUP_RECIPIENT" --output "$backup.tar.gz.age.part"
sed -n 's/^START WAL LOCATION: .*file \([0-9A-F]*\)).*/\1/p' "$work/backup_label" > "$backup.segment"
mv "$backup.tar.gz.age.part" "$backup.tar.gz.age"
# Last, because a backup without its manifest is not complete.
cp "$work/backup_manifest" "$backup.manifest"
sync "$backup".* "$BASE_DIR"

fulls=("$BASE_DIR"/20*-full.manifest)
if [ "${#fulls[@]}" -gt "$BASE_KEEP" ]; then
  oldest=${fulls[-$BASE_KEEP]%.manifest}
  for file in "$BASE_DIR"/20*; do [[ $file < $oldest ]] && rm "$file"; done
  "$bin/pg_archivecleanup" -x .age "$WAL_DIR" "$(cat "$oldest.segment")"
  for sum in "$WAL_DIR"/checksums/*; do [ -e "$WAL_DIR/$(basename "$sum").age" ] || rm "$sum"; done
fi

failing=$("$bin/psql" -XAtd postgres -c "select last_failed_wal from pg_stat_archiver
  where last_failed_time > coalesce(last_archived_time, '-infinity')")
[ -z "$failing" ] || { echo "The archive does not accept $failing: see the log of PostgreSQL." >&2; exit 1; }
echo "$backup.tar.gz.age: $(stat -c %s "$backup.tar.gz.age") bytes, verified"
