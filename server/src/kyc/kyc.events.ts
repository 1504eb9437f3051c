import { KYC, kycSides } from '@hengtai/contract/kyc';
import type { EventData } from '@hengtai/contract/gateway.schema';
import type { EventHandlers } from '../gateway/events.ts';
import { isLive, mustTakeUser } from '../gateway/lookup.store.ts';
import { type EventCtx, reject } from '../gateway/rejected.ts';
import { type NewKycSubmission, insertKycSubmission, settleUser } from './kyc.store.ts';
import { isInline, parseInlineImage } from './image.ts';

type KycEvent = 'auth.submitted' | 'auth.imported';

export const kycEvents: EventHandlers<KycEvent> = {
  'auth.submitted': async (ctx, data) => {
    await keep(ctx, data, { state: KYC.waiting });
  },

  'auth.imported': async (ctx, data) => {
    if (await isLive(ctx.db)) throw reject('live');
    const { state, reason, by, reviewedAt } = data;
    const updatedAt = Math.min(reviewedAt ?? ctx.at, ctx.now);
    await keep(ctx, data, { state, reason, by, reviewedAt, updatedAt });
  },
};

type Images = Pick<EventData['auth.imported'], 'front' | 'back' | 'holding'>;

/** A second submission waits for the first to be decided: the answer names an account, and must mean one submission. */
async function keep(
  { db, at, now }: EventCtx,
  {
    account,
    name,
    country,
    idType,
    idNumber,
    level,
    front = '',
    back = '',
    holding = '',
  }: EventData['auth.imported' | 'auth.submitted'],
  decision: Pick<NewKycSubmission, 'state' | 'reason' | 'by' | 'reviewedAt' | 'updatedAt'>,
): Promise<void> {
  const images = { front, back, holding };
  validateImages(images);
  const user = await mustTakeUser(db, account);
  const whose = { userId: user.id, agentId: user.agentId };
  const document = { name, country, idType, idNumber, level, ...images };
  await insertKycSubmission(db, { ...whose, ...document, ...decision, createdAt: at, now });
  await settleUser(db, user.id, now);
}

/** What calls itself a picture must be one: it will be shown to operators. */
function validateImages(images: Images): void {
  for (const side of Object.keys(kycSides) as (keyof Images)[]) {
    const address = images[side] ?? '';
    if (isInline(address) && !parseInlineImage(address)) throw reject('invalid', side);
  }
}
