import { type RegistrationResponseJSON, startAuthentication, startRegistration } from '@simplewebauthn/browser';
import type { Assertion, PasskeyAdd, PasskeyCreation, PasskeyRequest } from '@hengtai/contract/house/passkey/schema';

/** The browser or the authenticator gave no answer; the message is for the operator. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError';
}

/** Why passkeys do not work on this page; undefined if they do. */
export function passkeyProblem(origin: string | null): string | undefined {
  if (origin === null)
    return '控制台的地址不支持通行密钥：请用 http://localhost 访问，或由主机管理员把 PUBLIC_URL 设为 HTTPS 域名。';
  if (origin !== window.location.origin) return `通行密钥只能在 ${origin} 使用，请从该地址打开控制台。`;
  if (typeof window.PublicKeyCredential === 'undefined') return '此浏览器不支持通行密钥。';
  return undefined;
}

/** Asks the operator's authenticators to answer a challenge. */
export async function askPasskey(request: PasskeyRequest): Promise<Assertion> {
  const { id, response } = await withPasskeyError(() => startAuthentication({ optionsJSON: request }));
  return {
    id,
    clientData: response.clientDataJSON,
    authenticatorData: response.authenticatorData,
    signature: response.signature,
    ...(response.userHandle !== undefined && response.userHandle !== '' && { userHandle: response.userHandle }),
  };
}

/** Makes a passkey in one of the operator's authenticators. */
export async function makePasskey(options: PasskeyCreation): Promise<Omit<PasskeyAdd, 'name'>> {
  const credential: RegistrationResponseJSON = await withPasskeyError(() =>
    startRegistration({ optionsJSON: options }),
  );
  const { transports } = credential.response;
  return {
    id: credential.id,
    clientData: credential.response.clientDataJSON,
    attestation: credential.response.attestationObject,
    ...(transports && { transports: [...new Set(transports)].slice(0, 8) }),
    ...(credential.authenticatorAttachment && { attachment: credential.authenticatorAttachment }),
  };
}

const ERROR_TEXTS: Readonly<Record<string, string>> = {
  NotAllowedError: '已取消或超时，请重试',
  AbortError: '已取消，请重试',
  InvalidStateError: '此验证器中已有您的通行密钥',
  SecurityError: '通行密钥不能在此地址使用',
};

async function withPasskeyError<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    throw new PasskeyError(ERROR_TEXTS[name] ?? '验证器没有回应，请重试', { cause: error });
  }
}
