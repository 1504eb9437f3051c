import { KYC } from '@hengtai/contract/risk/kyc/calls';
import { kycSides } from '@hengtai/contract/wire/input-values';
import type { EventData } from '@hengtai/contract/gateway/events.schema';
import type { EventCtx } from '../../../gateway/event-batch.ts';
import type { EventHandlers } from '../../../gateway/handlers.ts';
import { isLive, mustTakeUser } from '../../../gateway/lookup.store.ts';
import { nameScreenings } from '../screening/screening-order.steps.ts';
import { reject, rejectField } from '../../../gateway/rejected.ts';
import { type NewKycSubmission, insertKycSubmission, userKyc } from './kyc.store.ts';
import { isDataUrl, parseInlineImage } from './image.rules.ts';

type KycEvent = 'auth.submitted' | 'auth.imported';

export const kycEvents: EventHandlers<KycEvent> = {
  'auth.submitted': async (ctx, data) => {
    const userId = await insertSubmission(ctx, data, { state: KYC.waiting });
    await ctx.batch.insert(nameScreenings, { userId, now: ctx.now });
  },

  'auth.imported': async (ctx, data) => {
    if (await isLive(ctx.batch)) throw reject('alreadyLive');
    const { state, reason, by, reviewedAt } = data;
    const updatedAt = Math.min(reviewedAt ?? ctx.at, ctx.now);
    await insertSubmission(ctx, data, { state, reason, by, reviewedAt, updatedAt });
  },
};

type Images = Pick<EventData['auth.imported'], 'front' | 'back' | 'holding'>;

/**
 * Inserts a submission and updates the user. A user may have one waiting submission, because the command with the
 * decision names only the account.
 *
 * @returns the id of the user
 * @throws Rejected if the user has a waiting submission or an image is invalid
 */
async function insertSubmission(
  { batch, at, now }: EventCtx,
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
): Promise<number> {
  const images = { front, back, holding };
  validateImages(images);
  const user = await mustTakeUser(batch, account);
  const owner = { userId: user.id, agentId: user.agentId };
  const document = { name, country, idType, idNumber, level, ...images };
  await insertKycSubmission(batch, { ...owner, ...document, ...decision, createdAt: at, now });
  await batch.insert(userKyc, { userId: user.id, now });
  return user.id;
}

/** @throws Rejected if a `data:` URL contains no accepted image, because operators' browsers will show it */
function validateImages(images: Images): void {
  for (const side of Object.keys(kycSides) as (keyof Images)[]) {
    const address = images[side] ?? '';
    if (isDataUrl(address) && !parseInlineImage(address)) throw rejectField(side, 'an image of an accepted type');
  }
}
