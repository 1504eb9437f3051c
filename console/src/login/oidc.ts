import { oidc } from '@hengtai/contract/house/oidc/calls';
import type { LoginInput, LoginData } from '@hengtai/contract/house/session/schema';
import { type Answer, send } from '../api/client.ts';
import { readDevice } from '../api/session.ts';
import { findElement } from './fields.ts';

/** The open login at the identity provider: its name, and the query of this page before the browser left it. */
interface Flow {
  flow: string;
  search: string;
}

/** Kept in this window only, so that an answer that another browser asked for is refused. */
const FLOW_KEY = 'hengtai.oidc';

const button = findElement('oidc', HTMLButtonElement);
const ownFields = findElement('own-login', HTMLElement);

/** Shows the button if the installation has an identity provider. `onProblem` receives why it cannot be used here. */
export async function offerOidc(onUse: () => void, onProblem: (text: string) => void) {
  const { data } = await send(oidc.offer, {});
  const { origin } = data;
  if (origin === null) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    if (origin === window.location.origin) onUse();
    else onProblem(`企业登录只能在 ${origin} 使用`);
  });
}

/** Sends the browser to the identity provider. */
export async function leaveForProvider(): Promise<void> {
  const { data } = await send(oidc.begin, {});
  sessionStorage.setItem(FLOW_KEY, JSON.stringify({ flow: data.flow, search: window.location.search } satisfies Flow));
  window.location.assign(data.url);
}

/** The answer that the provider sent the browser back with. */
export interface ProviderAnswer {
  flow: string;
  response: string;
}

/**
 * Takes the provider's answer out of the address, so that neither history nor reload keeps it; undefined if there is none.
 */
export function takeAnswer(): ProviderAnswer | undefined {
  const query = new URLSearchParams(window.location.search);
  if (!query.has('state') || !(query.has('code') || query.has('error'))) return undefined;
  const response = window.location.search.slice(1);
  const open = readFlow();
  sessionStorage.removeItem(FLOW_KEY);
  window.history.replaceState(null, '', window.location.pathname + (open?.search ?? ''));
  // Without the flow the server refuses the answer, and says why.
  return { flow: open?.flow ?? '0'.repeat(43), response };
}

function readFlow(): Flow | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(FLOW_KEY) ?? 'null') as Flow | undefined;
  } catch {
    return undefined;
  }
}

/** First with the answer of the provider, then with a second factor. */
export function sendOidcLogin(
  answer: { flow: string; response?: string },
  factor: Pick<LoginInput, 'otp' | 'passkey'>,
): Promise<Answer<LoginData>> {
  const device = readDevice();
  return send(oidc.login, { ...answer, ...factor }, { headers: device ? { device } : {} });
}

/** Hides account and password while only the second factor is missing. */
export function showOwnFields(isShown: boolean) {
  ownFields.hidden = !isShown;
}
