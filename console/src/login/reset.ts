import { session } from '@hengtai/contract/house/session/calls';
import { CallError, send } from '../api/client.ts';
import { findElement, setFieldError } from './fields.ts';

const PASSWORD_MIN = 8;

const form = findElement('reset', HTMLFormElement);
const password = findElement('new-password', HTMLInputElement);
const repeat = findElement('again', HTMLInputElement);
const refusal = findElement('reset-refusal', HTMLElement);
const submit = findElement('set', HTMLButtonElement);

/** The link in use; a link pasted over it replaces it. */
let request: { token: string; onDone: (account: string) => void } | undefined;

/** Shows the form for a new password, set with the token of a one-time link. `onDone` receives the account. */
export function askPassword(token: string, onDone: (account: string) => void) {
  request = { token, onDone };
  form.hidden = false;
  showRefusal(null);
  password.value = '';
  repeat.value = '';
  password.focus();
}

function showRefusal(message: string | null) {
  refusal.textContent = message ?? '';
  refusal.hidden = message === null;
}

/** Shows the error of each invalid input and returns the first one. */
function markInvalid(): HTMLInputElement | undefined {
  const isShort = password.value.length < PASSWORD_MIN;
  const differs = !isShort && password.value !== repeat.value;
  setFieldError(password, password.value === '' ? '请输入新密码' : isShort ? `新密码至少 ${PASSWORD_MIN} 位` : null);
  setFieldError(repeat, differs ? '两次输入的密码不一致' : null);
  return isShort ? password : differs ? repeat : undefined;
}

async function redeem() {
  showRefusal(null);
  const invalid = markInvalid();
  if (invalid || !request) {
    invalid?.focus();
    return;
  }
  submit.disabled = true;
  try {
    const { data } = await send(session.redeem, { token: request.token, password: password.value });
    // The token is used up and is removed from the browser history.
    window.history.replaceState(null, '', window.location.pathname + window.location.search);
    form.hidden = true;
    request.onDone(data.account);
  } catch (error) {
    showRefusal(error instanceof CallError ? error.msg : '暂时无法连接服务器，请稍后再试');
    password.focus();
  } finally {
    submit.disabled = false;
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (!submit.disabled) void redeem();
});
for (const input of [password, repeat]) {
  input.addEventListener('input', () => {
    setFieldError(input, null);
    showRefusal(null);
  });
}
