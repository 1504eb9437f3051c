import type { FastifyInstance } from 'fastify';

const DAY_MS = 86_400_000;
/** RFC 9116 advises less than a year. */
const VALID_DAYS = 180;

export interface SecurityContact {
  /** A mailto: or https: address; without it the file is not served. */
  contact: string | undefined;
  /** Public address of the console, without a trailing slash. */
  publicUrl: string | undefined;
}

/** Serves /.well-known/security.txt (RFC 9116). It expires 180 days after the day of the request. */
export function mountSecurityText(
  server: FastifyInstance,
  now: () => number,
  { contact, publicUrl }: SecurityContact,
): void {
  if (contact === undefined) return;
  server.get(SECURITY_TEXT_PATH, { exposeHeadRoute: true }, async (_request, reply) => {
    const expires = new Date((Math.floor(now() / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString();
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${expires.replace('.000Z', 'Z')}`,
      'Preferred-Languages: zh, en',
      ...(publicUrl === undefined ? [] : [`Canonical: ${publicUrl}${SECURITY_TEXT_PATH}`]),
    ];
    return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
}

const SECURITY_TEXT_PATH = '/.well-known/security.txt';
