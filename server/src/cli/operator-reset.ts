import { randomBytes, randomUUID } from 'node:crypto';
import { CODE } from '@hengtai/contract/wire/envelope';
import { recordAudit } from '../actions/audit.store.ts';
import { inTransaction, openPool } from '../database/connect.ts';
import { credentials } from '../modules.ts';
import { resetFactors } from '../domains/house/session/credential.steps.ts';
import { hashPassword } from '../host/password.ts';
import { findCredentials, setPassword } from '../domains/house/session/login.store.ts';
import { endSessionsOf } from '../authority/session.store.ts';

/**
 * Restores access for an operator without a superior who lost password or authenticator: prints a new password and
 * removes one-time codes and passkeys. The administrator of the host controls the database anyway; the audit log records the reset.
 */
export async function resetOperator(url: string, account: string): Promise<void> {
  const { db, end } = openPool({ url, max: 1, name: 'hengtai-reset', onError: () => undefined });
  try {
    const password = randomBytes(12).toString('base64url');
    const passwordHash = await hashPassword(password);
    await inTransaction(db, async (tx) => {
      const found = await findCredentials(tx, account);
      if (!found) throw new Error(`Operator ${account} does not exist. 操作员不存在。`);
      const now = Date.now();
      await setPassword(tx, { id: found.id, hash: passwordHash, by: 'other', now });
      const removed = await resetFactors(credentials, tx, found.id, now);
      await endSessionsOf(tx, [found.id], 'password', now);
      const who = { operator: null, sessionId: null, ip: '', userAgent: 'host', requestId: randomUUID(), now };
      const target = { targetType: 'agent', targetId: found.id, agentId: found.id };
      await recordAudit(tx, who, {
        ...target,
        action: 'operator.reset',
        result: CODE.ok,
        after: { otp: removed ? 0 : undefined, ...removed },
      });
    });
    process.stdout.write(
      `New password of ${account} · 新密码: ${password}\nOne-time codes and passkeys are removed · 一次性验证码与通行密钥已清除\n`,
    );
  } finally {
    await end();
  }
}
