import { CODE } from '@hengtai/contract/wire/envelope';
import type {
  PasskeyAdd,
  PasskeyBegin,
  PasskeyEnrol,
  PasskeyFresh,
  PasskeyList,
  PasskeyRename,
  PasskeyRow,
} from '@hengtai/contract/house/passkey/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { IdInput } from '@hengtai/contract/wire/schema';
import { addProof } from '../../../authority/passkey-proof.store.ts';
import { endOtherSessions, fetchInstallation } from '../../../authority/session.store.ts';
import type { App } from '../../../app/context.ts';
import { refuse, requireFound } from '../../../app/refuse.ts';
import type { SessionHandler } from '../../../http/handler.ts';
import type { Db } from '../../../database/connect.ts';
import {
  callerOf,
  changeOwnCodes,
  requireFreshFactor,
  verifyPassword,
  withGuessLimit,
} from '../session/own-codes.steps.ts';
import {
  relyingPartyOf,
  requestAssertion,
  requestPasskey,
  userHandleOf,
  verifyAssertion,
  verifyRegistration,
} from './passkey.steps.ts';
import {
  deletePasskey,
  fetchPasskeyRows,
  fetchPasskeys,
  findPasskeySettings,
  insertPasskey,
  renamePasskey,
  saveAddresses,
} from './passkey.store.ts';
import { spendPasskey } from './second-factor.steps.ts';

const DONE = '操作成功';

export const passkeyList: SessionHandler<object> = async (call) => {
  const { app } = call;
  const { operator } = callerOf(call);
  const data: PasskeyList = {
    passkeys: await fetchPasskeyRows(app.system, operator.id, app.relyingParty?.id ?? null),
    origin: app.relyingParty?.origin ?? null,
    ...(await findPasskeySettings(app.system)),
  };
  return { code: CODE.ok, msg: 'ok', data };
};

async function findRow(app: App, db: Db, operatorId: number, id: number): Promise<PasskeyRow> {
  const rows = await fetchPasskeyRows(db, operatorId, app.relyingParty?.id ?? null);
  return requireFound(rows.find((row) => row.id === id));
}

/**
 * Begins to add a passkey: the first second factor of an operator needs its password, any other one a fresh factor.
 *
 * @throws Refused 401 when the password is wrong, 409 without an address with a name, 428 without a fresh factor
 */
export const passkeyEnrol: SessionHandler<PasskeyEnrol> = async (call, { password = '' }) => {
  const { app } = call;
  const caller = callerOf(call);
  const { operator, sessionId, now } = caller;
  const data = await withGuessLimit(app, caller, 'password', async () => {
    const passwordHash = caller.factors.hasFactor ? undefined : await verifyPassword(app, caller, password);
    return changeOwnCodes(app, caller, { action: 'passkey.enrol', passwordHash }, async ({ db }) => {
      if (!caller.factors.hasFactor && passwordHash === undefined) throw refuse(refusals.wrongPassword);
      await requireFreshFactor(caller, db);
      const { tokenKey } = await fetchInstallation(db);
      const owner = {
        id: operator.id,
        account: operator.account,
        sessionId,
        handle: userHandleOf(tokenKey, operator.id),
      };
      return { data: await requestPasskey(app, db, owner, now) };
    });
  });
  return { code: CODE.ok, msg: DONE, data };
};

/** Stores a passkey. The first second factor of an operator ends its other sessions, which were opened without one. */
export const passkeyAdd: SessionHandler<PasskeyAdd> = async (call, input) => {
  const { app } = call;
  const caller = callerOf(call);
  const { operator, sessionId, now, ip, userAgent } = caller;
  const { name, transports = [], attachment = null } = input;
  const data = await withGuessLimit(app, caller, 'otp', async () => {
    const verified = await verifyRegistration(app, { id: operator.id, sessionId }, input, now);
    return changeOwnCodes(app, caller, { action: 'passkey.add' }, async ({ db, otpSince, passkeyRps }) => {
      if (!verified) throw refuse(refusals.wrongPasskey);
      const { tokenKey } = await fetchInstallation(db);
      const origin = { operatorId: operator.id, userHandle: userHandleOf(tokenKey, operator.id), userAgent, ip, now };
      const id = await insertPasskey(db, {
        ...verified,
        ...origin,
        name,
        transports,
        attachment,
        credentialId: input.id,
      });
      if (id === undefined) throw refuse(refusals.passkeyAdded);
      await saveAddresses(db, operator.id, now);
      const isFirst = otpSince === null && passkeyRps.length === 0;
      const ended = isFirst ? await endOtherSessions(db, operator.id, sessionId, 'passkey', now) : 0;
      const row = await findRow(app, db, operator.id, id);
      return { data: row, after: { passkey: name, address: row.address, ended } };
    });
  });
  return { code: CODE.ok, msg: '通行密钥已添加', data };
};

export const passkeyRename: SessionHandler<PasskeyRename> = async (call, { id, name }) => {
  const { app } = call;
  const caller = callerOf(call);
  const data = await changeOwnCodes(app, caller, { action: 'passkey.rename' }, async ({ db }) => {
    if (!(await renamePasskey(db, caller.operator.id, id, name))) throw refuse(refusals.notFound);
    return { data: await findRow(app, db, caller.operator.id, id), after: { passkey: name } };
  });
  return { code: CODE.ok, msg: DONE, data };
};

export const passkeyDel: SessionHandler<IdInput> = async (call, { id }) => {
  const { app } = call;
  const caller = callerOf(call);
  await changeOwnCodes(app, caller, { action: 'passkey.del' }, async ({ db }) => {
    await requireFreshFactor(caller, db);
    const name = await deletePasskey(db, caller.operator.id, id);
    if (name === undefined) throw refuse(refusals.notFound);
    await saveAddresses(db, caller.operator.id, caller.now);
    return { data: null, after: { passkey: name } };
  });
  return { code: CODE.ok, msg: '通行密钥已移除', data: null };
};

/** Challenges the caller's passkeys for one call of this session, named by its digest. */
export const passkeyBegin: SessionHandler<PasskeyBegin> = async (call, { digest }) => {
  const { app } = call;
  const { operator, sessionId, now } = callerOf(call);
  const { id: rpId } = relyingPartyOf(app);
  const usable = (await fetchPasskeys(app.system, operator.id)).filter((passkey) => passkey.rpId === rpId);
  if (usable.length === 0) throw refuse(refusals.passkeyMissing);
  const purpose = { purpose: 'fresh', operatorId: operator.id, sessionId, digest } as const;
  return { code: CODE.ok, msg: 'ok', data: await requestAssertion(app, app.system, purpose, now, usable) };
};

/** Confirms the call whose digest the challenge was made for, and no other. */
export const passkeyFresh: SessionHandler<PasskeyFresh> = async (call, { passkey: assertion }) => {
  const { app } = call;
  const caller = callerOf(call);
  const { operator, sessionId, now } = caller;
  await withGuessLimit(app, caller, 'otp', async () => {
    const expected = { purpose: 'fresh', operatorId: operator.id, sessionId } as const;
    const verified = await verifyAssertion(app, expected, assertion, now);
    await changeOwnCodes(app, caller, { action: 'passkey.fresh' }, async ({ db, ...locked }) => {
      const spent = verified && (await spendPasskey(app, db, { ...caller, locked }, verified));
      if (!spent || verified.digest === null) throw refuse(refusals.wrongPasskey);
      await addProof(db, { sessionId, digest: verified.digest, operatorId: operator.id, now });
      return { data: null, after: spent };
    });
  });
  return { code: CODE.ok, msg: '验证成功', data: null };
};
