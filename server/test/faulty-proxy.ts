import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to one call: its answer is lost, its answer breaks off, it does not arrive, or a proxy answers it. */
export type Fault = 'lost answer' | 'broken answer' | 'lost call' | 'bad gateway';

export interface SeenCall {
  method: string;
  path: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: string;
}

/** A network between platform and server, which harms the next calls in the order of `faults`. */
export class FaultyProxy {
  readonly faults: Fault[] = [];
  readonly calls: SeenCall[] = [];
  readonly #target: string;
  readonly #server = createServer((incoming, answer) => void this.#pass(incoming, answer));

  constructor(target: string) {
    this.#target = target;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await readAll(incoming);
    const { method = '', url = '', headers } = incoming;
    this.calls.push({ method, path: url, headers, body: body.toString() });
    const fault = this.faults.shift();
    if (fault === 'lost call') {
      incoming.socket.destroy();
      return;
    }
    if (fault === 'bad gateway') {
      answer.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
      return;
    }
    const { status, headers: answered, text } = await this.#forward({ method, url, headers, body });
    if (fault === 'lost answer') {
      incoming.socket.destroy();
      return;
    }
    answer.writeHead(status, { ...answered, connection: 'keep-alive' });
    if (fault === 'broken answer') answer.write(text.subarray(0, text.length / 2), () => incoming.socket.destroy());
    else answer.end(text);
  }

  async #forward(call: { method: string; url: string; headers: IncomingMessage['headers']; body: Buffer }) {
    const { method, url, headers, body } = call;
    const outgoing = request(`${this.#target}${url}`, { method, headers });
    outgoing.end(body);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, headers: response.headers, text: await readAll(response) };
  }
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
