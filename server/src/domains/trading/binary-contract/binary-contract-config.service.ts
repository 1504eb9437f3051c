import type { ActionInput, IdInput } from '@hengtai/contract/wire/schema';
import { fieldLabels } from '@hengtai/contract/wire/labels';
import { SETTLEMENT, canonical } from '@hengtai/contract/values/money';
import {
  PAYOUT_RATE_MAX,
  binaryContract as calls,
  binaryContractConfigStates,
} from '@hengtai/contract/trading/binary-contract/calls';
import type {
  BinaryContractConfigDetail,
  BinaryContractConfigRow,
  BinaryContractConfigSave,
  BinaryContractConfigSettings,
} from '@hengtai/contract/trading/binary-contract/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { stableJson } from '@hengtai/contract/wire/stable-json';
import { Decimal } from '@hengtai/contract/values/decimal';
import { pick } from '../../../app/pick.ts';
import type { Ctx } from '../../../app/context.ts';
import { enqueue } from '../../../gateway/command.store.ts';
import { defineAction } from '../../../actions/action.ts';
import { saveOfRecord } from '../../../actions/save.ts';
import { refuseStaleSave } from '../../../actions/stale-save.ts';
import { type Preview, textItem } from '../../../actions/preview.ts';
import { type Refused, refuse, refuseField, refuseMissing, requireFound } from '../../../app/refuse.ts';
import {
  ALL_MARKETS,
  deleteConfig,
  fetchConfigVersions,
  findConfig,
  findConfigMarket,
  findSameLength,
  insertConfig,
  fetchSettlementPrecision,
  updateConfig,
} from './binary-contract-config.store.ts';
import { loosensConfig } from './binary-contract.rules.ts';

const RATE_DECIMALS = 4;

interface Target {
  /** undefined for a new setting. */
  row: BinaryContractConfigRow | undefined;
  /** The maker. Settings belong to no agent, so the scope of an approval is that of its maker. */
  operatorId: number;
  /** The id of the setting that has this market and length already. */
  takenBy: number | undefined;
  market: { name: string; tradable: boolean } | undefined;
  precision: number;
}

/** Adds or changes a setting. It applies only to contracts that are opened later. */
export const binaryContractConfigSave = defineAction<BinaryContractConfigSave, BinaryContractConfigRow, Target>({
  call: calls.configSave,
  validate: (input) => {
    // A partial save is validated after the row is loaded.
    if (input.id === undefined || isComplete(input)) validateSettings(settingsOf(input));
  },
  load: async (ctx, input) => {
    const row = input.id === undefined ? undefined : await findConfig(ctx, input.id);
    if (input.id !== undefined && !row) return undefined;
    return {
      row,
      operatorId: ctx.operator.id,
      takenBy: (await findSameLength(ctx, settingsOf(input, row)))?.id,
      market: await findConfigMarket(ctx, settingsOf(input, row).marketId),
      precision: await fetchSettlementPrecision(ctx),
    };
  },
  check: (_ctx, target, input) => {
    const settings = settingsOf(input, target.row);
    validateSettings(settings);
    validateMarket(target, settings);
    if (target.takenBy !== undefined && target.takenBy !== input.id) throw refuseTaken();
    if (target.row && isStale(target.row, input)) throw refuseStale(target.row, input);
  },
  setting: {
    record: ({ row }) => row && { data: row, subject: { type: 'secondConfig', id: row.id } },
    isSet: ({ row }, input) =>
      row !== undefined &&
      stableJson(canonicalOf(settingsOf({}, row))) === stableJson(canonicalOf(settingsOf(input, row))),
  },
  policy: {
    subject: subjectOf,
    amount: () => null,
    preview: async (ctx, input) => {
      const row = input.id === undefined ? undefined : await findConfig(ctx, input.id);
      if (input.id !== undefined && !row) return makePreview(undefined, row, refusals.stateConflict.msg);
      const settings = settingsOf(input, row);
      const clash = await findSameLength(ctx, settings);
      const problem = clash && clash.id !== input.id ? refuseTaken().message : null;
      const name = (await findConfigMarket(ctx, settings.marketId))?.name ?? ALL_MARKETS;
      return makePreview({ ...settings, marketName: name }, row, problem);
    },
  },
  guard: {},
  save: saveOfRecord<BinaryContractConfigSave, Target, BinaryContractConfigSettings>({
    line: ({ row }, input) => {
      const { marketId, seconds } = settingsOf(input, row);
      return row ? `secondConfig:${row.id}` : `secondConfig:new:${marketId}:${seconds}`;
    },
    title: ({ row, market }, input) =>
      `秒合约设置 ${row?.marketName ?? market?.name ?? ALL_MARKETS} ${settingsOf(input, row).seconds} 秒`,
    words: (_ctx, { row, market }, input) => marketWords(row, market && [settingsOf(input, row).marketId, market.name]),
    before: ({ row }) => (row ? canonicalOf(settingsOf({}, row)) : null),
    after: ({ row }, input) => canonicalOf(settingsOf(input, row)),
    loosens: (before, after) => !after || loosensConfig(before ?? undefined, after),
    renew: (input, { row }) => (row ? { ...input, version: row.version } : input),
  }),
  execute: async (ctx, input, { row }) => {
    const settings = canonicalOf(settingsOf(input, row));
    const id = row ? await change(ctx, row, settings) : await insertConfig(ctx, settings);
    if (id === undefined) throw refuseTaken();
    const after = await mustFind(ctx, id);
    await notifyPlatform(ctx, after, after.state);
    return {
      data: after,
      subject: { type: 'secondConfig', id },
      ...(row && { before: auditFields(row) }),
      after: auditFields(after),
    };
  },
});

export async function binaryContractConfigDetail(ctx: Ctx, { id }: IdInput): Promise<BinaryContractConfigDetail> {
  const row = (await findConfig(ctx, id)) ?? null;
  const versions = await fetchConfigVersions(ctx, id);
  if (!row && versions.length === 0) throw refuse(refusals.notFound);
  return { row, versions };
}

export const binaryContractConfigDel = defineAction<ActionInput, BinaryContractConfigRow, Target>({
  call: calls.configDel,
  load: async (ctx, { id }) => {
    const row = await findConfig(ctx, id);
    return row && { row, operatorId: ctx.operator.id, takenBy: undefined, market: undefined, precision: 0 };
  },
  policy: {
    subject: subjectOf,
    amount: () => null,
    preview: async (ctx, { id }) => {
      const row = await findConfig(ctx, id);
      return makePreview(undefined, row, row ? null : refusals.notFound.msg);
    },
  },
  guard: {},
  save: saveOfRecord<ActionInput, Target, BinaryContractConfigSettings>({
    line: (_target, { id }) => `secondConfig:${id}`,
    title: ({ row }) => `秒合约设置 ${row?.marketName ?? ALL_MARKETS} ${row?.seconds ?? '--'} 秒`,
    words: (_ctx, { row }) => marketWords(row),
    before: ({ row }) => (row ? canonicalOf(settingsOf({}, row)) : null),
    after: () => null,
    loosens: () => true,
  }),
  execute: async (ctx, { id }) => {
    const row = await mustFind(ctx, id);
    if (!(await deleteConfig(ctx, id))) throw refuse(refusals.notFound);
    await notifyPlatform(ctx, row, 0);
    return { data: row, subject: { type: 'secondConfig', id }, before: auditFields(row), after: null };
  },
});

/** Names of the markets of a setting before and after. */
function marketWords(row: BinaryContractConfigRow | undefined, other?: readonly [id: number, name: string]) {
  const names = new Map<number, string>([[0, ALL_MARKETS], ...(row ? [[row.marketId, row.marketName] as const] : [])]);
  if (other) names.set(...other);
  return {
    texts: {
      marketId: (id: number) => names.get(id) ?? `#${id}`,
      state: (state: 0 | 1) => binaryContractConfigStates[state],
    },
  };
}

const SETTINGS = ['marketId', 'seconds', 'payoutRate', 'minAmount', 'maxAmount', 'sort', 'state'] as const;

const isComplete = (input: BinaryContractConfigSave): boolean => SETTINGS.every((field) => input[field] !== undefined);

/** A save without a version skips optimistic locking. */
const isStale = (row: BinaryContractConfigRow, { version }: BinaryContractConfigSave): boolean =>
  version !== undefined && version !== row.version;

/**
 * The settings after a save. Missing fields are taken from `row`; a new setting defaults to all markets, no maximum stake
 * and on.
 *
 * @throws Refused 422 if a new setting misses a field without a default
 */
function settingsOf(input: BinaryContractConfigSave, row?: BinaryContractConfigRow): BinaryContractConfigSettings {
  const from = {
    ...row,
    ...Object.fromEntries(SETTINGS.flatMap((f) => (input[f] === undefined ? [] : [[f, input[f]]]))),
  };
  const {
    marketId = 0,
    seconds,
    payoutRate,
    minAmount,
    maxAmount = '0',
    sort = 0,
    state = 1,
  }: Partial<BinaryContractConfigRow> = from;
  if (seconds === undefined) throw refuseMissing('seconds');
  if (payoutRate === undefined) throw refuseMissing('payoutRate');
  if (minAmount === undefined) throw refuseMissing('minAmount');
  return { marketId, seconds, payoutRate, minAmount, maxAmount, sort, state: state === 0 ? 0 : 1 };
}

/** @throws Refused 422 for violations that the schema cannot express */
function validateSettings({ payoutRate, minAmount, maxAmount }: BinaryContractConfigSettings): void {
  const rate = new Decimal(payoutRate);
  if (rate.gt(PAYOUT_RATE_MAX)) throw refuseField('payoutRate', `不能超过 ${PAYOUT_RATE_MAX}`);
  if (rate.decimalPlaces() > RATE_DECIMALS) throw refuseField('payoutRate', `最多 ${RATE_DECIMALS} 位小数`);
  if (new Decimal(maxAmount).gt(0) && new Decimal(maxAmount).lt(minAmount))
    throw refuseField('maxAmount', '不能小于最小下单');
}

function validateMarket(
  { market, precision }: Target,
  { marketId, minAmount, maxAmount }: BinaryContractConfigSettings,
): void {
  if (marketId !== 0 && !market) throw refuseField('marketId', '不存在');
  if (market?.tradable === false) throw refuseField('marketId', `：${SETTLEMENT} 是结算币种，不能交易`);
  for (const [field, amount] of Object.entries({ minAmount, maxAmount }))
    if (new Decimal(amount).decimalPlaces() > precision) throw refuseField(field, `最多 ${precision} 位小数`);
}

async function change(ctx: Ctx, row: BinaryContractConfigRow, settings: BinaryContractConfigSettings): Promise<number> {
  const result = await updateConfig(ctx, row.id, row.version, settings);
  if (result === 'taken') throw refuseTaken();
  if (result) return row.id;
  throw refuseStale(await mustFind(ctx, row.id), row);
}

async function mustFind(ctx: Ctx, id: number): Promise<BinaryContractConfigRow> {
  return requireFound(await findConfig(ctx, id));
}

const canonicalOf = (input: BinaryContractConfigSettings): BinaryContractConfigSettings => ({
  ...input,
  payoutRate: canonical(input.payoutRate),
  minAmount: canonical(input.minAmount),
  maxAmount: canonical(input.maxAmount),
});

/** Announces which setting changed; the platform reads the current settings from `GET seconds`. */
async function notifyPlatform(ctx: Ctx, row: BinaryContractConfigRow, state: number): Promise<void> {
  const str = `${row.marketId === 0 ? '*' : row.marketName}:${row.seconds}`;
  const data = { key: 'second.config', kind: 'str', str, num: row.payoutRate, state };
  await enqueue(ctx.db, { type: 'config.updated', refType: 'secondConfig', refId: row.id, data, now: ctx.now });
}

const refuseTaken = (): Refused => refuseField('seconds', '：该市场已有相同时长的设置');

const refuseStale = (
  row: BinaryContractConfigRow,
  { version = row.version }: Pick<BinaryContractConfigSave, 'version'>,
): Refused =>
  refuseStaleSave({
    target: { type: 'secondConfig', id: row.id },
    versions: row.version - version,
    current: { state: row.state, by: row.by, at: row.updatedAt },
  });

function subjectOf({ row, operatorId }: Target) {
  // A new setting has no id yet.
  return { type: 'secondConfig', id: row?.id ?? 0, agentId: operatorId };
}

const FIELDS = ['marketName', 'seconds', 'payoutRate', 'minAmount', 'maxAmount', 'sort', 'state'] as const;

const auditFields = pick(...FIELDS);

type PreviewFields = Pick<BinaryContractConfigRow, (typeof FIELDS)[number]>;

const formatValue = (field: (typeof FIELDS)[number], value: string | number): string =>
  field === 'state' ? binaryContractConfigStates[value as 0 | 1] : String(value);

function makePreview(
  input: PreviewFields | undefined,
  row: BinaryContractConfigRow | undefined,
  problem: string | null,
): Preview {
  const toItems = (of: PreviewFields) =>
    FIELDS.map((field) =>
      textItem(field === 'sort' ? '排序' : (fieldLabels[field] ?? field), formatValue(field, of[field])),
    );
  return {
    input: input ? toItems(input) : [textItem('删除', row ? `${row.marketName} ${row.seconds} 秒` : '--')],
    now: row ? [...toItems(row), textItem('进行中', String(row.running))] : [],
    legs: [],
    problem,
    consequence: input ? '只用于此后新开的秒合约。' : '此后不再按此设置开仓；进行中的秒合约不变。',
  };
}
