import { BlockedTarget } from '../../../outbound/checked-address.ts';
import { NotAccepted } from '../../../outbound/http-post.ts';

const UNKNOWN_AUTHORITY =
  '签发机构不受信任；若是公司自己的机构，请管理员用 NODE_EXTRA_CA_CERTS 加入其根证书并重启服务器';
const OTHER_NAME = '证书不属于此主机名；请改用证书上的主机名，或请对方重新签发';

/** Why a certificate is not accepted and what to do, by the code of the error. */
const CERTIFICATE_REASONS: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  CERT_UNTRUSTED: UNKNOWN_AUTHORITY,
  ERR_TLS_CERT_ALTNAME_INVALID: OTHER_NAME,
  HOSTNAME_MISMATCH: OTHER_NAME,
  CERT_HAS_EXPIRED: '证书已过期；请对方更新证书，并核对本服务器的时钟',
  CERT_NOT_YET_VALID: '证书尚未生效；请核对本服务器的时钟',
  CERT_REVOKED: '证书已被吊销；请对方更新证书',
};

/** Why an attempt failed, for the operator, without the address or an answer in it. */
export function describeFailure(error: unknown): { error: string; final: boolean } {
  if (error instanceof BlockedTarget) return { error: error.message, final: true };
  if (error instanceof NotAccepted) return { error: error.message, final: false };
  const isTimeout = error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
  if (isTimeout) return { error: '连接超时', final: false };
  const code = codeOf(error);
  if (code === undefined) return { error: '发送失败', final: false };
  const reason = Object.hasOwn(CERTIFICATE_REASONS, code) ? CERTIFICATE_REASONS[code] : undefined;
  return { error: reason === undefined ? `发送失败（${code}）` : `证书错误（${code}）：${reason}`, final: false };
}

/** The mail library replaces the code of a connection's error, and keeps it in a property of its own. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const codes: unknown[] = [Reflect.get(error, 'originalCode'), Reflect.get(error, 'code')];
  return codes.find((code) => typeof code === 'string');
}
