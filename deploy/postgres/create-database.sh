#!/bin/sh
# Creates the owner and the database. Runs once in the container of PostgreSQL, or by hand as the superuser, with
# OWNER_PASSWORD in the environment.
set -eu
# The account of the superuser may not enter every folder.
cd /
psql --set ON_ERROR_STOP=1 --set password="$OWNER_PASSWORD" --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
create role hengtai login password :'password' createrole;
create database hengtai owner hengtai encoding 'UTF8' template template0;
SQL
