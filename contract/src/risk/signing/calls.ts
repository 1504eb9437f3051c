import { ABILITY } from '../../authority/ability.ts';
import { action, call, read } from '../../wire/endpoint.ts';
import type { IdInput } from '../../wire/schema.ts';
import type { EmptyInput } from '../../house/session/schema.ts';
import { signingActions } from './facts.ts';
import type {
  SigningAdd,
  SigningAdded,
  SigningClose,
  SigningEnrol,
  SigningKey,
  SigningMine,
  SigningProposal,
  SigningPropose,
  SigningRecord,
  SigningState,
  SigningTexts,
  SigningTextsInput,
} from './schema.ts';

/** Prefix of the settings of signing; only the top-level admin changes them. */
export const SIGNING_PREFIX = 'signing.';
/** Setting: each payout needs signatures that the wallet verifies. */
export const SIGNING_REQUIRED = 'signing.required';
/** Setting: signatures name the digest of the roster at once, not from the next roster on. */
export const SIGNING_ROSTER_DIGEST = 'signing.rosterDigest';
export const SIGNING_KEYS_MAX = 10;
/** A signature is used for a decision within this time. */
export const SIGNATURE_MINUTES = 15;

/** Signatures of payouts, the keys that may sign, and mandates for automatic payouts. */
export const signing = {
  state: read<EmptyInput, SigningState>()('signing/state', '签名打款', { ability: ABILITY.approval }),
  mine: read<EmptyInput, SigningMine>()('signing/mine', '我的签名密钥'),
  /** What the caller has to sign before it decides about several records. */
  texts: call<SigningTextsInput, SigningTexts>()({
    method: 'POST',
    path: 'signing/texts',
    summary: '待签名的内容',
    kind: 'read',
  }),
  record: read<IdInput, SigningRecord>()('signing/record', '提现的签名记录', { target: 'withdraw' }),
  enrol: action<SigningEnrol, SigningKey>()(signingActions.enrol, 'signing/enrol'),
  propose: action<SigningPropose, SigningProposal>()(signingActions.propose, 'signing/propose'),
  add: action<SigningAdd, SigningAdded>()(signingActions.add, 'signing/add'),
  close: action<SigningClose, SigningProposal>()(signingActions.close, 'signing/close'),
};
