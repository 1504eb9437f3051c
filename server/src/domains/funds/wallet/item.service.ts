import { isOpenItem, walletItemCauses, walletItemStates } from '@hengtai/contract/funds/wallet/item';
import { wallet as calls } from '@hengtai/contract/funds/wallet/calls';
import type { WalletExplain, WalletItem } from '@hengtai/contract/funds/wallet/item.schema';
import type { HouseTransfer } from '@hengtai/contract/funds/house/schema';
import { labelOf } from '@hengtai/contract/wire/labels';
import { Decimal } from '@hengtai/contract/values/decimal';
import { canonical, systemAccountLabels } from '@hengtai/contract/values/money';
import { type Subject, reasonOf } from '../../../actions/action-audit.ts';
import { defineAction } from '../../../actions/action.ts';
import { type PolicyValue, priceAgeOf } from '../../../actions/policy.store.ts';
import { type Preview, amountItem, codeItem, problemOf, textItem, valueItems } from '../../../actions/preview.ts';
import type { Ctx } from '../../../app/context.ts';
import { refuseField, refuseStateConflict, requireFound } from '../../../app/refuse.ts';
import { requireHouse } from '../../../authority/authority.ts';
import { requireCapital, transferLeg } from '../house/house.rules.ts';
import { transferHouseMoney } from '../house/house.steps.ts';
import { type ItemTarget, explainItem, findItem, lockItem } from './item-list.store.ts';

interface Target extends ItemTarget {
  makerId: number;
}

async function loadTarget(
  ctx: Ctx,
  { id }: Pick<WalletExplain, 'id'>,
  { makerId, reading }: { makerId: number; reading: boolean },
): Promise<Target | undefined> {
  if (!reading) await lockItem(ctx.db, id);
  const item = await findItem(ctx.db, id);
  return item && { ...item, makerId };
}

/** Items belong to no agent, so approvals belong to the tree of their maker. */
const subjectOf = ({ id, makerId }: Pick<Target, 'id' | 'makerId'>): Subject => ({
  type: 'walletItem',
  id,
  agentId: makerId,
});

const valueOf = ({ valuation: amount, pricedAt }: Target): PolicyValue => ({ amount, pricedAt });

/** What makes the books agree: money of the owner that wallets hold enters custody, and what they lack leaves it. */
function transferOf({ excess, marketId }: ItemTarget): Omit<HouseTransfer, 'reason' | 'txHash'> | undefined {
  const amount = new Decimal(excess);
  if (amount.isZero() || marketId === null) return undefined;
  const [from, to] = amount.isPositive() ? (['custody', 'capital'] as const) : (['capital', 'custody'] as const);
  return { marketId, from, to, amount: amount.abs().toFixed() };
}

/** @throws Refused 409 unless the item is open, or if the own capital does not suffice; 422 if there is nothing to post */
function checkExplain(target: ItemTarget, { own }: WalletExplain): void {
  const { state, secondBy, by, explainedAt, createdAt, capital: balance, marketName, txHash, differs } = target;
  if (!isOpenItem(target)) {
    const label = walletItemStates[state as keyof typeof walletItemStates];
    throw refuseStateConflict(label, { state, by: secondBy ?? by, at: explainedAt ?? createdAt });
  }
  if (!own) return;
  if (differs.includes('market')) throw refuseField('own', '：链上与记录的币种不同，请在「平台账户」中分别划转');
  const transfer = transferOf(target);
  if (!transfer) throw refuseField('own', '：没有账外数量，无须入账');
  // As in a transfer of the house, custody changes with the hash of what was paid in or out only.
  if (txHash === '') throw refuseField('own', '：没有交易哈希，不能入账');
  requireCapital(transfer.from, transfer.amount, { balance, marketName });
}

const withoutTarget = ({
  moveId: _moveId,
  capital: _capital,
  custody: _custody,
  valuation: _valuation,
  pricedAt: _pricedAt,
  makerId: _makerId,
  ...row
}: Target): WalletItem => row;

export const explainWalletItem = defineAction<WalletExplain, WalletItem, Target>({
  call: calls.explain,
  authorize: requireHouse,
  load: loadTarget,
  check: (_ctx, target, input) => checkExplain(target, input),
  policy: { subject: subjectOf, amount: valueOf, preview: previewExplain },
  execute: async (ctx, input, target, approved) => {
    const { id, marketName, txHash } = target;
    // The item is locked since it was loaded, so nothing has changed since it was checked.
    checkExplain(target, input);
    const reason = reasonOf(input);
    const transfer = input.own ? transferOf(target) : undefined;
    const doer = {
      operatorId: approved?.makerId ?? ctx.operator.id,
      checkerId: approved ? ctx.operator.id : null,
      now: ctx.now,
    };
    const posted =
      transfer && (await transferHouseMoney(ctx.db, { ...transfer, reason, txHash }, { marketName }, doer));
    await explainItem(ctx.db, id, {
      reason,
      own: input.own,
      posted: posted ? target.excess : '0',
      by: approved?.maker ?? ctx.operator.account,
      secondBy: approved ? ctx.operator.account : null,
      now: ctx.now,
    });
    const after = await findItem(ctx.db, id);
    if (!after) throw new Error(`The item ${id} does not exist.`);
    const { state, own } = after;
    return {
      data: withoutTarget({ ...after, makerId: target.makerId }),
      subject: subjectOf(target),
      before: { state: target.state },
      after: {
        state,
        own,
        reason,
        amount: canonical(target.amount),
        marketName,
        ...(posted && { transferId: posted.id }),
      },
    };
  },
});

const sideItems = (title: string, side: NonNullable<WalletItem['move'] | WalletItem['record']>) => [
  codeItem(title, side.no),
  amountItem(`${title}数量`, side.amount, side.marketName),
  textItem(`${title}网络`, side.network),
  codeItem(`${title}地址`, side.address || '--'),
  codeItem(`${title}交易哈希`, side.txHash || '--'),
];

/** What the checker sees: both sides of the item, why it was opened, and what would be posted. */
async function previewExplain(ctx: Ctx, input: WalletExplain): Promise<Preview> {
  const target = requireFound(await loadTarget(ctx, input, { makerId: ctx.operator.id, reading: true }));
  const { id, why, state, move, record, excess, marketName, valuation, capital, custody } = target;
  const transfer = input.own ? transferOf(target) : undefined;
  return {
    input: [textItem('链上差异', `#${id}`), textItem(labelOf('own'), input.own ? '是' : '否')],
    now: [
      textItem('状态', walletItemStates[state as keyof typeof walletItemStates]),
      textItem('原因', walletItemCauses[why]),
      ...(move ? sideItems('链上流水', move) : []),
      ...(record ? sideItems('业务记录', record) : []),
      amountItem('账外数量', canonical(excess), marketName),
      ...valueItems(valuation, { ...target, ...(await priceAgeOf(ctx, target)) }),
      amountItem(`${systemAccountLabels.capital}余额`, canonical(capital), marketName),
    ],
    legs: transfer ? [transferLeg(transfer)] : [],
    houseBalances: { capital, custody },
    problem: await problemOf(() => checkExplain(target, input)),
  };
}
