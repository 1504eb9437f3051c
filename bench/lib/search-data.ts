import { RECHARGE } from '@hengtai/contract/funds/recharge/facts';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { sql } from 'kysely';
import { rebuildCounters } from '../../server/src/books/lists/counters.ts';
import type { BenchDatabase } from './database.ts';
import { loadTree, drawParents } from './large-data.ts';
import { withoutIndexes, withoutTriggers } from './large-rows.ts';
import { logProgress, scaleCount } from './run.ts';

export const USERS = scaleCount(500_000, 1_000);
export const ROWS = scaleCount(10_000_000, 10_000);
/** The last agents have no users. */
const AGENTS_WITH_USERS = 4_950;

const SURNAMES =
  '王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢';
const GIVEN =
  '伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平刚桂英华建文辉力志国庆海波宁贵福生龙元全胜学祥才发武新利清飞彬富顺信子昌成康星光天达安岩中茂进林有坚和彪博诚先敬震振壮会思群豪心邦承乐绍功松善厚';
const NAMES =
  'alice anna ben carl chen dave emma feng grace hao ivan jia jack kate liu lily mike nina oscar paul qiang rose sam tina ula vera wang xiao yang zoe';

/**
 * Loads 500,000 users below 5,000 agents in a tree of 16 levels: a third of the accounts are phone numbers, a third mail
 * addresses, a third names with digits; half of the users have a Chinese remark, some with a phone number. Then ten million
 * withdrawals and as many recharges, most with an address and a hash of their own. Nothing waits and everything is counted, so
 * that only the facts of the withdrawals are recorded in the background, as after an import.
 */
export async function loadSearchData(database: BenchDatabase): Promise<void> {
  const now = Date.now();
  await loadTree(database, drawParents(), now);
  const [surnames, given, names] = [Array.from(SURNAMES), Array.from(GIVEN), NAMES.split(' ')];
  const pick = (list: readonly string[]) => sql`(${list}::text[])[1 + floor(random() * ${list.length})::int]`;
  const phone = sql`'1' || (3 + floor(random() * 7))::int || lpad(floor(random() * 1e9)::bigint::text, 9, '0')`;
  await withoutIndexes(database, 'users', async () => {
    await database.query(sql`insert into users (account, agent_id, remark, created_at, recorded_at, updated_at)
      select case n % 3 when 0 then ${phone}
          when 1 then ${pick(names)} || '.' || ${pick(names)} || n || '@' || ${pick(['qq.com', '163.com', 'gmail.com'])}
          else ${pick(names)} || ${pick(names)} || n end,
        100 + (1 + floor(power(${AGENTS_WITH_USERS}, random()))::int),
        case when random() < 0.5 then '' else ${pick(['VIP客户', '老客户', '介绍人', '电话回访', '渠道', '风险关注'])} || ' ' ||
          ${pick(surnames)} || ${pick(given)} || ${pick(given)} || case when random() < 0.3 then ' 手机' || ${phone} else '' end end,
        ${now}, ${now}, ${now}
      from generate_series(1, ${USERS}::int) n on conflict do nothing`);
  });
  logProgress('users');
  const address = sql`case n % 3 when 0 then '0x' || left(md5('a' || n) || md5('b' || n), 40)
    else 'T' || left(translate(encode(sha256(('a' || n)::bytea), 'base64'), '+/=', 'xyz'), 33) end`;
  const hash = sql`encode(sha256(('h' || n)::bytea), 'hex')`;
  for (const [table, state, columns, values] of [
    ['withdraw', WITHDRAW.paid, sql`fee, created_at`, sql`1, ${now}`],
    ['recharge', RECHARGE.credited, sql`source, created_at`, sql`1, ${now}`],
  ] as const) {
    await withoutIndexes(database, table, () => withoutTriggers(database, (db) => sql`
      insert into ${sql.table(table)} (no, user_id, agent_id, market_id, network, address, tx_hash, amount, state, recorded_at, updated_at, ${columns})
      select ${table === 'withdraw' ? 'W' : 'R'} || n, o.id, o.agent_id, 1, 'TRC20', ${address}, ${hash}, 10, ${state}, ${now}, ${now}, ${values}
      from generate_series(1, ${ROWS}::int) n join (select row_number() over (order by id) as place, id, agent_id from users) o
        on o.place = 1 + (n * 7919::bigint) % (select count(*) from users)`.execute(db))); // prettier-ignore
    logProgress(table);
  }
  await rebuildCounters(database.db);
  logProgress('counters');
}
