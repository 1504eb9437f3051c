import { pipeline } from 'node:stream/promises';
import type { CallSpec } from '@hengtai/contract/wire/endpoint';
import { refusals } from '@hengtai/contract/wire/refusals';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app/context.ts';
import { Refused, refuse } from '../app/refuse.ts';
import { recordRefusal } from '../actions/action-audit.ts';
import { authorize } from '../authority/authority.ts';
import { INCOMPLETE_RESULT, isClientDisconnect, openFile } from './export.ts';
import type { Download, DownloadHandler } from './handler.ts';

interface DownloadContext {
  app: App;
  /** Aborted when the server shuts down. */
  stopSignal: AbortSignal;
  /** Name of the call in the audit row of a refusal. */
  name: string;
}

/**
 * Streams a stored file to the client.
 *
 * @throws Refused 400, 428 or 403 before the first byte; a later error closes the connection and is audited
 */
export async function sendFile(
  { app, stopSignal, name }: DownloadContext,
  handler: DownloadHandler<unknown>,
  call: CallSpec,
  request: FastifyRequest,
  reply: FastifyReply,
  input: unknown,
): Promise<FastifyReply> {
  const caller = request.authenticated?.caller;
  if (!caller) throw refuse(refusals.sessionInvalid);
  let found: Download;
  try {
    authorize(caller, call);
    found = await handler({ app, caller }, input);
  } catch (error) {
    if (error instanceof Refused) await recordRefusal(app, caller, name, error, input);
    throw error;
  }
  reply
    .header('content-type', found.type)
    .header('content-disposition', found.disposition)
    .header('content-length', found.size);
  const raw = openFile(reply, stopSignal);
  try {
    await pipeline(found.file.createReadStream(), raw, { signal: stopSignal });
  } catch (error) {
    raw.destroy();
    const isDisconnect = isClientDisconnect(error);
    if (!isDisconnect) app.log.error({ err: error, path: call.path }, 'download interrupted');
    await found
      .recordEnd(isDisconnect ? INCOMPLETE_RESULT.byClient : INCOMPLETE_RESULT.byError)
      .catch((err: unknown) => {
        app.log.error({ err, path: call.path }, 'the audit row for the end of a download could not be written');
      });
  }
  return reply;
}
