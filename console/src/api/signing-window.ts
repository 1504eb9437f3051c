import type { ConsentSignature } from '@hengtai/contract/risk/signing/text';

/** Why there is no signature, for the operator. */
export class SigningError extends Error {
  override readonly name = 'SigningError';
}

/** The page on which payouts are signed. */
export interface SigningPage {
  url: string;
  /** It has another address than the console. */
  isApart: boolean;
}

export interface SignatureRequest {
  person: string;
  /** Version of the roster that the keys are in. */
  roster: number;
  /** Digest of that roster, if the signature must name it. */
  rosterDigest?: string;
  relyingParty: string;
  keys: readonly string[];
  texts: readonly string[];
  /** Text of the roster before, if a roster is signed. */
  previous: string | null;
}

const FEATURES = 'popup,width=780,height=900';
const CLOSED_CHECK_MS = 300;
const FAILURES: Readonly<Record<string, string>> = {
  cancelled: '已取消，没有签名。',
  invalid: '签名页拒绝了内容，没有签名：控制台与签名页的版本可能不同。',
  refused: '签名页拒绝签名：内容在显示之后有变化。请通知负责人。',
};

/** Shows the texts on the signing page and returns the signature. Called while a click is handled, or browsers block it. */
export const askSignature = (page: SigningPage, request: SignatureRequest): Promise<ConsentSignature> =>
  ask(page, { type: 'hengtai.signing.sign', ...request }, ({ type, signature }) =>
    type === 'hengtai.signing.signed' ? (signature as ConsentSignature) : undefined,
  );

/** Makes a signing key on the signing page. */
export const askSigningKey = (
  page: SigningPage,
  request: Pick<SignatureRequest, 'person' | 'relyingParty'>,
): Promise<{ key: string; publicKey: string }> =>
  ask(page, { type: 'hengtai.signing.enrol', ...request }, ({ type, id, publicKey }) =>
    type === 'hengtai.signing.enrolled' ? { key: String(id), publicKey: String(publicKey) } : undefined,
  );

type Message = Readonly<Record<string, unknown>>;

function ask<T>(
  { url, isApart }: SigningPage,
  request: Message,
  read: (message: Message) => T | undefined,
): Promise<T> {
  const { origin } = new URL(url);
  if (!isApart && origin !== window.location.origin)
    return Promise.reject(new SigningError(`签名页只能在 ${origin} 使用，请从该地址打开控制台。`));
  const page = window.open(url, 'hengtai-signing', FEATURES);
  if (!page) return Promise.reject(new SigningError('浏览器拦截了签名窗口：请允许本站弹出窗口，然后重试。'));
  return new Promise((resolve, reject) => {
    const end = () => {
      clearInterval(timer);
      window.removeEventListener('message', onMessage);
      page.close();
    };
    const timer = setInterval(() => {
      if (!page.closed) return;
      end();
      reject(new SigningError('签名窗口已关闭，没有签名。'));
    }, CLOSED_CHECK_MS);
    function onMessage({ source, origin: from, data }: MessageEvent<unknown>) {
      if (source !== page || from !== origin || typeof data !== 'object' || data === null) return;
      const message = data as Message;
      const answer = read(message);
      if (message['type'] === 'hengtai.signing.ready') page?.postMessage(request, origin);
      else if (message['type'] === 'hengtai.signing.failed') {
        end();
        reject(new SigningError(FAILURES[String(message['reason'])] ?? '签名页没有签名。'));
      } else if (answer !== undefined) {
        end();
        resolve(answer);
      }
    }
    window.addEventListener('message', onMessage);
  });
}
