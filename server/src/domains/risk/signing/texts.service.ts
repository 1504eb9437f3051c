import { APPROVAL } from '@hengtai/contract/desk/approval/facts';
import type { SigningRecord, SigningTexts, SigningTextsInput } from '@hengtai/contract/risk/signing/schema';
import type { PayoutText } from '@hengtai/contract/risk/signing/text';
import type { IdInput } from '@hengtai/contract/wire/schema';
import { WITHDRAW } from '@hengtai/contract/funds/withdraw/facts';
import { findApproval } from '../../../actions/approval.store.ts';
import type { App, Ctx } from '../../../app/context.ts';
import { requireFound } from '../../../app/refuse.ts';
import { withFullScope } from '../../../database/connect.ts';
import { payoutTextOf } from '../../funds/withdraw/withdraw.rules.ts';
import { findWithdraw } from '../../funds/withdraw/withdraw.store.ts';
import { describeSigningPage } from './signing-page.rules.ts';
import { findRequiredRoster, signingRequest } from './signing.steps.ts';
import { fetchPayoutSignatures, fetchPayoutTexts, fetchPayoutsOf, fetchRosters } from './signing.store.ts';

/** What the caller has to sign before it decides about these records. What it cannot see or decide now is left out. */
export async function readSigningTexts(ctx: Ctx, { ids, action }: SigningTextsInput, app: App): Promise<SigningTexts> {
  const page = describeSigningPage(app);
  const roster = await findRequiredRoster(ctx.db);
  if (!roster) return { page, request: null, texts: [] };
  const texts: SigningTexts['texts'] = [];
  for (const id of ids) {
    const text = action === 'approve' ? await findApprovalText(ctx, id) : await makePayoutText(ctx, id, action);
    if (text !== undefined) texts.push({ id, text });
  }
  return { page, request: signingRequest(roster, ctx.operator.account), texts };
}

async function findApprovalText(ctx: Ctx, id: number): Promise<string | undefined> {
  const approval = await findApproval(ctx, id);
  if (approval?.state !== APPROVAL.open || approval.makerId === ctx.operator.id) return undefined;
  const [payout] = await fetchPayoutTexts(ctx.db, [id]);
  return payout?.text;
}

async function makePayoutText(ctx: Ctx, id: number, action: 'pass' | 'retry'): Promise<string | undefined> {
  const target = await findWithdraw(ctx, id);
  if (!target || target.state !== (action === 'pass' ? WITHDRAW.review : WITHDRAW.failed)) return undefined;
  return payoutTextOf(target, ctx.operator.account, action);
}

/**
 * The texts and signatures of a withdrawal, as `scripts/verify-payout.mjs` reads them.
 *
 * @throws Refused 404 outside the scope
 */
export async function readSigningRecord(ctx: Ctx, { id }: IdInput): Promise<SigningRecord> {
  requireFound(await findWithdraw(ctx, id));
  const payouts: SigningRecord['payouts'] = [];
  const versions = new Set<number>();
  for (const { approvalId, attempt, text, createdAt, ordered } of await fetchPayoutsOf(ctx.db, id)) {
    const stored = await withFullScope(ctx.db, () => fetchPayoutSignatures(ctx.db, approvalId));
    const signatures = stored.map(({ person: _person, at: _at, roster, ...signature }) => {
      versions.add(roster);
      return signature;
    });
    const signers = stored.map(({ person, key, at }) => ({ person, key, at }));
    payouts.push({ attempt, text, createdAt, ordered, signers, command: commandOf(text, signatures) });
  }
  const rosters = await withFullScope(ctx.db, () => fetchRosters(ctx.db, 0));
  return {
    payouts,
    rosters: rosters.filter(({ version }) => versions.has(version)).map(({ version, text }) => ({ version, text })),
  };
}

type Signatures = NonNullable<SigningRecord['payouts'][number]['command']['signatures']>;

function commandOf(text: string, signatures: Signatures) {
  const { no, attempt, account, market, network, address, memo, received } = JSON.parse(text) as PayoutText;
  return { no, attempt, account, market, network, address, memo, amount: received, payout: text, signatures };
}
