import { Decimal } from '@hengtai/contract/values/decimal';
import { type FactName, choiceFacts, flagFacts, numberFacts, numberOps } from '@hengtai/contract/risk/rule/catalogue';
import type { Condition, FactValue, NumberCondition } from '@hengtai/contract/risk/rule/schema';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { provideServer } from '../../../../test/server.ts';
import { conjunctionSql, hitSql } from './condition.store.ts';
import { factColumn } from './fact-column.store.ts';

const server = provideServer({ jobs: false });

const textOf = (conditions: Condition[]) => hitSql({ conditions, unknownHits: false }).compile(server.app.system);

describe('a compiled rule', () => {
  const hostile = ["'; drop table users; --", '0) or true --', '$1', '\\', '"; select 1', 'x\u0000y'];

  test.each(hostile)('has the value %j as a parameter only', (value) => {
    const { sql: text, parameters } = textOf([
      { fact: 'network', op: 'in', value: [value] },
      { fact: 'amount', op: 'gt', value },
    ]);
    expect(text).toBe('(f.network = any($1::text[]) and f.amount > $2::numeric) is true');
    expect(parameters).toEqual([[value], value]);
  });

  test.each([...hostile, '__proto__', 'constructor', 'toString', 'withdraw_id'])(
    'cannot contain %j as a fact or a comparison',
    (name) => {
      const condition = { fact: 'amount', op: 'gt', value: '1' };
      expect(() => textOf([{ ...condition, fact: name } as Condition])).toThrow('There is no fact');
      expect(() => textOf([{ ...condition, op: name } as Condition])).toThrow('A condition cannot contain');
      expect(() => textOf([{ fact: 'network', op: name, value: [] } as unknown as Condition])).toThrow(
        'cannot contain',
      );
    },
  );

  test('compares integers with integers, and everything else as decimals', async () => {
    const columns = await server.query(sql<{ name: string; type: string }>`
      select column_name as name, data_type as type from information_schema.columns where table_name = 'withdraw_fact'`);
    const typeOfColumn = (fact: FactName) => {
      const column = textOf([{ fact: fact as never, op: 'gt', value: '0.5' }]).sql.match(/f\.([a-z0-9_]+)/)?.[1];
      return columns.find(({ name }) => name === column)?.type;
    };
    for (const fact of numberFacts) {
      const expected = typeOfColumn(fact) === 'integer' ? 'bigint' : 'numeric';
      expect([fact, textOf([{ fact, op: 'gt', value: '-7' }]).sql]).toEqual([fact, expect.stringContaining(expected)]);
      expect(textOf([{ fact, op: 'gt', value: '7.5' }]).sql).toContain('::numeric');
    }
  });

  test('names nothing but columns of its row', () => {
    const conditions: Condition[] = [
      ...numberFacts.map((fact) => ({ fact, op: 'lte', value: '1' }) as const),
      ...flagFacts.map((fact) => ({ fact, op: 'is', value: true }) as const),
      ...choiceFacts.map((fact) => ({ fact, op: 'notIn' as const, value: ['1'] })),
    ];
    const { sql: text } = textOf(conditions);
    const words = text.replaceAll(/f\.[a-z0-9_]+|\$\d+::\w+(\[\])?/g, '').match(/[a-z]+/gi);
    expect(new Set(words)).toEqual(new Set(['and', 'all', 'is', 'true']));
  });
});

type Known = Exclude<FactValue, null>;

/** True, false, or null if the fact is unknown. */
function evaluate({ op, value }: Condition, fact: Known | null): boolean | null {
  if (fact === null) return null;
  if (op === 'is') return fact === value;
  if (op === 'in') return value.includes(String(fact));
  if (op === 'notIn') return !value.includes(String(fact));
  const order = new Decimal(String(fact)).cmp(String(value));
  return { gt: order > 0, gte: order >= 0, lt: order < 0, lte: order <= 0, eq: order === 0 }[op];
}

const number = fc.constantFrom('0', '1', '2', '2.000000000000000001', '-3', '1000000');
const whole = fc.constantFrom('0', '1', '2', '1000000');
const condition: fc.Arbitrary<{ condition: Condition; fact: Known | null }> = fc.oneof(
  fc.record({
    condition: fc.record({
      fact: fc.constantFrom('amountUsdt', 'netDeposit', 'priceMove1h'),
      op: fc.constantFrom(...(Object.keys(numberOps) as NumberCondition['op'][])),
      value: number,
    }),
    fact: fc.option(number),
  }),
  fc.record({
    condition: fc.record({
      fact: fc.constantFrom('count24h', 'loginHours'),
      op: fc.constantFrom(...(Object.keys(numberOps) as NumberCondition['op'][])),
      value: number,
    }),
    fact: fc.option(whole),
  }),
  fc.record({
    condition: fc.record({
      fact: fc.constant('loginNewIp' as const),
      op: fc.constant('is' as const),
      value: fc.boolean(),
    }),
    fact: fc.option(fc.boolean()),
  }),
  fc.record({
    condition: fc.record({
      fact: fc.constantFrom('branch', 'kycLevel'),
      op: fc.constantFrom('in', 'notIn'),
      value: fc.uniqueArray(fc.constantFrom('0', '1', '2'), { minLength: 1 }),
    }),
    fact: fc.option(fc.constantFrom('0', '1', '2')),
  }),
) as never;

test('decides as three-valued logic over the recorded facts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(condition, { minLength: 1, maxLength: 4 }), fc.boolean(), async (parts, unknownHits) => {
      const values = new Map<FactName, Known | null>();
      for (const {
        condition: { fact },
        fact: value,
      } of parts)
        if (!values.has(fact)) values.set(fact, value);
      const conditions = parts.map((part) => part.condition);
      const row = sql.join(
        [...values].map(
          ([fact, value]) =>
            sql`(${value === null ? null : String(value)}::text)::${typeOf(fact)} as ${factColumn(fact)}`,
        ),
      );
      const [found] = await server.query(
        sql<{ hit: boolean; conjunction: boolean | null }>`select ${hitSql({ conditions, unknownHits })} as hit,
          ${conjunctionSql({ conditions })} as conjunction from (select ${row}) f`,
      );
      const each = conditions.map((one) => evaluate(one, values.get(one.fact) ?? null));
      const conjunction = each.includes(false) ? false : each.includes(null) ? null : true;
      expect(found).toEqual({ conjunction, hit: conjunction ?? unknownHits });
    }),
    { numRuns: 200 },
  );
});

/** The types of the columns that the test uses. */
const typeOf = (fact: FactName) =>
  sql.raw(
    { count24h: 'int', loginHours: 'int', loginNewIp: 'boolean', branch: 'bigint', kycLevel: 'smallint' }[
      fact as string
    ] ?? 'numeric',
  );
