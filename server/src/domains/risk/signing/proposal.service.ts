import { requireHouse } from '../../../authority/authority.ts';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { SigningProposal, SigningPropose } from '@hengtai/contract/risk/signing/schema';
import { signing as calls } from '@hengtai/contract/risk/signing/calls';
import {
  InvalidText,
  type Mandate,
  type Roster,
  THRESHOLD_MIN,
  parseRoster,
  parseSignable,
} from '@hengtai/contract/risk/signing/text';
import { defineAction } from '../../../actions/action.ts';
import { refuse, refuseField, requireFound } from '../../../app/refuse.ts';
import { type Db, withFullScope } from '../../../database/connect.ts';
import { findPlatform } from '../../house/gateway-key/platform.store.ts';
import { type HeldRoster, readRoster, textDigest } from './consent.rules.ts';
import {
  type StoredProposal,
  fetchKeys,
  fetchSignatures,
  findProposal,
  findRoster,
  insertProposal,
} from './signing.store.ts';

/**
 * How many persons must sign a proposal: as the roster in force says, or the first roster itself. Without a roster, every
 * mandate is closed.
 */
export function thresholdFor({ kind, text }: StoredProposal, roster: Roster | undefined): number {
  const signing = roster ?? (kind === 'roster' ? parseRoster(text) : undefined);
  return signing?.threshold ?? THRESHOLD_MIN;
}

/** A proposal with its signatures. What is in force was signed under the roster of that time. */
export async function toProposal(
  db: Db,
  proposal: StoredProposal,
  roster: Roster | undefined,
): Promise<SigningProposal> {
  const { version, ...row } = proposal;
  const signedUnder = row.kind === 'roster' ? Math.max(version - 1, 1) : version;
  const signatures = await fetchSignatures(db, row, signedUnder);
  return {
    ...row,
    needed: thresholdFor(proposal, row.kind === 'roster' && version === 1 ? undefined : roster),
    signatures: signatures.map(({ person, key, at }) => ({ person, key, at })),
  };
}

/** Stores the draft of a roster or a mandate. It has no effect until enough people of the roster in force sign it. */
export const signingPropose = defineAction<SigningPropose, SigningProposal>({
  call: calls.propose,
  authorize: requireHouse,
  execute: async ({ db, operator, now }, { text }) =>
    withFullScope(db, async () => {
      const draft = readDraft(text);
      const stored = await findRoster(db);
      const roster = stored && readRoster(stored);
      if (draft.kind === 'roster') await requireNextRoster(db, draft, stored, roster);
      else await requireMandate(db, draft, roster, now);
      const version = draft.kind === 'roster' ? draft.version : draft.roster;
      const row = { kind: draft.kind, version, text, digest: textDigest(text), by: operator.account, createdAt: now };
      const id = await insertProposal(db, row);
      if (id === undefined) throw refuse(refusals.proposalOpen);
      const proposal = requireFound(await findProposal(db, id));
      return {
        data: await toProposal(db, proposal, roster),
        subject: { type: 'signing', id },
        after: { kind: draft.kind, version, digest: row.digest },
      };
    }),
});

/** @throws Refused 422 unless the text is a roster or a mandate in canonical form */
function readDraft(text: string): Roster | Mandate {
  try {
    const draft = parseSignable(text);
    if (draft.kind !== 'payout') return draft;
  } catch (error) {
    if (!(error instanceof InvalidText)) throw error;
  }
  throw refuseField('text', '：须为规范格式的名册或授权');
}

async function requireMandate(db: Db, draft: Mandate, roster: HeldRoster | undefined, now: number): Promise<void> {
  if (draft.roster !== roster?.version || draft.until <= now) throw refuse(refusals.proposalStale);
  if (draft.rosterDigest !== (roster.signsDigest ? roster.digest : undefined)) throw refuse(refusals.proposalStale);
  if (!(await findPlatform(db, draft.platform))) throw refuseField('text', `：没有编号为 ${draft.platform} 的平台`);
}

/** The rules of the wallet, and that each key was enrolled by its person. */
async function requireNextRoster(
  db: Db,
  draft: Roster,
  stored: { version: number; digest: string } | undefined,
  roster: Roster | undefined,
): Promise<void> {
  const follows = draft.version === (stored?.version ?? 0) + 1 && draft.previous === (stored?.digest ?? null);
  if (!follows) throw refuse(refusals.proposalStale);
  if (roster && draft.threshold < roster.threshold) throw refuseField('threshold', '：只能提高，不能降低');
  const enrolled = new Map((await fetchKeys(db, null)).map((key) => [key.key, key]));
  for (const { id, person, publicKey } of draft.keys) {
    const key = enrolled.get(id);
    if (key?.person !== person || key.publicKey !== publicKey)
      throw refuseField('text', `：${person} 的密钥未登记，或与登记的不一致`);
  }
}
