/**
 * Calls `stop` once when the process that started this one is gone, however it went. The supervisor starts its children
 * with an IPC channel, which the kernel closes with the supervisor; a process started by hand has none, and runs on.
 */
export function endWithParent(stop: () => void): void {
  // The parent may have gone while this process was loading: then the event has passed, and only the flag tells.
  if ('connected' in process && !process.connected) setImmediate(stop);
  if (!process.channel) return;
  process.once('disconnect', stop);
  // The channel alone must not keep a process alive that has nothing left to do.
  process.channel.unref();
}
