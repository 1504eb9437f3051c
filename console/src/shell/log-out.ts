import { session } from '@hengtai/contract/session';
import { send } from '../api/client.ts';
import { clearSession } from '../api/session.ts';

/** Leaving works without the server too: this browser forgets the session in any case. */
export async function logOut() {
  try {
    await send(session.logout, {});
  } catch {
    // The session ends by itself on the server.
  }
  clearSession();
}
