import { isUtf8 } from 'node:buffer';
import type { FieldError } from '@hengtai/contract/wire/envelope';
import type { GatewayError } from '@hengtai/contract/gateway/errors';
import type { Static, TSchema } from '@sinclair/typebox';
import type { FastifyRequest } from 'fastify';
import { checkOf } from '../http/check-of.ts';
import { queryValues } from '../http/input.ts';
import { CallRefused } from './call-refused.ts';
import { findFaults } from './validate.ts';

/** The bytes of the body; empty without one. */
export const bodyOf = (request: FastifyRequest): Uint8Array =>
  request.body instanceof Uint8Array ? request.body : new Uint8Array();

/**
 * Makes a parser of bodies. It throws CallRefused.
 *
 * @param tooMany the error for a list that is too long
 * @param query schema of the texts in the query string; without it there must be none
 */
export function bodyParser<S extends TSchema>(
  schema: S,
  tooMany: GatewayError = 'invalid',
  query?: TSchema,
): (request: FastifyRequest) => Static<S> {
  return (request) => {
    if (query) validate(query, { ...(request.query as object) });
    else refuseQuery(request);
    const value = parseJson(bodyOf(request));
    const limit: unknown = schema['maxItems'];
    // Collecting the errors of a huge list would let one call block the process.
    if (Array.isArray(value) && typeof limit === 'number' && value.length > limit)
      throw new CallRefused(tooMany, { limit });
    return validate(schema, value);
  };
}

/** Makes a parser of query strings. It throws CallRefused. */
export function queryParser<S extends TSchema>(schema: S): (request: FastifyRequest) => Static<S> {
  const convert = queryValues(schema, false);
  return (request) => validate(schema, convert(request.query));
}

/** @throws CallRefused if there is a query string */
export function refuseQuery(request: FastifyRequest): void {
  const [name] = Object.keys(request.query as object);
  if (name !== undefined) throw invalid([{ field: name, msg: `/${name}: unknown query parameter` }]);
}

function parseJson(body: Uint8Array): unknown {
  if (!isUtf8(body)) throw new CallRefused('invalid_utf8');
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    throw new CallRefused('invalid_json');
  }
}

function validate<S extends TSchema>(schema: S, value: unknown): Static<S> {
  const check = checkOf(schema);
  if (check.Check(value)) return value;
  throw invalid(findFaults(check, value).map(({ path, text }) => ({ field: path.slice(1), msg: text })));
}

const invalid = (errors: FieldError[]): CallRefused => new CallRefused('invalid', errors, errors[0]?.msg);
