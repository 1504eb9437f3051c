import { ABILITY } from '@hengtai/contract/authority/ability';
import type { ApprovalDetail, ApprovalRow } from '@hengtai/contract/desk/approval/schema';
import type { Page } from '@hengtai/contract/wire/list';
import { ACTIVE_RULES_MAX, CHOICES_MAX, CONDITIONS_MAX, POINTS_MAX } from '@hengtai/contract/risk/rule/catalogue';
import type { BacktestResult, Condition, RuleDetail, RuleList, RuleRow } from '@hengtai/contract/risk/rule/schema';
import type { BulkResult } from '@hengtai/contract/wire/schema';
import type { WithdrawDetail, WithdrawRow } from '@hengtai/contract/funds/withdraw/schema';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeOperator, makeUser, makeWithdraw } from '../../../../test/factories.ts';
import * as fourEyes from '../../../../test/four-eyes.ts';
import { fetchAuditRows, setPolicy } from '../../../../test/inspect.ts';
import { makeRule, moveRule, ruleInput } from '../../../../test/rules.ts';
import { ADMIN, call, login, provideServer, testServer, unique } from '../../../../test/server.ts';
import { insertRule, insertRuleSet } from './rule.store.ts';

const server = provideServer({ jobs: false });
let token: string;
beforeAll(async () => {
  token = await login(server);
  await setPolicy(server, 'withdraw.pass', 0);
});

const list = async () => (await call<RuleList>(server, 'GET', 'rule/list', {}, { token })).data;
const detail = async (id: number) => (await call<RuleDetail>(server, 'GET', 'rule/detail', { id }, { token })).data;
const save = (input: object) => call<RuleRow>(server, 'POST', 'rule/save', input, { token });

/** No rule of another test decides. */
afterEach(async () => {
  for (const rule of (await list()).rules)
    if (rule.state === 1 || rule.state === 2) await moveRule(server, token, rule, 3);
});

const request = async (options: Parameters<typeof makeWithdraw>[3] = {}) =>
  makeWithdraw(server, token, await makeUser(server, { amount: '100000' }), options);
const resultOf = async ({ id }: { id: number }, as = token) =>
  (await call<WithdrawDetail>(server, 'GET', 'withdraw/detail', { id }, { token: as })).data.rules;

describe('a rule', () => {
  test('keeps every version, and runs with the last one', async () => {
    const draft = await makeRule(server, token, { name: '大额', actions: { points: 5 } }, 0);
    expect(draft).toMatchObject({ state: 0, version: 1, by: ADMIN.account, unknownHits: false });
    const { set } = await list();
    const { data: effective } = await moveRule(server, token, draft, 2);
    const input = { ...ruleInput({ name: '大额', actions: { points: 7 } }), id: draft.id, reason: '收紧' };
    const { data: second } = await save({ ...input, seen: effective.updatedAt });
    expect(second).toMatchObject({ version: 2, state: 2 });
    const { versions, sets } = await detail(draft.id);
    expect(versions.map(({ version, actions, reason }) => [version, actions.points, reason])).toEqual([
      [2, 7, '收紧'],
      [1, 5, ''],
    ]);
    expect(sets.map((one) => [one.set - set, one.version, one.trial])).toEqual([
      [2, 2, false],
      [1, 1, false],
    ]);
    expect(await request()).toMatchObject({ points: 7, rules: ['大额'], held: false });
  });

  test('is refused with a name in use, without the version that was read, and with unknown options', async () => {
    const rule = await makeRule(server, token, {}, 0);
    expect(await save(ruleInput({ name: rule.name }))).toMatchObject({ code: 409, msg: '已有同名的规则' });
    expect(await save({ ...ruleInput(), id: rule.id })).toMatchObject({ code: 422 });
    const other = { ...ruleInput(), name: unique('other'), id: rule.id, seen: rule.updatedAt };
    expect(await save(other)).toMatchObject({ code: 200, data: { version: 2 } });
    expect(await save(other)).toMatchObject({ code: 200, data: { version: 2 } });
    expect(await save({ ...other, name: unique('third') })).toMatchObject({ code: 409 });
    expect(await moveRule(server, token, rule, 1)).toMatchObject({ code: 409 });
    for (const [fact, value] of [
      ['kycLevel', '7'],
      ['kycLevel', 'constructor'],
      ['coin', '1 or 1'],
      ['agent', '99999999999999999999'],
    ] as const)
      expect(await save(ruleInput({ conditions: [{ fact, op: 'in', value: [value] }] }))).toMatchObject({
        code: 422,
        msg: expect.stringContaining(value) as string,
      });
  });

  test('never becomes a draft again', async () => {
    const rule = await makeRule(server, token, {}, 1);
    expect(await moveRule(server, token, rule, 0)).toMatchObject({ code: 409 });
    expect(await moveRule(server, token, rule, 1)).toMatchObject({ code: 200, data: { updatedAt: rule.updatedAt } });
  });

  test('is audited with its content before and after', async () => {
    const rule = await makeRule(server, token, { actions: { hold: true } }, 1);
    const [saved, moved] = await fetchAuditRows(server, { targetType: 'rule', targetId: rule.id });
    expect(saved).toMatchObject({
      action: 'rule.save',
      after: {
        state: 0,
        version: 1,
        rule: [`名称：${rule.name}`, '条件：数量 大于 0 币', '动作：拦截', '条件未知时：视为未命中'],
      },
    });
    expect(moved).toMatchObject({ action: 'rule.state', before: { state: 0 }, after: { state: 1 } });
  });
});

describe('what rules say', () => {
  test('is recorded with the request: hits, points and the strictest actions', async () => {
    const first = await makeRule(server, token, { actions: { points: 10, people: 2, openCase: true } });
    const other = await makeRule(server, token, { actions: { points: 5, hold: true, people: 3 } });
    await makeRule(server, token, {
      conditions: [{ fact: 'amount', op: 'gt', value: '100' }],
      actions: { points: 50 },
    });
    const onTrial = await makeRule(server, token, { actions: { points: 99, stopCoin: true } }, 1);
    const row = await request();
    expect(row).toMatchObject({ points: 15, held: true, rules: [first.name, other.name] });
    const result = await resultOf(row);
    expect(result).toMatchObject({
      set: (await list()).set,
      points: 15,
      hold: true,
      people: 3,
      manual: false,
      openCase: true,
      stopCoin: false,
      facts: { amount: '100', amountUsdt: '100', coin: '1', network: 'TRC20', feeShare: '1', count24h: '1' },
    });
    expect(result?.hits.map(({ id, trial }) => [id, trial])).toEqual([
      [first.id, false],
      [other.id, false],
      [onTrial.id, true],
    ]);
  });

  test('of a rule that is not in effect is nothing', async () => {
    const rule = await makeRule(server, token, { actions: { points: 10 } });
    await moveRule(server, token, rule, 3);
    expect(await request()).toMatchObject({ points: 0, rules: [] });
  });

  test('explains itself with the version that ran, also after a change', async () => {
    const rule = await makeRule(server, token, { actions: { points: 1 } });
    const onTrial = await makeRule(server, token, {}, 1);
    const row = await request();
    const { data: changed } = await save({
      ...ruleInput({ actions: { points: 2 } }),
      id: rule.id,
      seen: rule.updatedAt,
    });
    await moveRule(server, token, changed, 3);
    const result = await resultOf(row);
    expect(result?.ran).toEqual([
      { id: rule.id, name: rule.name, version: 1, trial: false },
      { id: onTrial.id, name: onTrial.name, version: 1, trial: true },
    ]);
    expect(result?.hits).toMatchObject([
      { name: rule.name, points: 1, rule: { version: 1, unknown: false } },
      { name: onTrial.name, trial: true },
    ]);
  });

  test('counts an unknown condition as a hit only if the rule says so', async () => {
    const conditions = [{ fact: 'loginHours', op: 'lt', value: '1' }] as const;
    await makeRule(server, token, { conditions: [...conditions] });
    const strict = await makeRule(server, token, { conditions: [...conditions], unknownHits: true });
    const row = await request();
    expect(row.rules).toEqual([strict.name]);
    expect((await resultOf(row))?.hits).toMatchObject([{ rule: { unknown: true } }]);
  });

  test('is shown to an agent without conditions and facts, for its own withdrawals only', async () => {
    await makeRule(server, token, { name: '高风险', actions: { points: 3 } });
    const own = await makeOperator(server, token, { abilities: [ABILITY.withdraw] });
    const other = await makeOperator(server, token, { abilities: [ABILITY.withdraw] });
    const account = await makeUser(server, { agent: own.account, amount: '500' });
    const row = await makeWithdraw(server, own.token, account);
    expect(row).toMatchObject({ points: 3, rules: ['高风险'] });
    expect(await resultOf(row, own.token)).toMatchObject({
      points: 3,
      hits: [{ name: '高风险', rule: null }],
      ran: null,
      facts: null,
    });
    expect(await call(server, 'GET', 'withdraw/detail', { id: row.id }, { token: other.token })).toMatchObject({
      code: 404,
    });
  });

  test('is found by the filters of the list', async () => {
    const rule = await makeRule(server, token, { actions: { hold: true } });
    const onTrial = await makeRule(server, token, {}, 1);
    const row = await request();
    await moveRule(server, token, rule, 3);
    const plain = await request();
    const found = async (filter: object) => {
      const { data } = await call<Page<WithdrawRow>>(server, 'GET', 'withdraw/list', filter, { token });
      return [row.id, plain.id].map((id) => data.list.some((one) => one.id === id));
    };
    for (const filter of [{ rule: 1 }, { rule: 2 }, { ruleId: rule.id }])
      expect([filter, await found(filter)]).toEqual([filter, [true, false]]);
    for (const filter of [{ rule: 4 }, { ruleId: onTrial.id }])
      expect([filter, await found(filter)]).toEqual([filter, [true, true]]);
    expect(await found({ rule: 3 })).toEqual([false, false]);
  });
});

test('the largest set of the largest rules decides and is tested against the past', async () => {
  const now = server.clock.now();
  const conditions: Condition[] = Array.from({ length: CONDITIONS_MAX }, (_, index) =>
    index % 2 === 0
      ? { fact: 'sum30d', op: 'gte', value: String(index) }
      : { fact: 'coin', op: 'in', value: Array.from({ length: CHOICES_MAX }, (_choice, id) => String(id + 1)) },
  );
  for (let index = 0; index < ACTIVE_RULES_MAX; index += 1) {
    const rule = { ...ruleInput({ conditions, actions: { points: POINTS_MAX } }), name: `largest ${index}` };
    await insertRule({ db: server.owner, now }, rule, { by: '', reason: '', state: 2 });
  }
  await insertRuleSet({ db: server.owner, now }, '');
  expect(await request()).toMatchObject({ points: ACTIVE_RULES_MAX * POINTS_MAX });
  const { data } = await call<BacktestResult>(server, 'POST', 'rule/backtest', { effective: true }, { token });
  expect(data.hits).toBe(data.total);
  expect(data.rules).toHaveLength(ACTIVE_RULES_MAX);
  await server.query(sql`update rule set state = 3 where name like 'largest %'`);
  await insertRuleSet({ db: server.owner, now }, '');
});

describe('passing a withdrawal', () => {
  const pass = (id: number) => call<ApprovalRow>(server, 'POST', 'withdraw/pass', { id }, { token });

  test('that a rule holds is refused in bulk only', async () => {
    await makeRule(server, token, {
      conditions: [{ fact: 'amount', op: 'gt', value: '100' }],
      actions: { hold: true },
    });
    const [held, free] = [await request({ amount: '200' }), await request({ amount: '100' })];
    const { data } = await call<BulkResult>(
      server,
      'POST',
      'withdraw/pass/many',
      { ids: [held.id, free.id] },
      { token },
    );
    expect(data.results.map(({ code }) => code)).toEqual([409, 200]);
    expect(data.results[0]?.msg).toBe('被规则拦截的提现不能批量通过，请逐笔审核');
    expect(await pass(held.id)).toMatchObject({ code: 200 });
  });

  test.each([
    [0, 200, undefined],
    [2, 202, 1],
    [3, 202, 2],
  ] as const)('needs the %i persons that a rule demands', async (people, code, required) => {
    await makeRule(server, token, { actions: { people } });
    const row = await request();
    const answer = await pass(row.id);
    expect(answer.code).toBe(code);
    if (required !== undefined) expect(answer.data).toMatchObject({ required });
  });

  test('needs nobody else because of a rule on trial', async () => {
    await makeRule(server, token, { actions: { people: 3, hold: true } }, 1);
    const row = await request();
    expect(await pass(row.id)).toMatchObject({ code: 200 });
  });
});

test('while four-eyes are locked, what runs changes with a second person only', async () => {
  const own = await testServer({ jobs: false });
  try {
    const approvers = await fourEyes.makeApprovers(own);
    await fourEyes.lockFourEyes(own, approvers);
    const { admin, second } = approvers;
    const send = <T = ApprovalRow>(path: string, input: object) => fourEyes.callAs<T>(own, admin, path, input);
    const { data: draft, code } = await send<RuleRow>('rule/save', ruleInput());
    expect(code).toBe(200);
    const { data: trial } = await send<RuleRow>('rule/state', { id: draft.id, state: 1, seen: draft.updatedAt });
    const { data: edited } = await send<RuleRow>('rule/save', { ...ruleInput(), id: draft.id, seen: trial.updatedAt });
    const stateOf = async () => {
      const { data } = await call<RuleDetail>(own, 'GET', 'rule/detail', { id: draft.id }, { token: admin.token });
      return data.row;
    };
    const effect = { id: draft.id, state: 2, seen: edited.updatedAt };
    const asked = await send('rule/state', effect);
    expect(asked).toMatchObject({ code: 202 });
    expect(await stateOf()).toMatchObject({ state: 1 });
    expect(await fourEyes.callAs(own, second, 'approval/pass', { id: asked.data.id })).toMatchObject({ code: 200 });
    const row = await stateOf();
    expect(row).toMatchObject({ state: 2, version: 2, by: admin.account });
    const content = ruleInput();
    for (const [path, input, backtest] of [
      [
        'rule/save',
        { ...content, id: draft.id, seen: row.updatedAt },
        { conditions: content.conditions, unknownHits: content.unknownHits },
      ],
      ['rule/state', { id: draft.id, state: 3, seen: row.updatedAt }, { ids: [draft.id] }],
    ] as const) {
      const one = await send(path, input);
      expect([path, one.code]).toEqual([path, 202]);
      const read = async () =>
        (await call<ApprovalDetail>(own, 'GET', 'approval/detail', { id: one.data.id }, { token: second.token })).data;
      // Its checker can run the backtest of its maker.
      expect(await read()).toMatchObject({ backtest: true });
      const tested = await call(own, 'GET', 'approval/backtest', { id: one.data.id, from: 1 }, { token: second.token });
      expect(tested).toMatchObject({ code: 200, data: { total: 0 } });
      const asMaker = await call(own, 'POST', 'rule/backtest', { ...backtest, from: 1 }, { token: admin.token });
      expect(tested.data).toEqual(asMaker.data);
      // A checker who sees one tree only learns nothing of the withdrawals of others.
      await fourEyes.asNarrowChecker(own, second, one.data.id, async () => {
        expect(await read()).toMatchObject({ row: { id: one.data.id } });
        expect(await read()).not.toHaveProperty('backtest');
        const { code } = await call(own, 'GET', 'approval/backtest', { id: one.data.id }, { token: second.token });
        expect(code).toBe(403);
      });
      await fourEyes.callAs(own, second, 'approval/reject', { id: one.data.id, reason: 'no' });
      expect(await read()).not.toHaveProperty('backtest');
    }
    expect(await stateOf()).toEqual(row);
  } finally {
    await own.stop();
  }
});
