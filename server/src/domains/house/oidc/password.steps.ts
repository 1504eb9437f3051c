import { OIDC_ONLY } from '@hengtai/contract/house/oidc/calls';
import { type Refusal, refusals } from '@hengtai/contract/wire/refusals';
import type { SessionLimits } from '../../../authority/session.store.ts';
import type { App } from '../../../app/context.ts';
import { issuerKey } from '../../../host/oidc-settings.ts';
import type { Db } from '../../../database/connect.ts';
import { isSettingOn } from '../../../app/setting.store.ts';
import { findLink } from './oidc.store.ts';

/**
 * How a login without the identity provider is limited. While a setting forbids it to linked operators, the host may allow
 * it for a time, and the session ends with that time.
 */
export async function limitOwnLogin(
  { oidc }: Pick<App, 'oidc'>,
  db: Db,
  operatorId: number,
  now: number,
): Promise<SessionLimits | { refusal: Refusal }> {
  const link = oidc && (await findLink(db, operatorId, issuerKey(oidc)));
  if (!link || !(await isSettingOn(db, OIDC_ONLY))) return {};
  const { passwordUntil } = link;
  return passwordUntil !== null && passwordUntil > now ? { endsAt: passwordUntil } : { refusal: refusals.oidcOnly };
}
