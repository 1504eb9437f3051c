import { CODE } from '@hengtai/contract/wire/envelope';
import { passkey } from '@hengtai/contract/house/passkey/calls';
import type { Assertion, FactorOffer, PasskeyRequest } from '@hengtai/contract/house/passkey/schema';
import type { LoginData } from '@hengtai/contract/house/session/schema';
import { type Answer, type CallError, send } from '../api/client.ts';
import { readDevice } from '../api/session.ts';
import { findElement } from './fields.ts';

const field = findElement('passkey-field', HTMLElement);
const note = findElement('passkey-note', HTMLElement);
const button = findElement('passkey', HTMLButtonElement);
const passkeyOnlyButton = findElement('passkey-only', HTMLButtonElement);

// Loaded on demand, because most logins need no passkey.
const loadPasskeys = () => import('../api/passkey.ts');

/** What the 428 answer of a login offers; undefined if it asks for a code only. */
export const readOffer = (error: CallError): FactorOffer | undefined =>
  error.code === CODE.fresh && typeof error.data === 'object' && error.data !== null && 'elsewhere' in error.data
    ? (error.data as FactorOffer)
    : undefined;

/** The challenge that the button answers, and what then happens. */
let pending: { request: PasskeyRequest; onUse: (request: PasskeyRequest) => void } | undefined;
button.addEventListener('click', () => pending?.onUse(pending.request));

/** Shows the button for a passkey, or why it cannot be used. */
export async function showPasskey(offer: FactorOffer, onUse: (request: PasskeyRequest) => void) {
  const { passkeyProblem } = await loadPasskeys();
  const problem =
    offer.passkey === null
      ? `您的通行密钥属于 ${offer.elsewhere.join('、')}，在当前地址不能使用。请在原地址登录，或由他人重置第二因素。`
      : passkeyProblem(offer.origin);
  const { passkey: request } = offer;
  field.hidden = false;
  note.textContent = problem ?? '';
  button.hidden = problem !== undefined;
  pending = request === null ? undefined : { request, onUse };
  if (!button.hidden) button.focus();
}

export function hidePasskey() {
  field.hidden = true;
}

export const isPasskeyShown = (): boolean => !field.hidden;

/** Whether the authenticator gave no answer, so that its challenge is still open. The class is loaded on demand. */
export const isCancelled = (error: unknown): error is Error => error instanceof Error && error.name === 'PasskeyError';

export async function answer(request: PasskeyRequest): Promise<Assertion> {
  const { askPasskey } = await loadPasskeys();
  return askPasskey(request);
}

/** Shows the button for a login without a password, if the installation allows it at this address. */
export async function offerPasskeyOnly(onUse: () => void) {
  if (typeof window.PublicKeyCredential === 'undefined') return;
  const { data } = await send(passkey.offer, {});
  if (!data.alone || data.origin !== window.location.origin) return;
  passkeyOnlyButton.hidden = false;
  passkeyOnlyButton.addEventListener('click', onUse);
}

/** Logs in with a passkey and no password. */
export async function logInByPasskeyOnly(): Promise<Answer<LoginData>> {
  const { data: request } = await send(passkey.loginBegin, {});
  const assertion = await answer(request);
  const device = readDevice();
  return send(passkey.login, { passkey: assertion }, { headers: device ? { device } : {} });
}
