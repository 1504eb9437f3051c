import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app/context.ts';
import { withRetries, runInScope } from '../database/connect.ts';
import { Refused, refuse } from '../app/refuse.ts';
import { recordRefusal } from '../actions/action-audit.ts';
import { authorize } from '../authority/authority.ts';
import type { ImageHandler } from './handler.ts';

/**
 * Sends an image that needs a session. It is cached only if it never changes, and a sandbox keeps any content from running scripts.
 *
 * @throws Refused 400, 428 or 403, or as the handler does
 */
export async function sendImage(
  app: App,
  name: string,
  handler: ImageHandler<unknown>,
  call: CallSpec,
  request: FastifyRequest,
  reply: FastifyReply,
  input: unknown,
): Promise<FastifyReply> {
  const caller = request.authenticated?.caller;
  if (!caller) throw refuse(refusals.sessionInvalid);
  try {
    authorize(caller, call);
    const { type, bytes } = await withRetries(() =>
      app.state.locks.run(name, (check) =>
        runInScope(
          app.requests,
          caller.scope,
          caller.operator.id,
          (db) => handler({ ...caller, db }, input),
          'write',
          check,
        ),
      ),
    );
    return reply
      .header('cache-control', call.immutable ? 'private, max-age=31536000, immutable' : 'no-store, private')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('content-disposition', 'inline')
      .type(type)
      .send(bytes);
  } catch (error) {
    if (error instanceof Refused) await recordRefusal(app, caller, name, error, input);
    throw error;
  }
}
