import type { ClientBase } from 'pg';

/** Definitions of the objects of a schema, by kind and name. */
export type SchemaDescription = ReadonlyMap<string, string>;

/**
 * Describes everything that migrations create: relations, columns, constraints, indexes, triggers, functions, policies,
 * privileges of the server's role and of everybody, and the declared counters. Objects of extensions, and the schema's
 * name in definitions, are left out. Changes the search path, so it needs a transaction that is rolled back or ends soon.
 */
export async function describeSchema(client: ClientBase, schema: string, appRole: string): Promise<SchemaDescription> {
  // PostgreSQL leaves out the name of a schema in definitions while it is the search path.
  await client.query(`select set_config('search_path', quote_ident($1), true)`, [schema]);
  const objects = new Map<string, string>();
  for (const query of [RELATIONS, COLUMNS, CONSTRAINTS, INDEXES, TRIGGERS, FUNCTIONS, POLICIES, PRIVILEGES]) {
    const values = query === PRIVILEGES ? [schema, appRole] : [schema];
    const { rows } = await client.query<{ object: string; definition: string }>(query, values);
    for (const { object, definition } of rows) objects.set(object, definition);
  }
  if (!objects.has('table counter_source')) return objects;
  const { rows } = await client.query<{ object: string; definition: string }>(COUNTED_TABLES);
  for (const { object, definition } of rows) objects.set(object, definition);
  return objects;
}

/** What distinguishes two schemas, one line for each object. */
export function compareSchemas(found: SchemaDescription, expected: SchemaDescription): string[] {
  return [...new Set([...found.keys(), ...expected.keys()])].sort().flatMap((object) => {
    if (!found.has(object)) return [`${object} is missing`];
    if (!expected.has(object)) return [`${object} is unknown`];
    return found.get(object) === expected.get(object) ? [] : [`${object} is different`];
  });
}

const notOfExtension = (catalog: string, oid: string): string =>
  `not exists (select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = ${oid} and d.deptype = 'e')`;

const RELATIONS = `
  select case c.relkind when 'r' then 'table ' when 'v' then 'view ' else 'sequence ' end || c.relname as object,
    concat_ws(' ', 'rls', c.relrowsecurity, c.relforcerowsecurity, c.reloptions,
      case when c.relkind = 'v' then pg_get_viewdef(c.oid) end,
      (select concat_ws(' ', format_type(s.seqtypid, null), s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcycle)
        from pg_sequence s where s.seqrelid = c.oid)) as definition
  from pg_class c
  where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and ${notOfExtension('pg_class', 'c.oid')}`;

const COLUMNS = `
  select format('column %s.%s', c.relname, a.attname) as object,
    concat_ws(' ', row_number() over (partition by c.oid order by a.attnum), format_type(a.atttypid, a.atttypmod), a.attnotnull,
      'identity', a.attidentity, 'generated', a.attgenerated, 'stored', a.attstorage, 'collation', l.collname,
      'default', pg_get_expr(e.adbin, e.adrelid)) as definition
  from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_collation l on l.oid = a.attcollation
  left join pg_attrdef e on e.adrelid = a.attrelid and e.adnum = a.attnum
  where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    and ${notOfExtension('pg_class', 'c.oid')}`;

/** Whether a constraint was validated does not matter, because PostgreSQL enforces it for new rows anyway. */
const CONSTRAINTS = `
  select format('constraint %s of %s', k.conname, c.relname) as object,
    replace(pg_get_constraintdef(k.oid, true), ' NOT VALID', '') as definition
  from pg_constraint k join pg_class c on c.oid = k.conrelid
  where c.relnamespace = $1::regnamespace and k.contype in ('c', 'f', 'p', 'u', 'x') and ${notOfExtension('pg_class', 'c.oid')}`;

const INDEXES = `
  select 'index ' || c.relname as object, concat_ws(' ', i.indisvalid, pg_get_indexdef(i.indexrelid, 0, true)) as definition
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = $1::regnamespace and ${notOfExtension('pg_class', 'i.indrelid')}`;

const TRIGGERS = `
  select format('trigger %s of %s', t.tgname, c.relname) as object,
    concat_ws(' ', t.tgenabled, pg_get_triggerdef(t.oid, true)) as definition
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = $1::regnamespace and not t.tgisinternal`;

/** Functions name the schema in their own search path: `public`, or the current one where another function creates them. */
const FUNCTIONS = `
  select format('function %s(%s)', p.proname, pg_get_function_identity_arguments(p.oid)) as object,
    concat_ws(' ', pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), l.lanname, p.prokind, p.provolatile,
      p.proparallel, p.proisstrict, p.prosecdef,
      replace(p.proconfig::text, quote_ident($1), 'public'), p.prosrc) as definition
  from pg_proc p join pg_language l on l.oid = p.prolang
  where p.pronamespace = $1::regnamespace and ${notOfExtension('pg_proc', 'p.oid')}`;

/** A policy without a check for written rows uses its condition for them. */
const POLICIES = `
  select format('policy %s of %s', p.polname, c.relname) as object,
    concat_ws(' ', p.polcmd, p.polpermissive, p.polroles::regrole[], 'using', pg_get_expr(p.polqual, p.polrelid),
      'check', coalesce(pg_get_expr(p.polwithcheck, p.polrelid),
        case when p.polcmd in ('*', 'w') then pg_get_expr(p.polqual, p.polrelid) end)) as definition
  from pg_policy p join pg_class c on c.oid = p.polrelid
  where c.relnamespace = $1::regnamespace`;

/** Those of other roles, for example for reports, are the operator's affair. */
const PRIVILEGES = `
  select format('privileges of %s on %s', coalesce(g.rolname, 'everybody'), o.name) as object,
    string_agg(a.privilege_type || case when a.is_grantable then '*' else '' end, ' ' order by a.privilege_type) as definition
  from (
    select 'relation ' || c.relname as name,
      coalesce(c.relacl, acldefault(case c.relkind when 'S' then 's' else 'r' end::"char", c.relowner)) as acl
    from pg_class c
    where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S') and ${notOfExtension('pg_class', 'c.oid')}
    union all
    select format('column %s.%s', c.relname, t.attname), t.attacl
    from pg_attribute t join pg_class c on c.oid = t.attrelid
    where c.relnamespace = $1::regnamespace and t.attacl is not null and not t.attisdropped
    union all
    select format('function %s(%s)', p.proname, pg_get_function_identity_arguments(p.oid)),
      coalesce(p.proacl, acldefault('f', p.proowner))
    from pg_proc p where p.pronamespace = $1::regnamespace and ${notOfExtension('pg_proc', 'p.oid')}
  ) o cross join lateral aclexplode(o.acl) a left join pg_roles g on g.oid = a.grantee
  where a.grantee = 0 or g.rolname = $2
  group by 1`;

const COUNTED_TABLES = `
  select 'counted table ' || table_name as object, concat_ws(' ', resource, block_bits, image) as definition from counter_source`;
