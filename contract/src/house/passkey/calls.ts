import { call } from '../../wire/endpoint.ts';
import { passkeyActions } from './facts.ts';
import type {
  PasskeyAdd,
  PasskeyBegin,
  PasskeyCreation,
  PasskeyEnrol,
  PasskeyFresh,
  PasskeyList,
  PasskeyOffer,
  PasskeyRename,
  PasskeyRequest,
  PasskeyRow,
} from './schema.ts';
import type { IdInput } from '../../wire/schema.ts';
import type { EmptyInput, LoginData } from '../session/schema.ts';

/** A challenge that is not answered in this time is refused. */
export const CHALLENGE_MINUTES = 5;
export const PASSKEYS_MAX = 20;

/** Setting: an operator with a passkey gives it as second factor, and everybody must have one. */
export const PASSKEY_ONLY = 'passkey.only';
/** Setting: a passkey with user verification opens a session without a password. */
export const PASSKEY_ALONE = 'passkey.alone';
/** Prefix of these settings; only the top-level admin changes them. */
export const PASSKEY_PREFIX = 'passkey.';

export const attachmentLabels = { platform: '本机（平台）', 'cross-platform': '可携带（漫游）' } as const;

/** Options of the calls that an operator may use before it has set up a second factor. */
const own = { method: 'POST', kind: 'session', allowedBeforeSetup: true } as const;

/** The caller's own passkeys. */
export const passkey = {
  list: call<EmptyInput, PasskeyList>()({
    method: 'GET',
    path: 'passkey/list',
    summary: '我的通行密钥',
    kind: 'session',
    allowedBeforeSetup: true,
  }),
  enrol: call<PasskeyEnrol, PasskeyCreation>()({ ...passkeyActions.enrol, ...own, path: 'passkey/enrol' }),
  add: call<PasskeyAdd, PasskeyRow>()({ ...passkeyActions.add, ...own, path: 'passkey/add' }),
  rename: call<PasskeyRename, PasskeyRow>()({ ...passkeyActions.rename, ...own, path: 'passkey/rename' }),
  del: call<IdInput, null>()({ ...passkeyActions.del, ...own, path: 'passkey/del' }),
  /** Challenges the caller's passkeys for one call, named by its digest. */
  begin: call<PasskeyBegin, PasskeyRequest>()({ ...passkeyActions.begin, ...own, path: 'passkey/begin' }),
  /** Proves the identity of the caller for the call of the challenge, and for no other. */
  fresh: call<PasskeyFresh, null>()({ ...passkeyActions.fresh, ...own, path: 'passkey/fresh' }),
  offer: call<EmptyInput, PasskeyOffer>()({
    method: 'GET',
    path: 'login/passkey/offer',
    summary: '登录页的通行密钥',
    kind: 'session',
    public: true,
  }),
  loginBegin: call<EmptyInput, PasskeyRequest>()({
    ...passkeyActions.loginBegin,
    method: 'POST',
    kind: 'session',
    path: 'login/passkey/begin',
    public: true,
  }),
  login: call<PasskeyFresh, LoginData>()({
    ...passkeyActions.login,
    method: 'POST',
    kind: 'session',
    path: 'login/passkey',
    public: true,
  }),
};
