import { createHmac, randomBytes } from 'node:crypto';
import { PASSKEYS_MAX } from '@hengtai/contract/house/passkey/calls';
import type {
  Assertion,
  FactorOffer,
  PasskeyAdd,
  PasskeyCreation,
  PasskeyRequest,
} from '@hengtai/contract/house/passkey/schema';
import { refusals } from '@hengtai/contract/wire/refusals';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { App } from '../../../app/context.ts';
import type { RelyingParty } from '../../../host/relying-party.ts';
import { refuse } from '../../../app/refuse.ts';
import type { Db } from '../../../database/connect.ts';
import {
  type NewPasskey,
  type Purpose,
  type StoredPasskey,
  addChallenge,
  fetchPasskeys,
  findPasskey,
  takeChallenge,
} from './passkey.store.ts';

const RP_NAME = 'HengTai';
/** How long the browser waits for the authenticator. */
const TIMEOUT_MS = 120_000;
/** COSE numbers of EdDSA, ES256 and RS256, the best first. */
const ALGORITHMS = [-8, -7, -257];

/** @throws Refused 409 when the console has no address with a name */
export function relyingPartyOf({ relyingParty }: Pick<App, 'relyingParty'>): RelyingParty {
  if (!relyingParty) throw refuse(refusals.passkeyNoAddress);
  return relyingParty;
}

const describe = ({ credentialId, transports }: StoredPasskey) => ({
  id: credentialId,
  type: 'public-key' as const,
  ...(transports.length > 0 && { transports }),
});

const isVerified = (purpose: Purpose): boolean => purpose.purpose === 'alone';

/** Challenges passkeys of the present address; without `passkeys` any that the authenticator finds. */
export async function requestAssertion(
  app: App,
  db: Db,
  purpose: Purpose,
  now: number,
  passkeys: readonly StoredPasskey[] = [],
): Promise<PasskeyRequest> {
  const challenge = randomBytes(32).toString('base64url');
  await addChallenge(db, challenge, purpose, now);
  return {
    challenge,
    rpId: relyingPartyOf(app).id,
    timeout: TIMEOUT_MS,
    userVerification: isVerified(purpose) ? 'required' : 'preferred',
    allowCredentials: passkeys.map(describe),
  };
}

/** What an operator with passkeys may answer a login's 428 with. */
export async function offerFactors(
  app: App,
  operator: { id: number; hasCodes: boolean },
  only: boolean,
  now: number,
): Promise<FactorOffer> {
  const passkeys = await fetchPasskeys(app.system, operator.id);
  const usable = passkeys.filter(({ rpId }) => rpId === app.relyingParty?.id);
  const purpose: Purpose = { purpose: 'login', operatorId: operator.id, sessionId: null, digest: null };
  return {
    code: operator.hasCodes && !(only && usable.length > 0),
    passkey: usable.length === 0 ? null : await requestAssertion(app, app.system, purpose, now, usable),
    elsewhere: [...new Set(passkeys.map(({ rpId }) => rpId))].filter((rpId) => rpId !== app.relyingParty?.id),
    origin: app.relyingParty?.origin ?? null,
  };
}

/** Options for the browser to make a passkey, and its challenge. */
export async function requestPasskey(
  app: App,
  db: Db,
  operator: { id: number; account: string; sessionId: number; handle: string },
  now: number,
): Promise<PasskeyCreation> {
  const relyingParty = relyingPartyOf(app);
  const existing = await fetchPasskeys(db, operator.id);
  if (existing.length >= PASSKEYS_MAX) throw refuse(refusals.passkeysFull);
  const challenge = randomBytes(32).toString('base64url');
  const purpose: Purpose = { purpose: 'enrol', operatorId: operator.id, sessionId: operator.sessionId, digest: null };
  await addChallenge(db, challenge, purpose, now);
  return {
    challenge,
    rp: { id: relyingParty.id, name: RP_NAME },
    user: { id: operator.handle, name: operator.account, displayName: operator.account },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: TIMEOUT_MS,
    attestation: 'none',
    excludeCredentials: existing.filter(({ rpId }) => rpId === relyingParty.id).map(describe),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  };
}

/**
 * What authenticators know an operator by. It says nothing about the operator, and differs between installations, so that
 * two of them at localhost do not replace each other's passkeys.
 */
export const userHandleOf = (tokenKey: string, operatorId: number): string =>
  createHmac('sha256', tokenKey).update(`passkey user\n${operatorId}`).digest('base64url');

interface ClientData {
  challenge: string;
  crossOrigin: boolean;
}

/** Reads the parts of the client data that are checked here; undefined if it is malformed. */
function readClientData(clientData: string): ClientData | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8'));
    if (typeof data !== 'object' || data === null || !('challenge' in data)) return undefined;
    if (typeof data.challenge !== 'string') return undefined;
    return { challenge: data.challenge, crossOrigin: 'crossOrigin' in data && data.crossOrigin === true };
  } catch {
    return undefined;
  }
}

/** A verified assertion. Its counter is compared when it is spent. */
export interface VerifiedAssertion {
  passkey: StoredPasskey;
  counter: number;
  digest: string | null;
}

/**
 * Takes the challenge of an assertion away and verifies the assertion: purpose, session, operator, address, signature, and
 * the verification of the user where the passkey is the only factor.
 *
 * @param expected the purpose; an operator of null accepts any, because the passkey names it
 * @returns undefined if anything differs
 */
export async function verifyAssertion(
  app: App,
  expected: Pick<Purpose, 'purpose' | 'operatorId' | 'sessionId'>,
  assertion: Assertion,
  now: number,
): Promise<VerifiedAssertion | undefined> {
  const { relyingParty } = app;
  const client = readClientData(assertion.clientData);
  if (!relyingParty || !client || client.crossOrigin) return undefined;
  const taken = await takeChallenge(app.system, client.challenge, now);
  if (!taken || !isSamePurpose(taken, expected)) return undefined;
  const passkey = await findPasskey(app.system, assertion.id);
  if (!passkey || passkey.rpId !== relyingParty.id) return undefined;
  if (expected.operatorId !== null && passkey.operatorId !== expected.operatorId) return undefined;
  if (assertion.userHandle !== undefined && assertion.userHandle !== passkey.userHandle) return undefined;
  const { clientData: clientDataJSON, authenticatorData, signature } = assertion;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: assertion.id,
        rawId: assertion.id,
        type: 'public-key',
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: client.challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: isVerified(taken),
      // The counter is compared by the statement that stores it, so that two servers cannot accept the same.
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64')),
        counter: 0,
      },
    });
    return verified ? { passkey, counter: authenticationInfo.newCounter, digest: taken.digest } : undefined;
  } catch (error) {
    app.log.info({ err: error, passkey: passkey.id }, 'assertion refused');
    return undefined;
  }
}

const isSamePurpose = (taken: Purpose, expected: Pick<Purpose, 'purpose' | 'operatorId' | 'sessionId'>): boolean =>
  taken.purpose === expected.purpose &&
  taken.sessionId === expected.sessionId &&
  (expected.operatorId === null || taken.operatorId === expected.operatorId);

/**
 * Takes the challenge of a new passkey away and verifies its registration.
 *
 * @returns undefined if anything differs
 */
export async function verifyRegistration(
  app: App,
  operator: { id: number; sessionId: number },
  input: PasskeyAdd,
  now: number,
): Promise<Pick<NewPasskey, 'publicKey' | 'counter' | 'isSynced' | 'rpId'> | undefined> {
  const { relyingParty } = app;
  const client = readClientData(input.clientData);
  if (!relyingParty || !client || client.crossOrigin) return undefined;
  const taken = await takeChallenge(app.system, client.challenge, now);
  const expected = { purpose: 'enrol', operatorId: operator.id, sessionId: operator.sessionId } as const;
  if (!taken || !isSamePurpose(taken, expected)) return undefined;
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id: input.id,
        rawId: input.id,
        type: 'public-key',
        response: { clientDataJSON: input.clientData, attestationObject: input.attestation },
        clientExtensionResults: {},
      },
      expectedChallenge: client.challenge,
      expectedOrigin: relyingParty.origin,
      expectedRPID: relyingParty.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    // The id that the authenticator signed, not the one beside it, is the one that later assertions have.
    if (!verified || registrationInfo.credential.id !== input.id) return undefined;
    const { credential, credentialDeviceType } = registrationInfo;
    return {
      publicKey: Buffer.from(credential.publicKey).toString('base64'),
      counter: credential.counter,
      isSynced: credentialDeviceType === 'multiDevice',
      rpId: relyingParty.id,
    };
  } catch (error) {
    app.log.info({ err: error, operator: operator.id }, 'registration of a passkey refused');
    return undefined;
  }
}
