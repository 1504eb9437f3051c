import { startAuthentication, startRegistration } from '@simplewebauthn/browser';
import type { ConsentSignature } from '@hengtai/contract/risk/signing/text';
import { digestOf } from './digest.ts';

const ES256 = -7;
const TIMEOUT_MS = 300_000;

/** Why there is no answer, for the person at the authenticator. */
export class AuthenticatorError extends Error {
  override readonly name = 'AuthenticatorError';
}

/** Signs the consent. Its SHA-256 is the challenge, and the authenticator must verify the person. */
export async function sign(consent: string, keys: readonly string[]): Promise<ConsentSignature> {
  const digest = await digestOf(consent);
  const { id, response } = await withAuthenticatorError(SIGN_TEXTS, () =>
    startAuthentication({
      optionsJSON: {
        challenge: base64url(hexBytes(digest)),
        rpId: location.hostname,
        timeout: TIMEOUT_MS,
        userVerification: 'required',
        allowCredentials: keys.map((key) => ({ id: key, type: 'public-key' })),
      },
    }),
  );
  const { authenticatorData, clientDataJSON, signature } = response;
  return { key: id, consent, authenticatorData, clientDataJSON, signature };
}

/** Makes a signing key for this page. */
export async function enrol(person: string): Promise<{ id: string; publicKey: string }> {
  const { id, response } = await withAuthenticatorError(ENROL_TEXTS, () =>
    startRegistration({
      optionsJSON: {
        challenge: base64url(crypto.getRandomValues(new Uint8Array(32))),
        rp: { id: location.hostname, name: '衡台 签名页' },
        // A random handle, so that a new key replaces no other one.
        user: { id: base64url(crypto.getRandomValues(new Uint8Array(32))), name: person, displayName: person },
        pubKeyCredParams: [{ type: 'public-key', alg: ES256 }],
        timeout: TIMEOUT_MS,
        attestation: 'none',
        authenticatorSelection: { residentKey: 'discouraged', userVerification: 'required' },
      },
    }),
  );
  const { publicKey, publicKeyAlgorithm } = response;
  if (publicKey === undefined || publicKeyAlgorithm !== ES256)
    throw new AuthenticatorError('此验证器不支持 ES256 签名，请换一个验证器。');
  return { id, publicKey };
}

const SIGN_TEXTS: Readonly<Record<string, string>> = {
  NotAllowedError: '没有签名：已取消、已超时，或此验证器中没有您在名册里的签名密钥。',
  SecurityError: '没有签名：签名密钥不能在此地址使用。',
};
const ENROL_TEXTS: Readonly<Record<string, string>> = {
  NotAllowedError: '没有创建：已取消、已超时，或此验证器不能验证指纹、面容或 PIN。',
  NotSupportedError: '没有创建：此验证器不支持 ES256 签名。',
  SecurityError: '没有创建：签名密钥不能在此地址使用。',
};

async function withAuthenticatorError<T>(texts: Readonly<Record<string, string>>, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    throw new AuthenticatorError(texts[name] ?? '验证器没有回应，请重试。', { cause: error });
  }
}

const hexBytes = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
