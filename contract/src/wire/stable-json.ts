/** JSON with sorted fields, so that equal content has equal hashes. */
export function stableJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(stableJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${stableJson(field)}`).join(',')}}`;
}

/** A call as it is sent: its path, its idempotency key, and its body as parsed from JSON. */
export interface SentCall {
  path: string;
  key: string;
  body: unknown;
}

/**
 * The text whose SHA-256 binds an assertion of a passkey to one call. A password is left out, because a stolen hash would
 * allow offline guessing.
 */
export function callText({ path, key, body }: SentCall): string {
  const { password: _password, ...fields } = { password: undefined, ...(body as object | null) };
  return stableJson({ path, key, body: fields });
}
