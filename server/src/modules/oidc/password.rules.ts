import { OIDC_ONLY } from '@hengtai/contract/oidc';
import { type Refusal, refusals } from '@hengtai/contract/refusals';
import type { SessionLimits } from '../../actions/session.store.ts';
import type { App } from '../../core/context.ts';
import { issuerKey } from '../../core/oidc-settings.ts';
import type { Db } from '../../postgres/connect.ts';
import { isOn } from '../../core/setting.store.ts';
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
  if (!link || !(await isOn(db, OIDC_ONLY))) return {};
  const { passwordUntil } = link;
  return passwordUntil !== null && passwordUntil > now ? { endsAt: passwordUntil } : { refusal: refusals.oidcOnly };
}
