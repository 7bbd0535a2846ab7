#!/usr/bin/env bash
# generate.sh — takes settings.tsv from a running PostgreSQL 15; libpq's PG* variables say which one.
# What differs here from PostgreSQL's own defaults stands in the CASE.
set -euo pipefail
cd "$(dirname "$0")"

psql -X -q -v ON_ERROR_STOP=1 -d postgres -c "COPY (
  SELECT name, vartype, context,
    CASE name
      WHEN 'application_name' THEN '' WHEN 'client_encoding' THEN 'UTF8' WHEN 'server_encoding' THEN 'UTF8'
      WHEN 'TimeZone' THEN 'UTC' WHEN 'log_timezone' THEN 'UTC' WHEN 'DateStyle' THEN 'ISO, MDY'
      WHEN 'lc_collate' THEN 'C' WHEN 'lc_ctype' THEN 'C.UTF-8' WHEN 'lc_messages' THEN 'C'
      WHEN 'lc_monetary' THEN 'C' WHEN 'lc_numeric' THEN 'C' WHEN 'lc_time' THEN 'C'
      WHEN 'config_file' THEN '' WHEN 'data_directory' THEN '' WHEN 'hba_file' THEN '' WHEN 'ident_file' THEN ''
      WHEN 'default_text_search_config' THEN 'pg_catalog.english' WHEN 'max_stack_depth' THEN '2048'
      WHEN 'port' THEN '3210' WHEN 'server_version' THEN '15.15' WHEN 'server_version_num' THEN '150015'
      WHEN 'timezone_abbreviations' THEN 'Default' WHEN 'jit' THEN 'off' WHEN 'session_preload_libraries' THEN ''
      WHEN 'dynamic_library_path' THEN '' WHEN 'unix_socket_directories' THEN '' WHEN 'data_checksums' THEN 'on'
      ELSE coalesce(boot_val, '') END,
    coalesce(unit, ''), coalesce(min_val, ''), coalesce(max_val, ''),
    coalesce(array_to_string(enumvals, ','), ''), category, short_desc
  FROM pg_settings ORDER BY lower(name) COLLATE \"C\") TO STDOUT" > settings.tsv
