import { otp } from '@hengtai/contract/otp';
import { passkey } from '@hengtai/contract/passkey';
import { session } from '@hengtai/contract/session';

/** Reads that a change of the operator's passkeys makes stale. */
export const STALE_PASSKEYS = [passkey.list, otp.state, session.me, session.list];
