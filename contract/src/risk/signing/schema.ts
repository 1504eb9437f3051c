import { type Static, Type } from '@sinclair/typebox';
import { commandData } from '../../gateway/commands.schema.ts';
import { EmptyInput, Id, IdInput, Ids, Int, Ms, Nullable, Reason, Strict } from '../../wire/schema.ts';

const Digest = Type.String({ description: 'SHA-256 of the text, hexadecimal' });

const Key = Type.Object({
  key: Type.String({ description: 'id of the credential, base64url' }),
  person: Type.String(),
  publicKey: Type.String({ description: 'SPKI in DER, base64url' }),
  createdAt: Ms,
  inRoster: Type.Boolean(),
});
export type SigningKey = Static<typeof Key>;

const Signer = Type.Object({ person: Type.String(), key: Type.String(), at: Ms });

const Proposal = Type.Object({
  id: Id,
  kind: Type.Union([Type.Literal('roster'), Type.Literal('mandate')]),
  text: Type.String({ description: 'canonical JSON' }),
  digest: Digest,
  state: Int,
  by: Type.String(),
  createdAt: Ms,
  decidedAt: Nullable(Ms),
  needed: Type.Integer({ description: 'number of persons who must sign' }),
  signatures: Type.Array(Signer),
});
export type SigningProposal = Static<typeof Proposal>;

const RosterInForce = Type.Object({
  version: Int,
  threshold: Int,
  text: Type.String(),
  digest: Digest,
  at: Ms,
  signsDigest: Type.Boolean({ description: 'whether consents and mandates under it carry its digest' }),
});

const State = Type.Object({
  required: Type.Boolean({ description: 'whether payouts need signatures' }),
  roster: Nullable(RosterInForce),
  keys: Type.Array(Key),
  proposals: Type.Array(Proposal),
  platforms: Type.Array(Type.Object({ id: Id, name: Type.String() }), {
    description: 'whose wallets a mandate can be for, the default platform first',
  }),
});
export type SigningState = Static<typeof State>;

/** Where operators sign; null if no address of the installation allows passkeys. */
const SigningPage = Nullable(
  Type.Object({
    url: Type.String(),
    relyingParty: Type.String(),
    isApart: Type.Boolean({ description: 'whether it has another address than the console' }),
  }),
);

const Mine = Type.Object({
  page: SigningPage,
  required: Type.Boolean(),
  person: Type.String(),
  roster: Nullable(Int),
  relyingParty: Nullable(Type.String()),
  keys: Type.Array(Key),
});
export type SigningMine = Static<typeof Mine>;

/** What the signing page needs: which texts, and which keys of the caller may sign them. */
const SigningRequest = Type.Object({
  person: Type.String(),
  roster: Int,
  rosterDigest: Type.Optional(Type.String({ description: 'digest of the roster, if the consent must carry it' })),
  relyingParty: Type.String(),
  keys: Type.Array(Type.String()),
});
const Texts = Type.Object({
  page: SigningPage,
  request: Nullable(SigningRequest),
  texts: Type.Array(Type.Object({ id: Id, text: Type.String() }), {
    description: 'only what the caller has to sign',
  }),
});
export type SigningTexts = Static<typeof Texts>;

/** Data of the 428 answer to a call that the caller has to sign first. */
export interface SignatureDue {
  sign: Static<typeof SigningRequest> & { texts: string[] };
}

const Enrol = Strict({
  key: Type.String({ pattern: '^[A-Za-z0-9_-]{16,1366}$', description: 'id of the credential, base64url' }),
  publicKey: Type.String({ minLength: 122, maxLength: 122, description: 'SPKI of a P-256 key in DER, base64url' }),
});
export type SigningEnrol = Static<typeof Enrol>;

const Propose = Strict({ text: Type.String({ minLength: 2, maxLength: 60_000, description: 'canonical JSON' }) });
export type SigningPropose = Static<typeof Propose>;

const Bytes = (maxLength: number) =>
  Type.String({ pattern: `^[A-Za-z0-9_-]{1,${maxLength}}$`, description: 'base64url' });

const Add = Strict({
  signature: Strict({
    key: Bytes(1366),
    consent: Type.String({ minLength: 2, maxLength: 20_000, description: 'canonical JSON' }),
    authenticatorData: Bytes(2048),
    clientDataJSON: Bytes(4096),
    signature: Bytes(200),
  }),
});
export type SigningAdd = Static<typeof Add>;

const Added = Type.Object({ adopted: Type.Array(Proposal, { description: 'proposals that are in force now' }) });
export type SigningAdded = Static<typeof Added>;

const Close = Strict({ id: Id, reason: Type.Optional(Reason) });
export type SigningClose = Static<typeof Close>;

const TextsInput = Strict({
  ids: Ids,
  action: Type.Union([Type.Literal('pass'), Type.Literal('retry'), Type.Literal('approve')], {
    description: 'approve: the ids are those of approvals, otherwise of withdrawals',
  }),
});
export type SigningTextsInput = Static<typeof TextsInput>;

const PayoutRecord = Type.Object({
  payouts: Type.Array(
    Type.Object({
      attempt: Int,
      text: Type.String(),
      createdAt: Ms,
      ordered: Type.Boolean({ description: 'whether the payout was ordered from the wallet' }),
      command: commandData['withdraw.payout'],
      signers: Type.Array(Signer),
    }),
  ),
  rosters: Type.Array(Type.Object({ version: Int, text: Type.String() })),
});
export type SigningRecord = Static<typeof PayoutRecord>;

export const signingSchemas = {
  state: { input: EmptyInput, output: State },
  mine: { input: EmptyInput, output: Mine },
  texts: { input: TextsInput, output: Texts },
  record: { input: IdInput, output: PayoutRecord },
  enrol: { input: Enrol, output: Key },
  propose: { input: Propose, output: Proposal },
  add: { input: Add, output: Added },
  close: { input: Close, output: Proposal },
};
