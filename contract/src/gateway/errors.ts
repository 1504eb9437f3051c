/**
 * Why a call of the platform was refused: the field `error` of the answer, its HTTP status, and the message. The messages are
 * in English, because they are read by the engineers of the platform.
 */
export const gatewayErrors = {
  unknown_key: { status: 401, message: 'x-key is missing or unknown' },
  invalid_time: { status: 401, message: 'x-time is not a time in unix milliseconds' },
  clock_skew: { status: 401, message: 'x-time differs from the time of the server by more than five minutes' },
  bad_signature: { status: 401, message: 'x-signature does not match time, method, path, query and body' },
  key_expired: { status: 401, message: 'the key has expired' },
  nonce_required: { status: 401, message: 'x-nonce must have 16 to 64 letters, digits, - and _' },
  nonce_reused: { status: 401, message: 'x-nonce was used before with this key' },
  address_not_allowed: { status: 403, message: 'the key may not be used from this address' },
  not_permitted: { status: 403, message: 'the key has no right for this call or for one of its events' },
  forbidden: { status: 403, message: 'this call is not allowed' },
  not_found: { status: 404, message: 'not found' },
  too_large: { status: 413, message: 'the body is larger than 8 MiB' },
  invalid_utf8: { status: 422, message: 'the body is not valid UTF-8' },
  invalid_json: { status: 422, message: 'the body is not valid JSON' },
  too_many_events: { status: 422, message: 'too many events in one call' },
  too_many_acks: { status: 422, message: 'too many acks in one call' },
  invalid: { status: 422, message: 'the body or query has the wrong form' },
  internal_error: { status: 500, message: 'internal error; send the same again later' },
  unavailable: { status: 503, message: 'the database is unavailable; send the same again later' },
} as const;
export type GatewayError = keyof typeof gatewayErrors;
