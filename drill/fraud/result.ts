import { sql } from 'kysely';
import type { TestServer } from '../../server/test/server.ts';
import type { Timeline } from './timeline.ts';

/** The withdrawals of one kind of attack. */
interface AttackResult {
  pattern: string;
  /** Withdrawals before the attack shows, of which the system passed some. */
  early: number;
  earlyPassed: number;
  /** Withdrawals from then on. */
  visible: number;
  passed: number;
  /** The names of the rules that hit, with the number of hits. */
  rules: Record<string, number>;
}

export interface FraudResult {
  ordinary: number;
  /** Share of the ordinary withdrawals that the system passed. */
  freePercent: number;
  /** The same if first addresses were left to people. */
  freeWithKnownAddress: number;
  /** Ordinary withdrawals that were left to people, by reason or by the rules that hit. */
  left: Record<string, number>;
  attacks: AttackResult[];
}

interface Row {
  no: string;
  passed: boolean;
  why: string | null;
  rules: string[];
  isFirst: boolean;
}

/** Compares the decisions of the system with what was planned. */
export async function summarize(server: TestServer, timeline: Timeline, countedFrom: number): Promise<FraudResult> {
  const rows = await server.query(sql<Row>`
    select w.no, d.passed, d.why, f.risk_first_address as "isFirst",
      array(select r.name from rule r where r.id = any(x.hits) and
        exists (select from rule_version v where v.rule_id = r.id and v.version = r.version
          and (v.actions ->> 'hold' = 'true' or v.actions ->> 'manual' = 'true' or v.actions ->> 'people' <> '0'))) as rules
    from withdraw w join auto_decision d on d.withdraw_id = w.id join withdraw_fact f on f.withdraw_id = w.id
    join rule_result x on x.withdraw_id = w.id order by w.id`);
  const found = rows.flatMap((row) => {
    const planned = timeline.withdrawals.get(row.no);
    return planned ? [{ ...row, ...planned }] : [];
  });
  const ordinary = found.filter(({ label, at }) => label === null && at >= countedFrom);
  const free = ordinary.filter(({ passed }) => passed);
  const percentOf = (part: readonly unknown[]): number => Math.round((1_000 * part.length) / ordinary.length) / 10;
  const attacks = new Map<string, AttackResult>();
  for (const { label, passed, rules } of found) {
    if (!label || label.pattern === 'preparation') continue;
    const { pattern, shows } = label;
    const entry = attacks.get(pattern) ?? { pattern, early: 0, earlyPassed: 0, visible: 0, passed: 0, rules: {} };
    attacks.set(pattern, entry);
    entry[shows ? 'visible' : 'early'] += 1;
    if (passed) entry[shows ? 'passed' : 'earlyPassed'] += 1;
    if (shows) for (const rule of rules) entry.rules[rule] = (entry.rules[rule] ?? 0) + 1;
  }
  const reasons = ordinary.flatMap(({ passed, why, rules }) => (passed ? [] : rules.length > 0 ? rules : [why ?? '']));
  return {
    ordinary: ordinary.length,
    freePercent: percentOf(free),
    freeWithKnownAddress: percentOf(free.filter(({ isFirst }) => !isFirst)),
    left: Object.fromEntries(
      [...new Set(reasons)].map((reason) => [reason, reasons.filter((one) => one === reason).length]),
    ),
    attacks: [...attacks.values()],
  };
}

const listOf = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .toSorted((a, b) => b[1] - a[1])
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

/** The result as text for a person. */
export function describeResult({ ordinary, freePercent, freeWithKnownAddress, left, attacks }: FraudResult): string {
  return [
    `${ordinary} ordinary withdrawals: ${freePercent} % need no hand (${freeWithKnownAddress} % if first addresses do)`,
    `left to people: ${listOf(left)}`,
    ...attacks.map(
      ({ pattern, early, earlyPassed, visible, passed, rules }) =>
        `${passed === 0 ? 'held  ' : 'PASSED'} ${pattern}: ${visible - passed} of ${visible} held` +
        `${early > 0 ? `, ${early - earlyPassed} of ${early} before it shows` : ''} (${listOf(rules)})`,
    ),
  ].join('\n');
}
