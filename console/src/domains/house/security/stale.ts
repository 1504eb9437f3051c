import { otp } from '@hengtai/contract/house/otp/calls';
import { passkey } from '@hengtai/contract/house/passkey/calls';
import { session } from '@hengtai/contract/house/session/calls';

/** Reads that a change of the operator's passkeys makes stale. */
export const STALE_PASSKEYS = [passkey.list, otp.state, session.me, session.list];
