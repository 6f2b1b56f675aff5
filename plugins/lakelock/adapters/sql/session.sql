-- name: settings
SELECT set_config('lock_timeout', %(lock_timeout_ms)s, false),
    set_config('statement_timeout', %(statement_timeout_ms)s, false),
    set_config('idle_in_transaction_session_timeout', %(idle_timeout_ms)s, false),
    set_config('default_transaction_isolation', 'read committed', false),
    set_config('TimeZone', 'UTC', false),
    -- Keep settings that wait for more than the local disk.
    CASE WHEN current_setting('synchronous_commit') IN ('off', 'local')
        THEN set_config('synchronous_commit', 'on', false) END

-- name: standing
SELECT pg_is_in_recovery() AS in_recovery,
    current_setting('transaction_read_only') = 'on' AS read_only,
    to_regnamespace('lakelock') IS NOT NULL AS has_schema,
    CASE WHEN to_regnamespace('lakelock') IS NOT NULL
        THEN has_schema_privilege(to_regnamespace('lakelock'), 'USAGE') END AS may_use,
    current_user::text AS role

-- name: migrations_made
SELECT name, checksum FROM lakelock.migrations ORDER BY name

-- name: missing_rights
SELECT c.relname::text AS relation, string_agg(r.name, ', ' ORDER BY r.name) AS rights
FROM pg_catalog.pg_class c
CROSS JOIN (VALUES ('SELECT'), ('INSERT'), ('UPDATE'), ('DELETE')) AS r (name)
WHERE c.relnamespace = to_regnamespace('lakelock') AND c.relkind = 'r'
    AND c.relname NOT IN ('migrations', 'installation')
    AND NOT has_table_privilege(c.oid, r.name)
GROUP BY c.relname
ORDER BY c.relname
