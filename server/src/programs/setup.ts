import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { lockSwitches } from '@hengtai/contract/desk/approval/calls';
import type { RuleState } from '@hengtai/contract/risk/rule/calls';
import { RULE } from '@hengtai/contract/risk/rule/facts';
import { keyEntries } from '../domains/risk/address-list/address-key.store.ts';
import { openUsedNetworks } from './used-network.store.ts';
import { insertRule, insertRuleSet } from '../domains/risk/rule/rule.store.ts';
import { starterRules } from '../domains/risk/rule/starter.rules.ts';
import { unnestRows } from '../database/bulk.ts';
import { type Db, inTransaction, openPool } from '../database/connect.ts';
import { type MigrateOptions, migrate, planOf } from '../database/migrate.ts';
import { treeChanges } from '../database/tree.ts';
import { firstBinaryContractConfigs, firstSettings } from './first-data.ts';
import { firstMarkets } from './first-markets.ts';
import { fundDemoHouse } from './demo-house.store.ts';
import { disableDemoOperator, insertDemoOperator } from './demo-operator.store.ts';
import { hashPassword } from '../host/password.ts';
import { weaknessOf } from '../authority/password-rules.ts';

export interface SetupOptions {
  databaseUrl: string;
  adminAccount: string;
  /** Generated if undefined. */
  adminPassword?: string | undefined;
  /** Adds a second operator to a new installation, so that four-eyes can be tried at once. */
  simulator: boolean;
  migrate?: MigrateOptions;
}

export interface SetupResult {
  /** True if this call created the installation. */
  created: boolean;
  /** The generated password of the admin; stored nowhere. */
  password?: string;
  /** Why the configured password of a new admin is easy to guess, in Chinese. */
  weakness?: string;
  /** Account of the demo operator if this call disabled it. */
  disabled?: string;
}

/**
 * Migrates the database and inserts the first data of a new installation. Idempotent: later calls only add new settings. An
 * older release that starts beside a newer one leaves the settings as they are.
 *
 * @throws Error if the admin's password has the wrong length, or if the demo operator must be disabled by hand first
 */
export async function setup(options: SetupOptions): Promise<SetupResult> {
  const { adminPassword } = options;
  if (adminPassword !== undefined && (adminPassword.length < 8 || adminPassword.length > 128)) {
    throw new Error('ADMIN_PASSWORD must have 8 to 128 characters.');
  }
  await migrate(options.databaseUrl, options.migrate);
  const { newer } = await planOf(options.databaseUrl, options.migrate?.directory);
  const { db, end } = openPool({ url: options.databaseUrl, max: 2, name: 'hengtai-setup', onError: () => undefined });
  try {
    const password = adminPassword ?? randomBytes(12).toString('base64url');
    const hash = await hashPassword(password);
    // Before the first request: an entry without keys would have to be read for each withdrawal.
    await inTransaction(db, keyEntries);
    // Before the first request as well: it would find networks closed that were open until now.
    await inTransaction(db, (tx) => openUsedNetworks(tx, Date.now()));
    return await inTransaction(db, async (tx) => {
      const created = await insertFirstData(tx, options, hash, newer.length > 0);
      const disabled = options.simulator ? undefined : await disableDemoOperator(tx, Date.now());
      const weakness =
        created && adminPassword !== undefined ? weaknessOf(adminPassword, options.adminAccount) : undefined;
      return {
        created,
        ...(created && adminPassword === undefined && { password }),
        ...(weakness !== undefined && { weakness }),
        ...(disabled !== undefined && { disabled }),
      };
    });
  } finally {
    await end();
  }
}

async function insertFirstData(db: Db, options: SetupOptions, hash: string, isOlder: boolean): Promise<boolean> {
  const now = Date.now();
  const inserted = await sql`
    insert into installation (token_key, created_at) values (${randomBytes(32).toString('hex')}, ${now})
    on conflict (one) do nothing`.execute(db);
  const isNew = inserted.numAffectedRows === 1n;
  if (isNew || !isOlder) await insertSettings(db, now);
  if (!isNew) return false;
  await sql`insert into agent (account, password_hash, parent_id, depth, created_at, recorded_at, updated_at)
    values (${options.adminAccount}, ${hash}, null, 0, ${now}, ${now}, ${now})`.execute(db);
  await sql`with ${treeChanges()} insert into closure (ancestor, descendant) select id, id from agent`.execute(db);
  for (const [index, market] of firstMarkets.entries()) await insertMarket(db, market, index, now);
  for (const [index, config] of firstBinaryContractConfigs.entries()) {
    await sql`insert into second_config (seconds, payout_rate, min_amount, max_amount, sort, created_at, recorded_at, updated_at)
      values (${config.seconds}, ${config.payoutRate}, ${config.minAmount}, ${config.maxAmount}, ${index}, ${now}, ${now},
        ${now})`.execute(db);
  }
  await insertRules(db, options.simulator ? RULE.trial : RULE.draft, now);
  if (options.simulator) {
    await insertDemoOperator(db, hash, now);
    await fundDemoHouse(db, now);
  }
  return true;
}

/** With the simulator the rules are on trial, so that their results are seen at once. */
async function insertRules(db: Db, state: RuleState, now: number): Promise<void> {
  for (const rule of starterRules) await insertRule({ db, now }, rule, { by: '', reason: '', state });
  await insertRuleSet({ db, now }, '');
}

const settingColumns = {
  key: 'text',
  name: 'text',
  group: 'text',
  kind: 'text',
  str: 'text',
  num: 'numeric',
  state: 'int',
  min: 'numeric',
  max: 'numeric',
  remark: 'text',
} as const;

/**
 * Adds the settings of newer versions to an older installation. Existing settings keep their values; name, group and
 * description are those of this version. What the lock of four-eyes switches on is on where they are locked already.
 */
async function insertSettings(db: Db, now: number): Promise<void> {
  const settings = unnestRows(
    's',
    settingColumns,
    firstSettings.map((setting) => ({ str: '', num: '0', state: 0, min: null, max: null, ...setting })),
  );
  await sql`insert into config (key, name, group_name, kind, str, num, state, min, max, remark, updated_at)
    select key, name, "group", kind, str, num, case when key = any(${Object.keys(lockSwitches)}::text[])
        and exists (select from installation where four_eyes_locked_at is not null) then 1 else state end,
      min, max, remark, ${now} from ${settings}
    where not exists (select from config where config.key = s.key) order by n
    on conflict (key) do nothing`.execute(db);
  await sql`update config set name = s.name, group_name = s."group", remark = s.remark from ${settings}
    where config.key = s.key
      and (config.name, group_name, config.remark) is distinct from (s.name, s."group", s.remark)`.execute(db);
}

async function insertMarket(db: Db, market: (typeof firstMarkets)[number], sort: number, now: number): Promise<void> {
  const networks = market.networks.map((listed) => ({ ...listed, recharge: 1, withdraw: 1 }));
  const trades = market.isTraded === false ? 0 : 1;
  await sql`insert into market (market_name, spot, future, second, ieo, price_precision, amount_precision, min_amount,
      max_amount, maker_fee, taker_fee, max_leverage, maintenance_rate, withdraw_fee, withdraw_min, networks, sort,
      created_at, recorded_at, updated_at)
    values (${market.name}, ${trades}, ${trades}, ${trades}, ${market.ieo ? 1 : 0}, ${market.pricePrecision},
      ${market.amountPrecision}, 0, 0, 0.001, 0.001, ${trades === 1 ? 100 : 1}, 0.005, ${market.withdrawFee},
      ${market.withdrawMin}, ${JSON.stringify(networks)}::jsonb, ${sort}, ${now}, ${now}, ${now})`.execute(db);
}
