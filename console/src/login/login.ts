import '../theme.css';
import './login.css';
import { CODE } from '@hengtai/contract/envelope';
import { LOGIN_DONE, session } from '@hengtai/contract/session';
import type { LoginInput } from '@hengtai/contract/session.schema';
import { CallError, send } from '../api/client.ts';
import { onSessionChange, readDevice, readSession, saveDevice, saveSession } from '../api/session.ts';
import { BANNER_KEY, FAREWELL_KEY, RESUME_KEY, WELCOME_KEY } from './handover.ts';
import { prefetchConsole } from './prefetch.ts';
import { find, mark } from './fields.ts';
import { askPassword } from './reset.ts';
import { resetToken } from './reset-token.ts';
import { returnPath } from './return-path.ts';

const MESSAGES = { account: '请输入登录账号', password: '请输入登录密码', otp: '请输入一次性验证码' } as const;
type Field = keyof typeof MESSAGES;
const FIELDS = ['account', 'password', 'otp'] as const satisfies readonly Field[];
const FAREWELL_MS = 4000;

const form = find('login', HTMLFormElement);
const inputs = {
  account: find('account', HTMLInputElement),
  password: find('password', HTMLInputElement),
  otp: find('otp', HTMLInputElement),
};
const otpField = find('otp-field', HTMLElement);
const refusal = find('refusal', HTMLElement);
const toast = find('toast', HTMLElement);
const submit = find('submit', HTMLButtonElement);
const reveal = find('reveal', HTMLButtonElement);
const caps = find('caps', HTMLElement);

function refuse(message: string | null) {
  refusal.textContent = message ?? '';
  refusal.hidden = message === null;
}

const asked = (): Field[] => FIELDS.filter((field) => field !== 'otp' || !otpField.hidden);

/** Marks what is missing; the first such field, if any. */
function firstMissing(): Field | undefined {
  const missing = asked().filter(
    (field) => (field === 'account' ? inputs[field].value.trim() : inputs[field].value) === '',
  );
  for (const field of asked()) mark(inputs[field], missing.includes(field) ? MESSAGES[field] : null);
  return missing[0];
}

function lock(locked: boolean) {
  submit.disabled = locked;
  submit.textContent = locked ? '正在登录…' : '登录';
  form.setAttribute('aria-busy', String(locked));
}

async function logIn() {
  refuse(null);
  const missing = firstMissing();
  if (missing) {
    inputs[missing].focus();
    return;
  }
  const input: LoginInput = { account: inputs.account.value.trim(), password: inputs.password.value };
  if (!otpField.hidden) input.otp = inputs.otp.value.trim();
  const device = readDevice();
  lock(true);
  try {
    const { data, token } = await send(session.login, input, { headers: device ? { device } : {} });
    if (!token) throw new Error('the login brought no token');
    enter(token, data);
  } catch (error) {
    lock(false);
    explain(error);
  }
}

function enter(token: string, { admin, planSet, device }: { admin: string; planSet: boolean; device: string }) {
  toast.textContent = LOGIN_DONE;
  sessionStorage.setItem(WELCOME_KEY, '1');
  sessionStorage.setItem(RESUME_KEY, '1');
  sessionStorage.removeItem(BANNER_KEY);
  if (device) saveDevice(device);
  // Every window that learns of the session opens the console, this one as well.
  saveSession({ token, admin, planSet });
}

function explain(error: unknown) {
  if (error instanceof CallError && error.code === CODE.fresh) {
    otpField.hidden = false;
    inputs.otp.focus();
    return;
  }
  refuse(error instanceof CallError ? error.msg : '暂时无法连接服务器，请稍后再试');
  const again = otpField.hidden ? inputs.password : inputs.otp;
  again.focus();
  again.select();
}

function dropCode() {
  otpField.hidden = true;
  inputs.otp.value = '';
}

function onCapsLock(event: KeyboardEvent | MouseEvent) {
  caps.textContent = event.getModifierState('CapsLock') ? '大写锁定已打开' : '';
}

function toggleReveal() {
  const shown = inputs.password.type === 'password';
  inputs.password.type = shown ? 'text' : 'password';
  reveal.textContent = shown ? '隐藏' : '显示';
  reveal.setAttribute('aria-pressed', String(shown));
  reveal.setAttribute('aria-label', shown ? '隐藏密码' : '显示密码');
}

function sayFarewell() {
  const words = sessionStorage.getItem(FAREWELL_KEY);
  if (words === null) return;
  sessionStorage.removeItem(FAREWELL_KEY);
  say(words);
}

function say(words: string) {
  toast.textContent = words;
  setTimeout(() => {
    if (toast.textContent === words) toast.textContent = '';
  }, FAREWELL_MS);
}

function toConsole() {
  window.location.replace(returnPath(window.location.search, window.location.origin));
}

function start() {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!submit.disabled) void logIn();
  });
  for (const field of FIELDS) {
    inputs[field].addEventListener('input', () => {
      mark(inputs[field], null);
      refuse(null);
      // Whether a code is due is another account's own matter.
      if (field === 'account') dropCode();
    });
  }
  inputs.password.addEventListener('keydown', onCapsLock);
  inputs.password.addEventListener('keyup', onCapsLock);
  inputs.password.addEventListener('blur', () => {
    caps.textContent = '';
  });
  reveal.addEventListener('click', toggleReveal);
  onSessionChange((next) => next && !form.hidden && toConsole());
  sayFarewell();
  prefetchConsole();
}

/** The login with the account filled in, after its password was set by a link. */
function comeBack(account: string) {
  form.hidden = false;
  inputs.account.value = account;
  inputs.password.value = '';
  dropCode();
  inputs.password.focus();
  say('密码已设置，请登录');
}

/** A link for a password is for its owner, even while another operator is logged in here. */
function showReset(): boolean {
  const token = resetToken(window.location.hash);
  if (token === undefined) return false;
  form.hidden = true;
  askPassword(token, comeBack);
  return true;
}

// Where the login is open already, a link to it changes nothing but the part behind the hash sign.
window.addEventListener('hashchange', showReset);
if (showReset()) start();
else if (readSession()) toConsole();
else {
  start();
  inputs.account.focus();
}
