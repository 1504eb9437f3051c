import { reasonFields } from '@hengtai/contract/wire/reason-code';
import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import {
  type BinaryContractSide,
  type BinaryContractState,
  binaryContract as calls,
  binaryContractSides,
} from '@hengtai/contract/trading/binary-contract/calls';
import { binaryContractStates, BINARY_CONTRACT } from '@hengtai/contract/trading/binary-contract/facts';
import type { BinaryContractRow, BinaryContractVoid } from '@hengtai/contract/trading/binary-contract/schema';
import { SETTLEMENT } from '@hengtai/contract/values/money';
import { closeApprovals, lockApprovals } from '../../../actions/approval-end.store.ts';
import { pick } from '../../../app/pick.ts';
import type { Ctx } from '../../../app/context.ts';
import { enqueue } from '../../../gateway/command.store.ts';
import { defineAction } from '../../../actions/action.ts';
import { reasonOf, recordSubject } from '../../../actions/action-audit.ts';
import { valueInUsdt } from '../../../actions/policy.store.ts';
import { type Preview, amountItem, codeItem, textItem } from '../../../actions/preview.ts';
import { release } from '../../../books/ledger/hold.ts';
import { recordNotification } from '../../../actions/notification.store.ts';
import { type Refused, refuseStateConflict, requireFound } from '../../../app/refuse.ts';
import { enqueueBalanceChanges } from '../../../gateway/balance-command.store.ts';
import { fetchClosingTick } from './binary-contract-detail.store.ts';
import { holdOwner, refundLegs } from './binary-contract.rules.ts';
import { type BinaryContractRecord, findBinaryContract, voidBinaryContract } from './binary-contract.store.ts';

const subjectOf = recordSubject('second');

interface Target extends BinaryContractRecord {
  /** The closing tick is recorded, so only the settlement may end the contract. */
  closing: boolean;
}

/** Ends a contract without a result and returns the stake. An operator can never request a win or a loss. */
export const binaryContractVoid = defineAction<BinaryContractVoid, BinaryContractRow, Target>({
  call: calls.change,
  load: targetOf,
  check: (_ctx, target, { state }) => {
    if (target.state !== state || !isOpen(target)) throw refuseConflict(target);
  },
  policy: {
    subject: subjectOf,
    amount: ({ amount }) => valueInUsdt(amount),
    preview: async (ctx, { id }) => {
      const target = requireFound(await targetOf(ctx, { id }));
      return makePreview(target);
    },
  },
  execute: async (ctx, input, target, approved) => {
    const approvalTarget = { type: 'second', id: target.id };
    const reason = reasonOf(input);
    await lockApprovals(ctx.db, approvalTarget);
    const by = approved?.maker ?? ctx.operator.account;
    const isVoided = await voidBinaryContract(ctx, target.id, { reason, by, secondBy: approved?.checker });
    if (!isVoided) throw refuseConflict(requireFound(await targetOf(ctx, { id: target.id })));
    await closeApprovals(ctx.db, approvalTarget, {
      state: APPROVAL.expired,
      answer: reason || binaryContractStates[BINARY_CONTRACT.voided],
      now: ctx.now,
    });
    const head = { refType: 'second', refId: target.id, at: ctx.now, now: ctx.now, operatorId: ctx.operator.id };
    const entries = await release(ctx.db, head, holdOwner(target), target.amount, refundLegs(target));
    const data = { no: target.no, ...reasonFields(reason), reason };
    await enqueue(ctx.db, { type: 'second.voided', refType: 'second', refId: target.id, data, now: ctx.now });
    await enqueueBalanceChanges(ctx.db, entries, ctx.now);
    const { userId, agentId, marketId } = target;
    const notification = { refType: 'second', refId: target.id, userId, agentId, marketId, at: ctx.now, now: ctx.now };
    await recordNotification(ctx.db, { type: 'second.voided', ...notification });
    const after = requireFound(await findBinaryContract(ctx, target.id));
    return { data: rowOf(after), subject: subjectOf(target), before: auditFields(target), after: auditFields(after) };
  },
});

async function targetOf(ctx: Ctx, { id }: { id: number }): Promise<Target | undefined> {
  const row = await findBinaryContract(ctx, id);
  return row && { ...row, closing: (await fetchClosingTick(ctx, row)) !== null };
}

const isOpen = ({ state, closing }: Target): boolean => state === BINARY_CONTRACT.open && !closing;

/** A running contract whose closing tick is recorded is reported as expired, even before it is settled. */
const refuseConflict = (target: Target): Refused =>
  refuseStateConflict(
    target.closing && target.state === BINARY_CONTRACT.open
      ? '已到期，待结算'
      : binaryContractStates[target.state as BinaryContractState],
    {
      state: target.state,
      by: target.secondBy ?? target.by,
      at: target.updatedAt,
    },
  );

export const rowOf = ({
  agentId: _agent,
  usdtId: _usdt,
  tolerance: _tolerance,
  rule: _rule,
  configId: _config,
  configVersion: _version,
  recordedAt: _recorded,
  ...row
}: BinaryContractRecord): BinaryContractRow => row;

const auditFields = pick(
  'state',
  'reason',
  'by',
  'secondBy',
  'marketName',
  'amount',
  'payout',
  'openPrice',
  'settleAt',
);

function makePreview(row: Target): Preview {
  return {
    input: [
      textItem('秒合约', `#${row.id}`),
      codeItem('平台单号', row.no),
      textItem('用户', `${row.account}（${row.userId}）`),
      textItem('处理', '作废并全额退款'),
    ],
    now: [
      textItem('状态', binaryContractStates[row.state as BinaryContractState]),
      textItem('市场', row.marketName),
      textItem('方向', `${binaryContractSides[row.side as BinaryContractSide]} ${row.seconds} 秒`),
      amountItem('下单', row.amount, SETTLEMENT),
      amountItem('可盈利', row.payout, SETTLEMENT),
      amountItem('开仓价', row.openPrice, SETTLEMENT),
    ],
    legs: refundLegs(row),
    problem: isOpen(row) ? null : refuseConflict(row).message,
  };
}
