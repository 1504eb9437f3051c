import { refusals } from '@hengtai/contract/wire/refusals';
import {
  SIGNATURE_MINUTES,
  SIGNING_KEYS_MAX,
  SIGNING_REQUIRED,
  signing as calls,
} from '@hengtai/contract/risk/signing/calls';
import { PROPOSAL } from '@hengtai/contract/risk/signing/facts';
import type {
  SigningAdd,
  SigningAdded,
  SigningClose,
  SigningEnrol,
  SigningKey,
  SigningMine,
  SigningProposal,
  SigningState,
} from '@hengtai/contract/risk/signing/schema';
import { type Roster } from '@hengtai/contract/risk/signing/text';
import { defineAction } from '../../../actions/action.ts';
import { notifyCredential } from '../../../actions/credential-notification.store.ts';
import type { App, Ctx } from '../../../app/context.ts';
import { isSettingOn } from '../../../app/setting.store.ts';
import { listPlatforms } from '../../house/gateway-key/platform.store.ts';
import { describeSigningPage } from './signing-page.rules.ts';
import { refuse, refuseField, requireFound } from '../../../app/refuse.ts';
import { type Db, withFullScope } from '../../../database/connect.ts';
import { type HeldRoster, InvalidSignature, isUsableKey, readRoster, verifyConsent } from './consent.rules.ts';
import { requireHouse } from '../../../authority/authority.ts';
import { toProposal, thresholdFor } from './proposal.service.ts';
import {
  type StoredKey,
  type StoredProposal,
  type StoredRoster,
  adoptProposal,
  closeStale,
  fetchKeys,
  fetchProposals,
  fetchSignatures,
  findProposal,
  findRoster,
  insertKey,
  insertSignature,
  lockOpenProposals,
  moveProposal,
} from './signing.store.ts';

/** @throws Refused 403 without full scope: the roster concerns the whole house */
export function readSigningState(ctx: Ctx): Promise<SigningState> {
  requireHouse(ctx);
  const { db } = ctx;
  return withFullScope(db, async () => {
    const stored = await findRoster(db);
    const roster = stored && readRoster(stored);
    const proposals: SigningProposal[] = [];
    for (const row of await fetchProposals(db)) proposals.push(await toProposal(db, row, roster));
    return {
      required: await isSettingOn(db, SIGNING_REQUIRED),
      roster: stored && roster ? toRosterInForce(stored, roster.threshold) : null,
      keys: (await fetchKeys(db, null)).map((key) => addMembership(key, roster)),
      proposals,
      platforms: (await listPlatforms(db)).map(({ id, name }) => ({ id, name })),
    };
  });
}

const toRosterInForce = ({ version, text, digest, at, signsDigest }: StoredRoster, threshold: number) => ({
  version,
  threshold,
  text,
  digest,
  at,
  signsDigest,
});

const addMembership = (row: StoredKey, roster: Roster | undefined): SigningKey => ({
  ...row,
  inRoster: roster?.keys.some(({ id, publicKey }) => id === row.key && publicKey === row.publicKey) ?? false,
});

export function readOwnSigning({ db, operator }: Ctx, _input: object, app: App): Promise<SigningMine> {
  return withFullScope(db, async () => {
    const stored = await findRoster(db);
    const roster = stored && readRoster(stored);
    return {
      page: describeSigningPage(app),
      required: await isSettingOn(db, SIGNING_REQUIRED),
      person: operator.account,
      roster: roster?.version ?? null,
      relyingParty: roster?.relyingParty ?? null,
      keys: (await fetchKeys(db, operator.id)).map((key) => addMembership(key, roster)),
    };
  });
}

/** Stores an own key from the signing page. It may sign once it is in a roster that enough people signed. */
export const signingEnrol = defineAction<SigningEnrol, SigningKey>({
  call: calls.enrol,
  validate: ({ publicKey }) => {
    if (!isUsableKey(publicKey)) throw refuseField('publicKey', '：须为 P-256 公钥');
  },
  execute: async ({ db, operator, now }, { key, publicKey }) => {
    const row = { key, person: operator.account, publicKey, createdAt: now };
    await withFullScope(db, async () => {
      if ((await fetchKeys(db, operator.id)).length >= SIGNING_KEYS_MAX) throw refuse(refusals.signingKeysFull);
      if (!(await insertKey(db, { ...row, operatorId: operator.id }))) throw refuse(refusals.signingKeyTaken);
      await notifyCredential({ db, now }, operator.id, 'signingKey');
    });
    return { data: { ...row, inRoster: false }, after: { credential: key } };
  },
});

/**
 * Stores a signature of the caller, after verifying it as the wallet will. A proposal that enough people signed is in force.
 *
 * @throws Refused 422 with the reason
 */
export const signingAdd = defineAction<SigningAdd, SigningAdded>({
  call: calls.add,
  execute: async (ctx, { signature }) => {
    const { db, operator, now } = ctx;
    const adopted = await withFullScope(db, async () => {
      const stored = await findRoster(db);
      const digests = readDigests(signature.consent);
      const open = await lockOpenProposals(db, digests);
      // The first roster is signed by its own keys.
      const first = open.find(({ kind, version }) => kind === 'roster' && version === 1);
      const signing = stored ?? (first && { ...first, needsDigest: true, signsDigest: true });
      if (!signing) throw invalid('还没有签名名册');
      const roster = readRoster(signing);
      const consent = verify(roster, signature);
      if (consent.person !== operator.account) throw invalid('签名人不是您本人');
      if ((consent.rosterDigest !== undefined) !== roster.signsDigest)
        throw invalid(roster.signsDigest ? '签名须注明名册指纹' : '钱包尚不接受注明名册指纹的签名');
      if (Math.abs(consent.at - now) > SIGNATURE_MINUTES * 60_000) throw invalid('签名时间与服务器时间相差过大');
      await insertSignature(db, {
        ...signature,
        person: consent.person,
        roster: consent.roster,
        digests: consent.digests,
        at: consent.at,
        operatorId: operator.id,
        now,
      });
      return adoptComplete(db, open, roster, now);
    });
    const after = { credential: signature.key, adopted: adopted.map(({ kind, digest }) => `${kind} ${digest}`) };
    return { data: { adopted }, after };
  },
});

const invalid = (problem: string) => refuse(refusals.signatureInvalid, `${refusals.signatureInvalid.msg}：${problem}`);

function verify(roster: HeldRoster, signature: SigningAdd['signature']) {
  try {
    return verifyConsent(roster, signature);
  } catch (error) {
    if (error instanceof InvalidSignature) throw invalid(error.message);
    throw error;
  }
}

/** The digests of a consent before it is verified, to lock what they name; empty if it is malformed. */
function readDigests(consent: string): string[] {
  try {
    const value: unknown = JSON.parse(consent);
    const digests: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'digests') : undefined;
    return Array.isArray(digests) ? digests.filter((digest) => typeof digest === 'string') : [];
  } catch {
    return [];
  }
}

/** Puts those proposals into force that enough distinct persons of the roster signed. */
async function adoptComplete(
  db: Db,
  proposals: readonly StoredProposal[],
  roster: HeldRoster,
  now: number,
): Promise<SigningProposal[]> {
  const adopted: SigningProposal[] = [];
  for (const proposal of proposals) {
    const signatures = await fetchSignatures(db, proposal, roster.version);
    if (signatures.length < thresholdFor(proposal, roster)) continue;
    if (!(await adoptProposal(db, proposal.id, now))) continue;
    if (proposal.kind === 'roster') await closeStale(db, proposal.version, now);
    const after = requireFound(await findProposal(db, proposal.id));
    adopted.push(await toProposal(db, after, roster));
  }
  return adopted;
}

/** Closes a draft, or revokes a mandate. The wallet learns of a revocation only by the next roster. */
export const signingClose = defineAction<SigningClose, SigningProposal, StoredProposal>({
  call: calls.close,
  authorize: requireHouse,
  load: ({ db }, { id }) => withFullScope(db, () => findProposal(db, id)),
  check: (_ctx, { kind, state }) => {
    const closable = state === PROPOSAL.open || (kind === 'mandate' && state === PROPOSAL.inForce);
    if (!closable) throw refuse(refusals.stateConflict);
  },
  execute: async ({ db, now }, _input, proposal) =>
    withFullScope(db, async () => {
      if (!(await moveProposal(db, proposal.id, proposal.state, PROPOSAL.closed, now)))
        throw refuse(refusals.stateConflict);
      const stored = await findRoster(db);
      const after = requireFound(await findProposal(db, proposal.id));
      return {
        data: await toProposal(db, after, stored && readRoster(stored)),
        subject: { type: 'signing', id: proposal.id },
        before: { state: proposal.state },
        after: { state: after.state, digest: after.digest },
      };
    }),
});
