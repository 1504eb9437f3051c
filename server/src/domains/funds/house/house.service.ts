import { house as calls } from '@hengtai/contract/funds/house/calls';
import type {
  HouseList,
  HouseListInput,
  HousePreview,
  HousePreviewInput,
  HouseTransfer,
  HouseTransferred,
} from '@hengtai/contract/funds/house/schema';
import { Decimal } from '@hengtai/contract/values/decimal';
import { canonical, systemAccountLabels } from '@hengtai/contract/values/money';
import { labelOf } from '@hengtai/contract/wire/labels';
import { refusals } from '@hengtai/contract/wire/refusals';
import { type Subject, reasonOf } from '../../../actions/action-audit.ts';
import { defineAction } from '../../../actions/action.ts';
import { type PolicyValue, needsChecker, priceAgeOf } from '../../../actions/policy.store.ts';
import { type Preview, amountItem, codeItem, problemOf, textItem, valueItems } from '../../../actions/preview.ts';
import type { Ctx } from '../../../app/context.ts';
import { refuseField } from '../../../app/refuse.ts';
import { requireHouse } from '../../../authority/authority.ts';
import { fetchHouseBalances } from '../../../books/ledger/house-balance.ts';
import { requireCapital, requireHouseReader, requirePlaces, requireTransfer, transferLeg } from './house.rules.ts';
import { auditedTransfer, transferHouseMoney } from './house.steps.ts';
import { type TransferTarget, findInsuranceBound, findTransferTarget } from './house.store.ts';

export async function listBalances(ctx: Ctx, input: HouseListInput): Promise<HouseList> {
  requireHouseReader(ctx);
  return { balances: await fetchHouseBalances(ctx.db, input), bound: await findInsuranceBound(ctx.db) };
}

interface Target extends TransferTarget {
  makerId: number;
}

/** @throws Refused 422 for an unknown coin, and for a pair */
async function loadTarget(
  ctx: Ctx,
  input: Pick<HouseTransfer, 'marketId' | 'from' | 'to' | 'amount'>,
  makerId: number = ctx.operator.id,
): Promise<Target> {
  const target = await findTransferTarget(ctx.db, input);
  if (!target) throw refuseField('marketId', '不存在');
  return { ...target, makerId };
}

/** The accounts belong to no agent, so approvals belong to the tree of their maker. */
const subjectOf = ({ marketId, makerId }: Pick<Target, 'marketId' | 'makerId'>): Subject => ({
  type: 'house',
  id: marketId,
  agentId: makerId,
});

const valueOf = ({ valuation: amount, pricedAt }: TransferTarget): PolicyValue => ({ amount, pricedAt });

const checkCapital = ({ from, amount }: Pick<HouseTransfer, 'from' | 'amount'>, target: TransferTarget): void =>
  requireCapital(from, amount, { balance: target.fromBalance, marketName: target.marketName });

export const houseTransfer = defineAction<HouseTransfer, HouseTransferred, Target>({
  call: calls.transfer,
  validate: requireTransfer,
  authorize: requireHouse,
  load: (ctx, input, { makerId }) => loadTarget(ctx, input, makerId),
  check: (_ctx, target, input) => checkCapital(input, target),
  policy: {
    subject: subjectOf,
    amount: valueOf,
    preview: previewTransfer,
  },
  execute: async (ctx, input, target, approved) => {
    const data = await transferHouseMoney(ctx.db, { ...input, reason: reasonOf(input) }, target, {
      operatorId: approved?.makerId ?? ctx.operator.id,
      checkerId: approved ? ctx.operator.id : null,
      now: ctx.now,
    });
    return { data, subject: subjectOf(target), after: auditedTransfer(data) };
  },
});

const changesOf = (amount: string, { fromBalance, toBalance }: TransferTarget) => ({
  from: { before: canonical(fromBalance), after: new Decimal(fromBalance).minus(amount).toFixed() },
  to: { before: canonical(toBalance), after: new Decimal(toBalance).plus(amount).toFixed() },
});

/**
 * The balances that a transfer would leave, and why it would be refused.
 *
 * @throws Refused 422 for accounts that do not go together
 */
export async function housePreview(ctx: Ctx, input: HousePreviewInput): Promise<HousePreview> {
  requireHouse(ctx);
  requirePlaces(input);
  const { amount = '0' } = input;
  const target = await loadTarget(ctx, { ...input, amount });
  const needsApproval = await needsChecker(ctx, 'house.transfer', null, valueOf(target));
  const openApproval = needsApproval && target.hasOpenApproval ? refusals.approvalOpen.msg : null;
  return {
    ...changesOf(amount, target),
    valuation: target.valuation,
    ...(await priceAgeOf(ctx, target)),
    needsApproval,
    refusal: (await problemOf(() => checkCapital({ ...input, amount }, target))) ?? openApproval,
  };
}

/** What the checker sees: the accounts with their balances, and what was paid on a chain. */
async function previewTransfer(ctx: Ctx, input: HouseTransfer): Promise<Preview> {
  const target = await loadTarget(ctx, input);
  const { marketName, fromBalance, toBalance, valuation } = target;
  const [from, to] = [systemAccountLabels[input.from], systemAccountLabels[input.to]];
  return {
    input: [
      textItem('转出账户', from),
      textItem('转入账户', to),
      amountItem('数量', canonical(input.amount), marketName),
      ...(input.txHash === undefined ? [] : [codeItem(labelOf('txHash'), input.txHash)]),
    ],
    now: [
      ...valueItems(valuation, { ...target, ...(await priceAgeOf(ctx, target)) }),
      amountItem(`${from}余额`, canonical(fromBalance), marketName),
      amountItem(`${to}余额`, canonical(toBalance), marketName),
    ],
    legs: [transferLeg(input)],
    houseBalances: { [input.from]: fromBalance, [input.to]: toBalance },
    problem: await problemOf(() => checkCapital(input, target)),
  };
}
