// A supervisor that was killed no longer reads the pipe; this process must still end in order and save its state.
process.stdout.on('error', () => undefined);

/** Writes one JSON line to stdout. */
export function log(msg: string, fields: Record<string, unknown> = {}): void {
  process.stdout.write(`${JSON.stringify({ time: Date.now(), name: 'simulator', msg, ...fields })}\n`);
}
