import { type Socket, connect } from 'node:net';

export interface Answer {
  status: number;
  body: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * A keep-alive connection for one request at a time. It parses only what the measured servers send, so that the client uses
 * little CPU.
 */
export class Connection {
  private chunks: Buffer[] = [];
  private waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;
  private readonly socket: Socket;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('The server closed the connection.')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new Connection(socket));
      });
    });
  }

  send(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject };
      this.socket.write(request);
    });
  }

  close(): void {
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.chunks.push(chunk);
    const received = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks);
    this.chunks = [received];
    const headEnd = received.indexOf(HEAD_END);
    if (headEnd < 0) return;
    const head = received.toString('latin1', 0, headEnd);
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    if (length === undefined) return this.fail(new Error(`A response without Content-Length:\n${head}`));
    const bodyAt = headEnd + HEAD_END.length;
    if (received.length < bodyAt + Number(length)) return;
    this.chunks = [];
    const { waiting } = this;
    this.waiting = undefined;
    waiting?.resolve({ status: Number(head.slice(9, 12)), body: received.toString('utf8', bodyAt) });
  }

  private fail(error: Error): void {
    this.waiting?.reject(error);
    this.waiting = undefined;
  }
}

/** The bytes of a request. A body is sent as JSON. */
export function request(method: 'GET' | 'POST', path: string, headers: Record<string, string>, body?: string): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  if (body === undefined) return `${method} ${path} HTTP/1.1\r\nhost: bench\r\n${lines.join('')}\r\n`;
  const length = Buffer.byteLength(body);
  return (
    `${method} ${path} HTTP/1.1\r\nhost: bench\r\n${lines.join('')}` +
    `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`
  );
}
