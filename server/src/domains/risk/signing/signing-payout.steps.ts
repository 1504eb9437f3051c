import { refusals } from '@hengtai/contract/wire/refusals';
import { InvalidText, parseSignable } from '@hengtai/contract/risk/signing/text';
import { refuse } from '../../../app/refuse.ts';
import { toPayee } from '../../../destination/keys.ts';
import {
  type PayingAction,
  type PayoutOrder,
  type PayoutStep,
  PayoutRefused,
} from '../../funds/withdraw/payout-step.store.ts';
import { type DecidedWithdraw, type SignedOrder, payoutTextOf } from '../../funds/withdraw/withdraw.rules.ts';
import type { Db } from '../../../database/connect.ts';
import type { HeldRoster } from './consent.rules.ts';
import {
  type UsableMandate,
  countersign,
  fetchUsableMandates,
  findRequiredRoster,
  requireOwnSignature,
  requireSignedPayout,
} from './signing.steps.ts';
import { addPayoutSignature, insertPayoutText } from './signing.store.ts';

/** In signed mode the maker signs the text of the payout, and the checkers after it. */
export const signingPayout = {
  minimumCheckers: async (ctx, target, action) => {
    const roster = await findRequiredRoster(ctx.db);
    if (!roster) return 0;
    await requireOwnSignature(ctx, roster, signableTextOf(target, ctx.operator.account, action));
    return roster.threshold - 1;
  },
  onApproval: async (ctx, target, action, approvalId) => {
    const roster = await findRequiredRoster(ctx.db);
    if (!roster) return;
    const text = payoutTextOf(target, ctx.operator.account, action);
    const signatureId = await requireOwnSignature(ctx, roster, text);
    const { id: withdrawId, attempt } = target;
    await insertPayoutText(ctx.db, { approvalId, withdrawId, attempt: attempt + 1, text, createdAt: ctx.now });
    await addPayoutSignature(ctx.db, approvalId, signatureId);
  },
  countersign,
  onOrder: async (db, order) => {
    const roster = await findRequiredRoster(db);
    if (!roster) return null;
    const { target, payer } = order;
    if (payer.action === 'auto') return findMandate(db, roster, order, payer.takeMandate);
    const text = payoutTextOf(target, payer.maker, payer.action);
    return requireSignedPayout(db, roster, payer.approvalId, text);
  },
} satisfies PayoutStep;

/** @throws Refused 409 if a field, for example of the platform, is not one that a text can have */
function signableTextOf(target: DecidedWithdraw, maker: string, action: PayingAction): string {
  const text = payoutTextOf(target, maker, action);
  try {
    parseSignable(text);
    return text;
  } catch (error) {
    if (error instanceof InvalidText) throw refuse(refusals.payoutUnsignable);
    throw error;
  }
}

/**
 * The first mandate that covers a payout of the system and whose day has room.
 *
 * @throws PayoutRefused if there is none
 */
async function findMandate(
  db: Db,
  roster: HeldRoster,
  { target, now }: PayoutOrder,
  take: (mandate: UsableMandate) => Promise<boolean>,
): Promise<SignedOrder> {
  const { platformId: platform, marketName: market, listedNetworks, received: amount } = target;
  const { network } = toPayee(listedNetworks, target);
  for (const mandate of await fetchUsableMandates(db, roster, { platform, market, network, amount }, now))
    if (await take(mandate)) return { mandate: mandate.signed };
  throw new PayoutRefused(refuse(refusals.signatureMissing), 'mandate');
}
