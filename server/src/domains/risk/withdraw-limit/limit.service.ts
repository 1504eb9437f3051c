import type { ApprovalItem } from '@hengtai/contract/desk/approval/schema';
import { Decimal } from '@hengtai/contract/values/decimal';
import { labelOf } from '@hengtai/contract/wire/labels';
import { refusals } from '@hengtai/contract/wire/refusals';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import type { IdInput } from '@hengtai/contract/wire/schema';
import {
  type LimitTier,
  effectiveTerms,
  identityLevelOf,
  identityLevels,
  isOfTier,
  withdrawLimit as calls,
  withdrawStateLabels,
  termNames,
} from '@hengtai/contract/risk/withdraw-limit/calls';
import { changedPairs, withTerms } from '@hengtai/contract/risk/withdraw-limit/compare';
import type {
  EffectiveTerms,
  LimitCoin,
  LimitList,
  LimitSave,
  LimitTerms,
  LimitVersion,
  LimitVersionsInput,
  UserLimits,
} from '@hengtai/contract/risk/withdraw-limit/schema';
import { houseSubject, reasonOf } from '../../../actions/action-audit.ts';
import { defineAction } from '../../../actions/action.ts';
import { type Words, saveOfLines } from '../../../actions/save.ts';
import { refuseStaleSave } from '../../../actions/stale-save.ts';
import { type Preview, textItem } from '../../../actions/preview.ts';
import { changeOf } from '../../../actions/record-change.ts';
import type { Ctx } from '../../../app/context.ts';
import { pick } from '../../../app/pick.ts';
import { type Refused, refuse, refuseField, requireFound } from '../../../app/refuse.ts';
import { withFullScope } from '../../../database/connect.ts';
import type { FindInherited } from '../../trading/market/market-save.store.ts';
import { findUser } from '../../people/user/user.store.ts';
import { fetchGroups, findGroup, findGroupOf } from './group.store.ts';
import { requireHouse } from '../../../authority/authority.ts';
import { findApplying } from './judge.steps.ts';
import { loosensPairs, pairLines, pairNames, termTexts } from './limit-lines.rules.ts';
import { fetchLimitCoins, fetchLimits, fetchVersions, insertLimit, lockLimits } from './limit.store.ts';
import { findStanding } from './usage.store.ts';

const FEE_RATE_MAX = '0.1';
const pickTerms = pick(...termNames);

export async function listLimits(ctx: Ctx): Promise<LimitList> {
  requireHouse(ctx);
  return {
    coins: await fetchLimitCoins(ctx.db),
    groups: await fetchGroups(ctx),
    limits: await fetchLimits(ctx.db, null),
  };
}

export async function listVersions(ctx: Ctx, input: LimitVersionsInput): Promise<LimitVersion[]> {
  requireHouse(ctx);
  return fetchVersions(ctx.db, { marketId: input.marketId, ...tierOf(input) });
}

/** The terms of a user, which every operator of its tree may know, for each coin that has any. */
export async function readUserLimits(ctx: Ctx, { id }: IdInput): Promise<UserLimits> {
  const user = requireFound(await findUser(ctx, id));
  const group = await findGroupOf(ctx, id);
  const groupId = group?.id ?? null;
  const [limits, coins] = await withFullScope(ctx.db, async () => [
    await fetchLimits(ctx.db, null),
    await fetchLimitCoins(ctx.db),
  ]);
  const found: UserLimits['coins'] = [];
  for (const coin of coins) {
    const { marketId, marketName } = coin;
    const tiers = findApplying(limits, marketId, { auth: user.auth, groupId });
    if (!tiers.level && !tiers.group) continue;
    const { usedAmount, usedCount } = await findStanding(ctx.db, id, marketId, ctx.now);
    const terms = effectiveTerms(coin, tiers.level, tiers.group);
    found.push({ marketId, marketName, ...terms, usedAmount, usedCount });
  }
  return { level: identityLevelOf(user.auth), groupId, userGroup: group?.name ?? null, coins: found };
}

/** @throws Refused 422 unless exactly one of level and group is given */
function tierOf({ level, groupId }: Pick<LimitVersionsInput, 'level' | 'groupId'>): LimitTier {
  if ((level === undefined) === (groupId === undefined)) throw refuse(refusals.limitTierInvalid);
  return { level: level ?? null, groupId: groupId ?? null };
}

/** What a save changes: the coin, the tier with its name, its version in force, and all versions in force of the coin. */
interface Target {
  coin: LimitCoin;
  tier: LimitTier;
  name: string;
  current: LimitVersion | undefined;
  limits: LimitVersion[];
}

async function findTarget(ctx: Ctx, input: LimitSave): Promise<Target | undefined> {
  const tier = tierOf(input);
  const coin = (await fetchLimitCoins(ctx.db)).find(({ marketId }) => marketId === input.marketId);
  const group = tier.groupId === null ? undefined : await findGroup(ctx, tier.groupId);
  const name = input.level === undefined ? group?.name : identityLevels[input.level];
  if (!coin || name === undefined) return undefined;
  const limits = await fetchLimits(ctx.db, coin.marketId);
  return { coin, tier, name, current: limits.find((limit) => isOfTier(limit, tier)), limits };
}

/** @throws Refused 422 for what the schema cannot express */
function validateTerms(terms: LimitTerms): void {
  if (terms.feeRate !== null && new Decimal(terms.feeRate).gt(FEE_RATE_MAX))
    throw refuseField('feeRate', `不能超过 ${FEE_RATE_MAX}（即 10%）`);
  const { singleMin, singleMax } = terms;
  if (singleMin !== null && singleMax !== null && isBelow(singleMax, singleMin))
    throw refuseField('singleMax', '不能小于单笔最小');
}

/** Whether a maximum is below a minimum; 0 is no maximum. */
const isBelow = (max: string, min: string): boolean => !new Decimal(max).isZero() && new Decimal(max).lt(min);

function validateDecimals(terms: LimitTerms, { amountPrecision }: LimitCoin): void {
  for (const field of ['singleMin', 'singleMax', 'dayAmount', 'feeFixed'] as const) {
    if (new Decimal(terms[field] ?? '0').decimalPlaces() > amountPrecision)
      throw refuseField(field, `最多 ${amountPrecision} 位小数`);
  }
}

function requireSeen(target: Target, seen: number): void {
  if ((target.current?.version ?? 0) !== seen) throw refuseStale(target, seen);
}

/** @param seen the version that the caller read, 0 for none */
const refuseStale = ({ coin, tier, name, current }: Target, seen: number): Refused =>
  refuseStaleSave({
    target: { type: 'withdrawLimit', id: coin.marketId },
    isSave: (after) => after[tierField(tier)] === name && Number(after['version']) > seen,
    current: { by: current?.by ?? null, at: current?.createdAt ?? null },
    words: { texts: ownTermTexts },
  });

/** The field of an audit row that names the tier. */
const tierField = ({ groupId }: LimitTier) => (groupId === null ? 'level' : 'userGroup');

/** Limits belong to no agent, so their approvals belong to the tree of their maker. */
const subjectOf = houseSubject('withdrawLimit');

/** Saves the next version of the terms of a level or a group for a coin. */
export const limitSave = defineAction<LimitSave, LimitVersion, Target>({
  call: calls.save,
  validate: (input) => {
    tierOf(input);
    validateTerms(input);
  },
  authorize: requireHouse,
  load: async (ctx, input, { reading }) => {
    if (!reading) await lockLimits(ctx.db);
    return findTarget(ctx, input);
  },
  check: (_ctx, target, input) => {
    validateDecimals(input, target.coin);
    requireSeen(target, input.seen);
  },
  setting: {
    record: ({ coin, current }, ctx) => current && { data: current, subject: subjectOf(ctx, { id: coin.marketId }) },
    isSet: ({ current }, input) =>
      current !== undefined && stableJson(pickTerms(current)) === stableJson(pickTerms(input)),
  },
  save: saveOfLines<LimitSave, Target, EffectiveTerms>({
    change: (_ctx, { coin, limits, tier }, input) => {
      const before = { coin, limits };
      return pairLines(coin, changedPairs(before, withTerms(before, tier, pickTerms(input))));
    },
    words: (ctx, { coin }) => pairWords(ctx, coin),
    loosens: loosensPairs,
    renew: (input, { current }) => ({ ...input, seen: current?.version ?? 0 }),
  }),
  guard: {
    subject: ({ coin }, ctx) => subjectOf(ctx, { id: coin.marketId }),
    preview: previewSave,
  },
  execute: async (ctx, input, target, approved) => {
    const { coin, tier, name, current } = target;
    const by = approved?.maker ?? ctx.operator.account;
    const { marketId, marketName } = coin;
    const terms = pickTerms(input);
    const version = input.seen + 1;
    const row = { marketId, ...tier, ...terms, version, by, reason: reasonOf(input), now: ctx.now };
    if (!(await insertLimit(ctx.db, row))) throw refuseStale(target, input.seen);
    const [saved] = await fetchVersions(ctx.db, { marketId, ...tier });
    return {
      data: requireFound(saved),
      subject: subjectOf(ctx, { id: marketId }),
      ...(current && { before: { version: current.version, ...pickTerms(current) } }),
      after: { marketName, [tierField(tier)]: name, version, ...terms },
    };
  },
});

const pairWords = async (ctx: Ctx, coin: Pick<LimitCoin, 'marketId' | 'marketName'>): Promise<Words> => ({
  names: pairNames([{ coin }], [undefined, ...(await fetchGroups(ctx))]),
  texts: termTexts,
});

function termText(name: keyof LimitTerms, value: string | number | null): string {
  if (value === null) return '继承';
  if (name === 'withdrawState') return withdrawStateLabels[value === 0 ? 0 : 1];
  return String(value);
}

const ownTermTexts = Object.fromEntries(
  termNames.map((name) => [name, (value: string | number | null) => termText(name, value)] as const),
);

const termItems = (terms: LimitTerms): ApprovalItem[] =>
  termNames.map((name) => textItem(labelOf(name), termText(name, terms[name])));

async function previewSave(ctx: Ctx, input: LimitSave): Promise<Preview> {
  const { coin, name, current } = requireFound(await findTarget(ctx, input));
  return {
    input: [textItem('币种', coin.marketName), textItem('适用于', name), ...termItems(input)],
    now: current ? [textItem('版本', String(current.version)), ...termItems(current)] : [],
    legs: [],
    problem: null,
    changes: [
      changeOf(
        { action: 'withdrawLimit.save', targetType: 'withdrawLimit' },
        {
          title: `${coin.marketName} ${name} 的条款`,
          before: current ? pickTerms(current) : null,
          after: pickTerms(input),
        },
        { names: {}, texts: ownTermTexts },
      ),
    ],
    consequence: '下列等级与用户组的用户，此后的提现申请按新条款。',
  };
}

/** What users may withdraw of a coin, where the save of its market changes it: levels and groups inherit from the coin. */
export const findInheritedTerms: FindInherited = async (ctx, row, settings) => {
  const limits = await fetchLimits(ctx.db, row.id);
  const coin = { marketId: row.id, marketName: row.marketName };
  return {
    ...pairLines(coin, changedPairs({ coin: row, limits }, { coin: settings, limits })),
    words: await pairWords(ctx, coin),
  };
};
