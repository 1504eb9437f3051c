import type { ActionInput } from '@hengtai/contract/wire/schema';
import { ABILITY } from '@hengtai/contract/authority/ability';
import { CODE } from '@hengtai/contract/wire/envelope';
import type { Redeemed } from '@hengtai/contract/gateway/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { SUPPORT_LINK_MS, user as calls } from '@hengtai/contract/people/user/calls';
import type { UserLink } from '@hengtai/contract/people/user/schema';
import { recordAudit } from '../../../actions/audit.store.ts';
import type { App } from '../../../app/context.ts';
import type { PlatformScope } from '../../../gateway/platform-scope.ts';
import { inTransaction } from '../../../database/connect.ts';
import { defineAction } from '../../../actions/action.ts';
import { refuse, requireFound } from '../../../app/refuse.ts';
import { hashOf, newToken } from '../../../authority/token.ts';
import { insertLink, fetchSupportUrl, useLink } from './support-link.store.ts';
import { permitGuard } from './user-guard.ts';
import { subjectOf } from './user.steps.ts';
import { type UserRecord, findUser } from './user.store.ts';

/** Creates a read-only link to the platform's site as the user sees it. Only the response contains the token. */
export const userToken = defineAction<ActionInput, UserLink, UserRecord>({
  call: calls.token,
  load: (ctx, { id }) => findUser(ctx, id),
  guard: permitGuard('生成客服链接'),
  execute: async (ctx, _input, target) => {
    const base = siteOf(await fetchSupportUrl(ctx.db));
    if (!base) throw refuse(refusals.supportUrl);
    const token = newToken();
    const expire = ctx.now + SUPPORT_LINK_MS;
    if (!(await insertLink(ctx, { userId: target.id, hash: hashOf(token), expiresAt: expire })))
      throw refuse(refusals.notFound);
    base.searchParams.set('token', token);
    return { data: { url: base.href, expire }, subject: subjectOf(target), after: { readOnly: true, expire } };
  },
});

function siteOf(address: string): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

/**
 * Redeems a support link for the platform's site.
 *
 * @throws Refused 404 for every invalid token, so that a caller cannot learn why it is invalid
 */
export async function redeemLink(
  app: App,
  scope: PlatformScope,
  token: string,
  from: { requestId: string; ip: string },
): Promise<Redeemed> {
  const now = app.clock.now();
  return inTransaction(app.system, async (db) => {
    const used = requireFound(await useLink(db, scope, { hash: hashOf(token), ability: ABILITY.users, now }));
    const { userId, agentId, operatorId, ...data } = used;
    const operator = { id: operatorId, account: used.operator };
    await recordAudit(
      db,
      { ...from, operator, sessionId: null, userAgent: 'platform', now },
      {
        action: 'user.redeem',
        result: CODE.ok,
        targetType: 'user',
        targetId: userId,
        userId,
        account: used.account,
        agentId,
      },
    );
    return data;
  });
}
