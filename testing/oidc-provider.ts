import {
  type KeyObject,
  createHash,
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
} from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';

/** What an answer of the provider in an attack differs in. */
export interface Lies {
  /** Claims of the ID token; undefined removes one. */
  claims?: Record<string, unknown>;
  /** Fields of the discovery document. */
  discovery?: Record<string, unknown>;
  /** The ID token is signed by a key that the provider does not publish, by what is no secret of the provider, or not at all. */
  signature?: 'other key' | 'other kid' | 'none' | 'changed' | 'client secret' | 'public key';
  /** Parameters of the answer to the browser; undefined removes one. */
  response?: Record<string, string | undefined>;
  /** This path gets no answer. */
  hangs?: string;
  /** This path fails with 500. */
  fails?: string;
}

/** An identity provider (OpenID Connect) on the loopback address, where one account is logged in. */
export interface OidcProvider {
  issuer: string;
  clientId: string;
  clientSecret: string;
  account: { subject: string; groups?: unknown };
  /** What the userinfo of the account says; undefined: the provider has none. */
  userInfo?: Record<string, unknown>;
  lies: Lies;
  /** Requests by path. */
  requests: Map<string, number>;
  /** Plays the browser: opens a page of the provider, and returns the query string that it sends the browser back with. */
  visit: (url: string) => Promise<string>;
  /** Signs with a new key of another algorithm from now on, and publishes it at another address. */
  changeKey: () => void;
  /** Closes every connection, also of requests that get no answer. */
  disconnect: () => void;
  stop: () => Promise<void>;
}

interface Code {
  challenge: string;
  nonce: string;
  redirectUri: string;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** The key that the provider signs with, and how it publishes it. */
interface SigningKey {
  alg: 'RS256' | 'ES256';
  privateKey: KeyObject;
  jwksPath: string;
}
const firstKey = (): SigningKey => ({ alg: 'RS256', privateKey: newKey().privateKey, jwksPath: '/jwks' });
const secondKey = (): SigningKey => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { alg: 'ES256', privateKey, jwksPath: '/jwks-2' };
};
const jwkOf = ({ alg, privateKey }: SigningKey): object => ({
  ...createPublicKey(privateKey).export({ format: 'jwk' }),
  kid: 'published',
  use: 'sig',
  alg,
});

const signText = (text: string, key: KeyObject): string =>
  sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
const isDefined = (entry: [string, string | undefined]): entry is [string, string] => entry[1] !== undefined;

/** Signs with HMAC, under what the client or everybody knows. */
function signByHmac(claims: object, secret: string): string {
  const text = `${encode({ alg: 'HS256', kid: 'published' })}.${encode(claims)}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

function signToken(
  claims: object,
  { alg, privateKey: key }: Pick<SigningKey, 'alg' | 'privateKey'>,
  { clientSecret, lies: { signature } }: OidcProvider,
): string {
  if (signature === 'client secret') return signByHmac(claims, clientSecret);
  if (signature === 'public key')
    return signByHmac(claims, createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString());
  const kid = signature === 'other kid' ? 'unpublished' : 'published';
  const header = signature === 'none' ? { alg: 'none' } : { alg, kid };
  const text = `${encode(header)}.${encode(claims)}`;
  if (signature === 'none') return `${text}.`;
  return `${text}.${signText(signature === 'changed' ? `${text}x` : text, key)}`;
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return new URLSearchParams(body);
}

function sendJson(reply: ServerResponse, status: number, body: object): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

interface Running {
  state: OidcProvider;
  codes: Map<string, Code>;
  key: SigningKey;
  otherKey: SigningKey;
}

/** Sends the browser back with a code, as if the account had been asked. */
function authorize({ state, codes }: Running, query: URLSearchParams, reply: ServerResponse): void {
  const get = (name: string): string => query.get(name) ?? '';
  const isValid =
    get('response_type') === 'code' && get('client_id') === state.clientId && get('code_challenge_method') === 'S256';
  if (!isValid) return void reply.writeHead(400).end();
  const code = randomBytes(16).toString('hex');
  codes.set(code, { challenge: get('code_challenge'), nonce: get('nonce'), redirectUri: get('redirect_uri') });
  const answer = { code, state: get('state'), iss: state.issuer, ...state.lies.response };
  const target = new URLSearchParams(Object.entries(answer).filter(isDefined));
  reply.writeHead(302, { location: `${get('redirect_uri')}?${target.toString()}` }).end();
}

/** Exchanges a code for an ID token. */
async function exchange(
  { state, codes, key, otherKey }: Running,
  request: IncomingMessage,
  reply: ServerResponse,
): Promise<void> {
  const form = await readForm(request);
  const header = request.headers.authorization?.replace(/^Basic /, '') ?? '';
  // Both parts are form-encoded before they are joined (RFC 6749, 2.3.1).
  const credentials = decodeURIComponent(Buffer.from(header, 'base64').toString());
  if (credentials !== `${state.clientId}:${state.clientSecret}`)
    return sendJson(reply, 401, { error: 'invalid_client' });
  const code = codes.get(form.get('code') ?? '');
  codes.delete(form.get('code') ?? '');
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  if (!code || code.challenge !== challenge || code.redirectUri !== form.get('redirect_uri'))
    return sendJson(reply, 400, { error: 'invalid_grant' });
  const now = Math.floor(Date.now() / 1000);
  const { subject: sub, groups } = state.account;
  const own = { iss: state.issuer, aud: state.clientId, iat: now, exp: now + 60, nonce: code.nonce, sub, groups };
  // How the provider says that it verified the person must count for nothing.
  const claims = { ...own, amr: ['pwd', 'mfa', 'otp', 'hwk'], acr: 'high', ...state.lies.claims };
  const token = signToken(claims, state.lies.signature === 'other key' ? otherKey : key, state);
  sendJson(reply, 200, { access_token: randomBytes(16).toString('hex'), token_type: 'Bearer', id_token: token });
}

const discoveryOf = ({ state: { issuer, userInfo, lies }, key }: Running): object => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  ...(userInfo && { userinfo_endpoint: `${issuer}/userinfo` }),
  jwks_uri: issuer + key.jwksPath,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: [key.alg],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  ...lies.discovery,
});

/** @param port 0 for a free one */
export async function startOidcProvider(port = 0): Promise<OidcProvider> {
  const state: OidcProvider = {
    issuer: '',
    clientId: 'hengtai',
    clientSecret: 'provider-secret',
    account: { subject: 'account-1' },
    lies: {},
    requests: new Map(),
    visit: async (url) => {
      const location = (await fetch(url, { redirect: 'manual' })).headers.get('location');
      if (location === null) throw new Error('The provider did not send the browser back.');
      return new URL(location).search.slice(1);
    },
    changeKey: () => (running.key = secondKey()),
    disconnect: () => server.closeAllConnections(),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const running: Running = { state, codes: new Map(), key: firstKey(), otherKey: firstKey() };
  const server = createServer((request, reply) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', state.issuer);
    state.requests.set(pathname, (state.requests.get(pathname) ?? 0) + 1);
    if (pathname === state.lies.hangs) return;
    if (pathname === state.lies.fails) return void reply.writeHead(500).end();
    if (pathname === '/authorize') return authorize(running, searchParams, reply);
    if (pathname === '/token') return void exchange(running, request, reply);
    if (pathname === '/userinfo' && request.headers.authorization?.startsWith('Bearer '))
      return sendJson(reply, 200, { sub: state.account.subject, ...state.userInfo });
    if (pathname === running.key.jwksPath) return sendJson(reply, 200, { keys: [jwkOf(running.key)] });
    if (pathname === '/.well-known/openid-configuration') return sendJson(reply, 200, discoveryOf(running));
    reply.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  state.issuer = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : port}`;
  return state;
}
