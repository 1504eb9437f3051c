/** One JSON line on stdout. */
export function log(msg: string, fields: Record<string, unknown> = {}): void {
  process.stdout.write(`${JSON.stringify({ time: Date.now(), name: 'simulator', msg, ...fields })}\n`);
}
