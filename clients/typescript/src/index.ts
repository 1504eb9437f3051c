export { type SplitAmount, splitAmount } from './amount.ts';
export {
  type AppliedEvent,
  type CommandResult,
  type LeaseAnswer,
  type Outbox,
  PlatformClient,
  type PollOptions,
  type ReceivedCommand,
} from './client.ts';
export {
  type ClaimAnswer,
  MemoryPayoutStore,
  type PayoutClaim,
  type PayoutRecords,
  type PayoutStore,
  type VerifyOptions,
  claimPayout,
  verifyPayout,
} from './payout.ts';
export {
  type HeldRoster,
  NotVerified,
  type VerificationFault,
  acceptRoster,
  pinRoster,
  restoreRoster,
} from './roster.ts';
export { type Credentials, type SignatureFault, type SignedRequest, checkWebhook, sign } from './signature.ts';
export type { Consent, ConsentSignature, Mandate, PayoutText, Roster } from './signing-text.ts';
export { type ClientOptions, RefusedCall, type Retry } from './transport.ts';
export type {
  Ack,
  AckAnswer,
  Command,
  CommandData,
  CommandType,
  EventAnswer,
  EventData,
  EventType,
  GatewayError,
  PlatformEvent,
  Reads,
} from './types.ts';
