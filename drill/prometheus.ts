import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../bench/lib/child.ts';

const RULES = fileURLToPath(new URL('../deploy/prometheus/hengtai.rules.yml', import.meta.url));
const STARTS_WITHIN_MS = 30_000;

export type AlertState = 'inactive' | 'pending' | 'firing';

/** A real Prometheus with the rules that are shipped. */
export interface Prometheus {
  /** The state of each alert by its name. `pending` means that its expression is true, and its time has not passed. */
  fetchStates(): Promise<Map<string, AlertState>>;
  stop(): Promise<void>;
}

interface RulesResponse {
  data: { groups: { rules: { name: string; state: AlertState }[] }[] };
}

/** Starts Prometheus on loopback. It scrapes and evaluates every second, so that a drill need not wait. */
export async function startPrometheus(program: string, directory: string, target: string): Promise<Prometheus> {
  const port = await findFreePort();
  const config = join(directory, 'prometheus.yml');
  const lines = [
    'global: { scrape_interval: 1s, scrape_timeout: 900ms, evaluation_interval: 1s }',
    `rule_files: [${JSON.stringify(RULES)}]`,
    `scrape_configs: [{ job_name: hengtai, static_configs: [{ targets: [${JSON.stringify(target)}] }] }]`,
  ];
  writeFileSync(config, `${lines.join('\n')}\n`);
  const child = spawn(
    program,
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(directory, 'prometheus')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const fetchStates = async (): Promise<Map<string, AlertState>> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/rules?type=alert`);
    const { data } = (await response.json()) as RulesResponse;
    return new Map(data.groups.flatMap(({ rules }) => rules.map(({ name, state }) => [name, state])));
  };
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  for (const until = Date.now() + STARTS_WITHIN_MS; ; await sleep(200)) {
    const states = await fetchStates().catch(() => undefined);
    if (states && states.size > 0) return { fetchStates, stop };
    if (child.exitCode === null && Date.now() < until) continue;
    await stop();
    throw new Error(`${program} did not start with the rules of ${RULES}.`);
  }
}
