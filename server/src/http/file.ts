import { pipeline } from 'node:stream/promises';
import type { CallSpec } from '@hengtai/contract/endpoint';
import { refusals } from '@hengtai/contract/refusals';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type App, can } from '../context.ts';
import { Refused, refuse } from '../refuse.ts';
import { recordRefusal } from './action-audit.ts';
import { ENDED, STALLED_MS, wasLeft } from './export.ts';
import { requireSetUp } from './fresh.ts';
import type { Download, Filer } from './handler.ts';

interface Sending {
  app: App;
  /** Aborted when the server is asked to end. */
  closing: AbortSignal;
  /** Of the call, as the audit log has it where it is refused. */
  name: string;
}

/** Answers with a file that lies ready: refused as any call is, and then sent as it is taken. */
export async function sendFile(
  { app, closing, name }: Sending,
  handler: Filer<unknown>,
  call: CallSpec,
  request: FastifyRequest,
  reply: FastifyReply,
  input: unknown,
): Promise<FastifyReply> {
  const caller = request.authenticated?.caller;
  if (!caller) throw refuse(refusals.sessionInvalid);
  let found: Download;
  try {
    requireSetUp(caller, call);
    if (call.ability !== undefined && !can(caller.operator, call.ability)) throw refuse(refusals.forbidden);
    found = await handler({ app, caller }, input);
  } catch (error) {
    if (error instanceof Refused) await recordRefusal(app, caller, name, error, input);
    throw error;
  }
  reply
    .header('content-type', found.type)
    .header('content-disposition', found.disposition)
    .header('content-length', found.size)
    .hijack();
  const { raw } = reply;
  for (const [header, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(header, value);
  if (closing.aborted) raw.setHeader('connection', 'close');
  raw.setTimeout(STALLED_MS, () => raw.destroy());
  raw.writeHead(200);
  try {
    await pipeline(found.file.createReadStream(), raw, { signal: closing });
  } catch (error) {
    raw.destroy();
    const left = wasLeft(error);
    if (!left) app.log.error({ err: error, path: call.path }, 'download interrupted');
    await found.recordEnd(left ? ENDED.byClient : ENDED.byFault).catch((err: unknown) => {
      app.log.error({ err, path: call.path }, 'the audit row for the end of a download could not be written');
    });
  }
  return reply;
}
