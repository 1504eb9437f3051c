import { once } from 'node:events';
import { type IncomingHttpHeaders, type ServerResponse, createServer } from 'node:http';
import { type AddressInfo, type Socket, createServer as createTcpServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  port: number;
  requests: Received[];
  /** How the next requests are answered; 200 by default. */
  answer: (response: ServerResponse) => void;
  close: () => Promise<void>;
}

/** An HTTP server on loopback that keeps what it receives. */
export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      receiver.requests.push({ path: request.url ?? '', headers: request.headers, body });
      receiver.answer(response);
    });
  });
  const receiver: Receiver = {
    port: 0,
    requests: [],
    answer: (response) => void response.end('{}'),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  receiver.port = (server.address() as AddressInfo).port;
  return receiver;
}

export interface MailSink {
  port: number;
  mails: { to: string[]; text: string }[];
  close: () => Promise<void>;
}

/**
 * A mail server on loopback that accepts every mail and keeps it.
 *
 * @param identity for TLS from the first byte; undefined: none
 */
export async function startMailSink(identity?: { key: string; cert: string }): Promise<MailSink> {
  const sink: MailSink = { port: 0, mails: [], close: () => new Promise((resolve) => server.close(() => resolve())) };
  const serve = (socket: Socket): void => {
    let to: string[] = [];
    let data: string | undefined;
    let rest = '';
    const reply = (text: string): void => void socket.write(`${text}\r\n`);
    const take = (line: string): void => {
      if (data !== undefined) {
        if (line !== '.') data += `${line.replace(/^\.\./, '.')}\n`;
        else {
          sink.mails.push({ to, text: data });
          [to, data] = [[], undefined];
          reply('250 kept');
        }
      } else if (/^rcpt to:/i.test(line)) {
        to.push(/<(.*)>/.exec(line)?.[1] ?? '');
        reply('250 ok');
      } else if (/^data/i.test(line)) {
        data = '';
        reply('354 go on');
      } else if (/^quit/i.test(line)) socket.end('221 bye\r\n');
      else reply('250 ok');
    };
    reply('220 sink');
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      rest += chunk;
      const lines = rest.split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(line);
    });
    socket.on('error', () => undefined);
  };
  const server = identity ? createTlsServer(identity, serve) : createTcpServer(serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  sink.port = (server.address() as AddressInfo).port;
  return sink;
}
