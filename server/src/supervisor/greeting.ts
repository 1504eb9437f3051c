export interface Login {
  account: string;
  /** Whether this start created the installation. */
  created: boolean;
  /** Set only if this start generated the password. */
  password?: string;
  simulator: boolean;
  /** Fingerprint of the key that signs the heads of the audit chain. */
  auditKey: string;
}

/**
 * The greeting: address and login. Without an address (a failed start) only a generated password, which is not stored.
 */
export function greetingOf(address: string | undefined, login: Login, logFolder?: string): string {
  const lines: string[] = [];
  if (address) lines.push('HengTai is running · 衡台已启动', `  Address  地址  ${address}`);
  if (address || login.password !== undefined) lines.push(`  Account  账号  ${login.account}`);
  if (login.password !== undefined) {
    lines.push(`  Password 密码  ${login.password}   (shown only this once · 仅显示这一次)`);
  } else if (login.created && address) {
    lines.push('  Password 密码  the ADMIN_PASSWORD you set · 您设置的 ADMIN_PASSWORD');
  }
  if (login.created && login.simulator && lines.length > 0) {
    lines.push('  Second operator 复核账号  fuhe   (same password · 密码同上)');
  }
  if (address) lines.push(`  Audit key 审计公钥指纹  ${login.auditKey}   (keep it elsewhere · 请另行保存)`);
  if (address && logFolder !== undefined) lines.push(`  Logs     日志  ${logFolder}`);
  if (address) lines.push('  Stop with Ctrl-C · 按 Ctrl-C 停止');
  return lines.length > 0 ? `\n${lines.join('\n')}\n` : '';
}
