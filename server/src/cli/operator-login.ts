import { randomUUID } from 'node:crypto';
import { CODE } from '@hengtai/contract/wire/envelope';
import { notifyApprovers } from '../actions/approver-notification.store.ts';
import { recordAudit } from '../actions/audit.store.ts';
import { notifyCredential } from '../actions/credential-notification.store.ts';
import { endSessionsOf } from '../authority/session.store.ts';
import { issuerKey } from '../host/oidc-settings.ts';
import { allowPassword, deleteLink, findLink, insertLink } from '../domains/house/oidc/oidc.store.ts';
import { type Credentials, findCredentials } from '../domains/house/session/login.store.ts';
import { ConfigurationError } from '../host/configuration-error.ts';
import { type Db, inTransaction, openPool } from '../database/connect.ts';
import type { Env } from '../programs/env.ts';
import { writeLine } from './exit.ts';

// Commands for when nobody in the console can help: the identity provider is down, or the operator has nobody above.

interface Host {
  db: Db;
  issuer: string;
  operator: Credentials;
  now: number;
}

/** Runs a command about an operator in a transaction and prints its message. */
async function onOperator(
  url: string,
  { oidc }: Env,
  account: string,
  work: (host: Host) => Promise<string>,
): Promise<void> {
  if (!oidc) throw new ConfigurationError('OIDC_ISSUER is not set as for the service. 未配置企业登录。');
  const { db, end } = openPool({ url, max: 1, name: 'hengtai-operator', onError: () => undefined });
  try {
    const message = await inTransaction(db, async (tx) => {
      const operator = await findCredentials(tx, account);
      if (!operator) throw new Error(`Operator ${account} does not exist. 操作员不存在。`);
      return work({ db: tx, issuer: issuerKey(oidc), operator, now: Date.now() });
    });
    writeLine(message);
  } finally {
    await end();
  }
}

/**
 * Allows a linked operator the login by password for a time, although a setting forbids it. Its sessions end with that time.
 * Audited, and every approver is notified.
 */
export const allowPasswordLogin = (url: string, env: Env, account: string, minutes: number): Promise<void> =>
  onOperator(url, env, account, async ({ db, issuer, operator, now }) => {
    const until = now + minutes * 60_000;
    if (!(await allowPassword(db, operator.id, issuer, until)))
      throw new Error(`Operator ${account} is not linked, so its password works. 未关联企业账号，可直接用密码登录。`);
    await audit({ db, operator, now }, 'operator.allowPassword', { after: { passwordUntil: until } });
    await notifyApprovers({ db, now }, 'fourEyes.passwordAllowed', operator.account);
    return (
      `${operator.account} may log in with its password until ${new Date(until).toISOString()}; every approver was ` +
      `notified. 已临时允许 ${operator.account} 用密码登录 ${minutes} 分钟，已通知全部复核员。`
    );
  });

/** Links an operator to its account at the identity provider, or removes the link: the top-level admin has nobody above. */
export const linkOperator = (url: string, env: Env, account: string, subject: string | undefined): Promise<void> =>
  onOperator(url, env, account, async ({ db, issuer, operator, now }) => {
    const before = await findLink(db, operator.id, issuer);
    await deleteLink(db, operator.id);
    const link = { operatorId: operator.id, issuer, by: null, now };
    if (subject !== undefined && !(await insertLink(db, { ...link, subject })))
      throw new Error(`${subject} is linked to another operator. 该企业账号已关联其他操作员。`);
    await endSessionsOf(db, [operator.id], 'oidc', now);
    await notifyCredential({ db, now }, operator.id, 'link');
    const after = { issuer, subject: subject ?? null };
    await audit({ db, operator, now }, 'operator.oidc', {
      before: { issuer, subject: before?.subject ?? null },
      after,
    });
    return subject === undefined
      ? `The link of ${operator.account} is removed. 已解除 ${operator.account} 的企业账号关联。`
      : `${operator.account} is linked to ${subject}. 已关联企业账号。`;
  });

async function audit(
  { db, operator, now }: Pick<Host, 'db' | 'operator' | 'now'>,
  action: string,
  change: { before?: object; after: object },
): Promise<void> {
  const who = { operator: null, sessionId: null, ip: '', userAgent: 'host', requestId: randomUUID(), now };
  const target = { targetType: 'agent', targetId: operator.id, agentId: operator.id };
  await recordAudit(db, who, { ...target, action, result: CODE.ok, ...change });
}
