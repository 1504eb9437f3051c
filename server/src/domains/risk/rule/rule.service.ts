import { requireHouse } from '../../../authority/authority.ts';
import type { ApprovalItem } from '@hengtai/contract/desk/approval/schema';
import { ruleStates, RULE } from '@hengtai/contract/risk/rule/facts';
import { rule as calls, ruleMoves } from '@hengtai/contract/risk/rule/calls';
import type {
  Condition,
  RuleContent,
  RuleDetail,
  RuleList,
  RuleRow,
  RuleSave,
  RuleStateInput,
} from '@hengtai/contract/risk/rule/schema';
import { actionTexts, conditionText, ruleTexts } from '@hengtai/contract/risk/rule/text';
import type { IdInput } from '@hengtai/contract/wire/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import { houseSubject } from '../../../actions/action-audit.ts';
import { type ActionResult, defineAction } from '../../../actions/action.ts';
import { saveOfRecord } from '../../../actions/save.ts';
import { refuseStaleSave } from '../../../actions/stale-save.ts';
import { type Preview, textItem } from '../../../actions/preview.ts';
import type { Ctx } from '../../../app/context.ts';
import type { Db } from '../../../database/connect.ts';
import { refuse, refuseField, requireFound } from '../../../app/refuse.ts';
import { backtest } from './backtest.service.ts';
import { fetchChoiceNames } from './choice-name.store.ts';
import { validateConditions } from './condition.rules.ts';
import {
  fetchRules,
  fetchSets,
  fetchVersions,
  findSetAndBackfill,
  findRule,
  findRuleByName,
  insertRule,
  insertRuleSet,
  lockRules,
  moveRule,
  updateRule,
} from './rule.store.ts';

export async function listRules(ctx: Ctx): Promise<RuleList> {
  requireHouse(ctx);
  return { rules: await fetchRules(ctx.db), ...(await findSetAndBackfill(ctx.db)) };
}

export async function readRule(ctx: Ctx, { id }: IdInput): Promise<RuleDetail> {
  requireHouse(ctx);
  const row = await findRule(ctx.db, id);
  if (!row) throw refuse(refusals.notFound);
  return { row, versions: await fetchVersions(ctx.db, id), sets: await fetchSets(ctx.db, id) };
}

const contentOf = ({ name, conditions, actions, unknownHits }: RuleContent): RuleContent => ({
  name,
  conditions,
  actions,
  unknownHits,
});

/** A rule belongs to no agent, so its approvals belong to the tree of their maker. */
const subjectOf = houseSubject('rule');

const recordOf = (rule: RuleRow, ctx: Pick<Ctx, 'operator'>) => ({ data: rule, subject: subjectOf(ctx, rule) });

function requireSeen({ id, updatedAt, state, by }: RuleRow, seen: number | undefined): void {
  if (seen === updatedAt) return;
  throw refuseStaleSave({ target: { type: 'rule', id }, since: seen, current: { state, by, at: updatedAt } });
}

/** What an approval of a rule signs. */
type SignedRule = RuleContent & { state: number };

const signedRule = (content: RuleContent, state: number): SignedRule => ({ ...contentOf(content), state });
const isEffective = (rule: SignedRule | null): boolean => rule?.state === RULE.effective;

const isActive = (state: number): boolean => state === RULE.trial || state === RULE.effective;

/** Adds a rule as a draft, or a version to one. The new version of a rule in effect runs at once. */
export const ruleSave = defineAction<RuleSave, RuleRow, RuleRow | null>({
  call: calls.save,
  validate: ({ id, seen, conditions }) => {
    if (id !== undefined && seen === undefined) throw refuseField('seen', '不能为空');
    validateConditions(conditions);
  },
  authorize: requireHouse,
  load: async ({ db }, { id }) => (id === undefined ? null : findRule(db, id)),
  check: (_ctx, target, { seen }) => {
    if (target) requireSeen(target, seen);
  },
  setting: {
    record: (target, ctx) => (target ? recordOf(target, ctx) : undefined),
    isSet: (target, input) => target !== null && stableJson(contentOf(target)) === stableJson(contentOf(input)),
  },
  save: saveOfRecord<RuleSave, RuleRow | null, SignedRule>({
    line: (target, { name }) => (target ? `rule:${target.id}` : `rule:new:${name}`),
    title: (target, { name }) => `规则 ${target?.name ?? name}`,
    words: async ({ db }, target, input) => fetchWords(db, [...(target?.conditions ?? []), ...input.conditions]),
    before: (target) => target && signedRule(target, target.state),
    after: (target, input) => signedRule(input, target?.state ?? RULE.draft),
    loosens: (before) => isEffective(before),
    renew: (input, target) => (target ? { ...input, seen: target.updatedAt } : input),
  }),
  guard: {
    subject: (target, ctx) => subjectOf(ctx, target ?? { id: 0 }),
    preview: async (ctx, input) => {
      const { conditions, unknownHits } = input;
      return {
        ...(await previewChange(ctx, await fetchItems(ctx, input), input)),
        backtest: (period) => backtest(ctx, { conditions, unknownHits, ...period }),
      };
    },
  },
  execute: async (ctx, input, target, approved) => {
    await lockRules(ctx.db);
    const content = contentOf(input);
    const named = await findRuleByName(ctx.db, content.name);
    if (named && named.id !== target?.id) throw refuse(refusals.ruleNameTaken);
    const change = { by: approved?.maker ?? ctx.operator.account, reason: input.reason?.trim() ?? '' };
    if (!target) {
      const id = await insertRule(ctx, content, change);
      if (id === undefined) throw refuse(refusals.rulesFull);
      return finish(ctx, id, null);
    }
    requireSeen(requireFound(await findRule(ctx.db, target.id)), input.seen);
    await updateRule(ctx, target, content, change);
    if (isActive(target.state)) await insertSet(ctx, change.by);
    return finish(ctx, target.id, target);
  },
});

/** Moves a rule between trial, effect and disabled. */
export const ruleState = defineAction<RuleStateInput, RuleRow, RuleRow>({
  call: calls.state,
  authorize: requireHouse,
  load: ({ db }, { id }) => findRule(db, id),
  check: (_ctx, target, { seen, state }) => {
    requireSeen(target, seen);
    if (!ruleMoves[target.state].includes(state))
      throw refuse(refusals.stateConflict, `规则为${ruleStates[target.state]}，不能改为${ruleStates[state]}`);
  },
  setting: { record: recordOf, isSet: (target, { state }) => target.state === state },
  save: saveOfRecord<RuleStateInput, RuleRow, SignedRule>({
    line: ({ id }) => `rule:${id}`,
    title: ({ name }) => `规则 ${name}`,
    words: ({ db }, { conditions }) => fetchWords(db, conditions),
    before: (target) => signedRule(target, target.state),
    after: (target, { state }) => signedRule(target, state),
    loosens: (before, after) => isEffective(before) || isEffective(after),
    renew: (input, { updatedAt }) => ({ ...input, seen: updatedAt }),
  }),
  guard: {
    subject: (target, ctx) => subjectOf(ctx, target),
    preview: async (ctx, input) => ({
      ...(await previewChange(ctx, [textItem('改为', ruleStates[input.state])], input)),
      backtest: (period) => backtest(ctx, { ids: [input.id], ...period }),
    }),
  },
  execute: async (ctx, { id, state, seen }, target, approved) => {
    await lockRules(ctx.db);
    requireSeen(requireFound(await findRule(ctx.db, id)), seen);
    const by = approved?.maker ?? ctx.operator.account;
    await moveRule(ctx, id, state, by);
    await insertSet(ctx, by);
    return finish(ctx, id, target);
  },
});

async function insertSet(ctx: Ctx, by: string): Promise<void> {
  if (!(await insertRuleSet(ctx, by))) throw refuse(refusals.rulesFull, '生效与试运行的规则数量已达上限');
}

const auditFields = async (ctx: Ctx, row: RuleRow) => ({
  state: row.state,
  version: row.version,
  rule: await fetchTexts(ctx, row),
});

async function finish(ctx: Ctx, id: number, before: RuleRow | null): Promise<ActionResult<RuleRow>> {
  const after = requireFound(await findRule(ctx.db, id));
  return {
    data: after,
    subject: { type: 'rule', id },
    ...(before && { before: await auditFields(ctx, before) }),
    after: await auditFields(ctx, after),
    msg: '已保存',
  };
}

/** A rule line by line, with the names of its coins and agents. */
const fetchTexts = async ({ db }: Ctx, content: RuleContent): Promise<string[]> =>
  ruleTexts(content, await fetchChoiceNames(db, content.conditions));

/** The conditions and actions of a rule in words, for its checker. */
async function fetchWords(db: Db, conditions: readonly Condition[]) {
  const names = await fetchChoiceNames(db, conditions);
  const conditionsText = (all: readonly Condition[]) =>
    all.map((condition) => conditionText(condition, names)).join('；') || '无';
  const actionsText = (actions: RuleContent['actions']) => actionTexts(actions).join('、') || '无';
  return { texts: { conditions: conditionsText, actions: actionsText } };
}

const fetchItems = async (ctx: Ctx, content: RuleContent): Promise<ApprovalItem[]> =>
  (await fetchTexts(ctx, content)).map((text) => textItem('规则', text));

async function previewChange(ctx: Ctx, input: ApprovalItem[], { id }: Pick<RuleSave, 'id'>): Promise<Preview> {
  const current = id === undefined ? undefined : await findRule(ctx.db, id);
  const now = current ? [textItem('状态', ruleStates[current.state]), ...(await fetchItems(ctx, current))] : [];
  const isRunning = current?.state === RULE.effective;
  return {
    input,
    now,
    legs: [],
    problem: null,
    ...(isRunning && { consequence: '规则正在生效，通过后立即对此后的判定生效。' }),
  };
}
