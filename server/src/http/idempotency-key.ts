import type { Endpoint } from '@hengtai/contract/wire/schema';
import type { FastifyRequest } from 'fastify';
import { digestOf } from '../authority/fresh.ts';
import { refuseField } from '../app/refuse.ts';

/** Calls about the own session decide themselves whether they need a fresh code. */
export function digestOfCall(call: Endpoint['call'], request: FastifyRequest): string | undefined {
  if (call.method === 'GET' || !(call.fresh || call.kind === 'session')) return undefined;
  const key = idempotencyKeyOf(request);
  return key === undefined ? undefined : digestOf({ path: call.path, key, body: request.body });
}

/** @throws Refused 422 when the header is not 1 to 128 printable ASCII characters */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined || key === '') return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(key)) throw refuseField('idempotency-key', '格式不正确');
  return key;
}
