import { agent as calls } from '@hengtai/contract/people/agent/calls';
import type { AgentOidcLink, AgentRow } from '@hengtai/contract/people/agent/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { defineAction } from '../../../actions/action.ts';
import { notifyCredential } from '../../../actions/credential-notification.store.ts';
import { endSessionsOf } from '../../../authority/session.store.ts';
import type { App, Ctx } from '../../../app/context.ts';
import { type OidcSettings, issuerKey } from '../../../host/oidc-settings.ts';
import { refuse } from '../../../app/refuse.ts';
import { type Link, deleteLink, findLink, insertLink } from '../../house/oidc/oidc.store.ts';
import {
  checkReset,
  findDescendant,
  isHolder,
  mustFind,
  previewAgent,
  recordOf,
  recordUncheckedControl,
  subjectOf,
} from './agent-guard.ts';

function settingsOf({ oidc }: App): OidcSettings {
  if (!oidc) throw refuse(refusals.oidcOff);
  return oidc;
}

/** The link of an agent for its detail page; null if no identity provider is configured. */
export async function findOidc({ db }: Ctx, { oidc }: App, id: number): Promise<(Link & { issuer: string }) | null> {
  if (!oidc) return null;
  const issuer = issuerKey(oidc);
  const link = await findLink(db, id, issuer);
  return { issuer, ...(link ?? { subject: null, by: null, at: null, passwordUntil: null }) };
}

/**
 * Links an agent to its account at the identity provider, or removes the link, and ends its sessions. The link is a
 * credential, so the rules are those of a reset of the password. The provider never creates an operator.
 */
export const agentOidcLink = defineAction<AgentOidcLink, AgentRow, AgentRow>({
  call: calls.oidcLink,
  load: findDescendant,
  check: (ctx, target) => checkReset(ctx, target, '企业账号'),
  setting: {
    record: recordOf,
    isSet: async (_target, { id, subject }, { app, db }) =>
      ((await findLink(db, id, issuerKey(settingsOf(app))))?.subject ?? null) === subject,
  },
  guard: {
    loosens: (_ctx, target) => isHolder(target),
    subject: subjectOf,
    preview: (ctx, { id, subject }) =>
      previewAgent(ctx, id, subject === null ? '解除企业账号关联' : `关联企业账号：${subject}`),
  },
  execute: async (ctx, { id, subject }, target, approved) => {
    const issuer = issuerKey(settingsOf(ctx.app));
    const before = await findLink(ctx.db, id, issuer);
    await deleteLink(ctx.db, id);
    const link = { operatorId: id, issuer, by: ctx.operator.account, now: ctx.now };
    if (subject !== null && !(await insertLink(ctx.db, { ...link, subject }))) throw refuse(refusals.oidcTaken);
    await recordUncheckedControl(ctx, id, 'reset', approved);
    await endSessionsOf(ctx.db, [id], 'oidc', ctx.now);
    await notifyCredential(ctx, id, 'link');
    return {
      data: await mustFind(ctx, id),
      subject: subjectOf(target),
      before: { issuer, subject: before?.subject ?? null },
      after: { issuer, subject },
    };
  },
});
