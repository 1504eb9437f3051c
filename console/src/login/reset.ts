import { session } from '@hengtai/contract/session';
import { CallError, send } from '../api/client.ts';
import { find, mark } from './fields.ts';

const MIN = 8;

const form = find('reset', HTMLFormElement);
const first = find('new-password', HTMLInputElement);
const again = find('again', HTMLInputElement);
const refusal = find('reset-refusal', HTMLElement);
const submit = find('set', HTMLButtonElement);

/** What is asked now; a link that was pasted over another one replaces it. */
let asked: { token: string; onDone: (account: string) => void } | undefined;

/** Asks for a new password and sets it by the token of a one-time link. `onDone` gets the account that it was for. */
export function askPassword(token: string, onDone: (account: string) => void) {
  asked = { token, onDone };
  form.hidden = false;
  refuse(null);
  first.value = '';
  again.value = '';
  first.focus();
}

function refuse(message: string | null) {
  refusal.textContent = message ?? '';
  refusal.hidden = message === null;
}

/** Marks what is wrong; the first such input, if any. */
function firstWrong(): HTMLInputElement | undefined {
  const short = first.value.length < MIN;
  const differs = !short && first.value !== again.value;
  mark(first, first.value === '' ? '请输入新密码' : short ? `新密码至少 ${MIN} 位` : null);
  mark(again, differs ? '两次输入的密码不一致' : null);
  return short ? first : differs ? again : undefined;
}

async function redeem() {
  refuse(null);
  const wrong = firstWrong();
  if (wrong || !asked) {
    wrong?.focus();
    return;
  }
  submit.disabled = true;
  try {
    const { data } = await send(session.redeem, { token: asked.token, password: first.value });
    // The link is used up, and nobody has to find it in the history.
    window.history.replaceState(null, '', window.location.pathname + window.location.search);
    form.hidden = true;
    asked.onDone(data.account);
  } catch (error) {
    refuse(error instanceof CallError ? error.msg : '暂时无法连接服务器，请稍后再试');
    first.focus();
  } finally {
    submit.disabled = false;
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!submit.disabled) void redeem();
});
for (const input of [first, again]) {
  input.addEventListener('input', () => {
    mark(input, null);
    refuse(null);
  });
}
