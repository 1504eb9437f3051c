import { findUnknownVariables } from '../programs/env-names.ts';
import { type Env, readEnv } from '../programs/env.ts';
import { checkDatabase } from './doctor-database.ts';
import { checkAuditFolder, checkFolders, checkKeys, checkLastBackup, checkPorts } from './doctor-host.ts';
import { EXIT, writeLine } from './exit.ts';
import { consoleDirectory } from '../programs/console-directory.ts';
import { checkSigningPage } from './signing-page.ts';
import { type Finding, good, problem, warning } from './finding.ts';

const MARKS = { ok: '   ok   ', warning: ' warning', problem: ' PROBLEM' } as const;

/** Prints what is right and wrong with an installation, and what to do. Changes nothing. */
export async function doctor({ json = false }: { json?: boolean }): Promise<number> {
  const findings = await diagnose();
  if (json) writeLine(JSON.stringify(findings, null, 2));
  else for (const finding of findings) writeLine(describe(finding));
  const problems = findings.filter(({ state }) => state === 'problem').length;
  const warnings = findings.filter(({ state }) => state === 'warning').length;
  if (!json) writeLine(`${problems} problems, ${warnings} warnings`);
  return problems === 0 ? EXIT.done : EXIT.refused;
}

const describe = ({ check, state, text, advice }: Finding): string =>
  `${MARKS[state]}  ${check}: ${text}${advice === undefined ? '' : `\n          → ${advice}`}`;

export async function diagnose(): Promise<Finding[]> {
  let env: Env;
  try {
    env = readEnv(process.env);
  } catch (error) {
    return [
      problem('environment', (error as Error).message, 'correct the variables; docs/configuration.md lists them'),
    ];
  }
  const unknown = findUnknownVariables(process.env);
  return [
    good('programs', `Node.js ${process.versions.node} on ${process.platform} ${process.arch}`),
    ...(unknown.length === 0 ? [good('environment', 'every variable is accepted')] : []),
    ...unknown.map((text) => warning('environment', text, 'correct or remove it')),
    ...checkFolders(env),
    checkKeys(env),
    checkAuditFolder(env),
    ...(await checkPorts(env)),
    await checkSigningPage(env, consoleDirectory()),
    ...(await checkDatabase(env)),
    checkLastBackup(env),
  ];
}
