/**
 * Calls `stop` once when the parent process ends for any reason. The supervisor starts its children with an IPC
 * channel, which the kernel closes with the parent. Without a channel (a process started by hand) this does nothing.
 */
export function endWithParent(stop: () => void): void {
  // If the parent ended while this process was loading, the event has passed and only the flag shows it.
  if ('connected' in process && !process.connected) setImmediate(stop);
  if (!process.channel) return;
  process.once('disconnect', stop);
  // The channel must not keep the process alive when its work is done.
  process.channel.unref();
}
