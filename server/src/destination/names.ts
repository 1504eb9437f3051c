import { type Reading, keyOwner } from './reading.ts';

const NEAR_MAX = 64;
const NEAR_NAME = /^(?:[a-z\d]+[-_.])*[a-z\d]+$/;
const NEAR_KEY = /^[0-9a-f]{64}$/;
const NEAR_EVM = /^0x[0-9a-f]{40}$/;

/** Lower case only. Accounts without a name are named by their public key, or by their EVM address with 0x. */
export function readNear(text: string): Reading | undefined {
  if (text.length < 2 || text.length > NEAR_MAX || !NEAR_NAME.test(text)) return undefined;
  if (NEAR_KEY.test(text)) return { account: text, owners: [keyOwner(text)] };
  return { account: text, owners: NEAR_EVM.test(text) ? [keyOwner(text.slice(2))] : [] };
}

/** A thirteenth character has only four bits. A full stop at the end would not be stored. */
const EOS_NAME = /^(?:[a-z1-5][a-z1-5.]{0,10})?[a-z1-5]$|^[a-z1-5][a-z1-5.]{11}[a-j1-5]$/;

export const readEos = (text: string): Reading | undefined =>
  EOS_NAME.test(text) ? { account: text, owners: [] } : undefined;
