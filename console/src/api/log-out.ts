import { session } from '@hengtai/contract/house/session/calls';
import { send } from './client.ts';
import { clearSession } from './session.ts';

/** Logs out. The session in this browser is cleared even if the server is unreachable. */
export async function logOut() {
  try {
    await send(session.logout, {});
  } catch {
    // The session expires on the server.
  }
  clearSession();
}
