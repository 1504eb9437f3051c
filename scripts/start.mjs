// What `hengtai start` does first in a checkout: checks the environment and the ports, and installs and builds what is missing.
import { existsSync, readFileSync } from 'node:fs';
import { createServer, isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { isServiceProcess } from './build-state.mjs';
import { checkNode, ensureBuilt, fail, isReady } from './tools.mjs';

/** Exit code for something that must be corrected first, as in server/src/cli/exit.ts. */
const CONFIGURATION = 78;

/** Same rules and messages as server/src/programs/env.ts, which needs installed packages. */
function readListening() {
  const problems = [];
  const read = (name, fallback, parse, rule) => {
    const text = process.env[name]?.trim();
    if (!text) return fallback;
    const value = parse(text);
    if (value === undefined) problems.push(`${name}=${text} is not accepted: ${rule}.`);
    return value ?? fallback;
  };
  const wholeNumber = (max) => (text) =>
    /^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= max ? Number(text) : undefined;
  const port = read('PORT', 8080, wholeNumber(65_535), 'a port number from 1 to 65535');
  const host = read('HOST', '127.0.0.1', parseHost, 'an IP address or a host name, without a port');
  const processes = read('PROCESSES', 1, wholeNumber(32), 'a whole number from 1 to 32');
  if (port + processes - 1 > 65_535) {
    const values = `PORT=${port} and PROCESSES=${processes}`;
    problems.push(`${values} are not accepted: the last of the ports must be at most 65535.`);
  }
  if (problems.length > 0)
    fail(`The environment is not accepted · 环境变量有误:\n${problems.join('\n')}`, CONFIGURATION);
  return { port, host, processes };
}

function parseHost(text) {
  if (isIP(text) !== 0) return text;
  const isName = text.length <= 253 && /^[a-z0-9_]([a-z0-9_-]{0,62}\.?)*$/i.test(text);
  return isName && !/^[\d.]+$/.test(text) ? text : undefined;
}

function tryPort(host, port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', (error) => resolve(error.code ?? error.message));
    probe.listen(port, host, () => probe.close(() => resolve(undefined)));
  });
}

async function checkPorts({ port, host, processes }) {
  for (let candidate = port; candidate < port + processes; candidate += 1) {
    const problem = await tryPort(host, candidate);
    if (problem === 'EADDRINUSE')
      fail(`Port ${candidate} is in use on ${host}: set PORT to another one. 端口已被占用。`);
    if (problem !== undefined) fail(`Cannot listen on ${host}:${candidate} (${problem}): check HOST and PORT.`);
  }
}

/**
 * The supervisor in DATA_DIR/server.pid: 'none', 'ended' after a crash, or the id of a running process. In the last two cases
 * the ports may be in use: by a server that is still ending, which the supervisor waits for, or by the running installation.
 */
function findPrevious(dataDir) {
  const file = join(dataDir, 'server.pid');
  if (!existsSync(file)) return 'none';
  const pid = Number(readFileSync(file, 'utf8'));
  return isServiceProcess(pid) ? pid : 'ended';
}

export async function prepareStart() {
  checkNode();
  const listening = readListening();
  const dataDir = resolve(process.env.DATA_DIR?.trim() || 'data');
  const previous = findPrevious(dataDir);
  if (previous === 'none') await checkPorts(listening);
  // The supervisor refuses as well, but only after installing and building.
  else if (previous !== 'ended' && !isReady()) {
    fail(
      `HengTai is already running on ${dataDir} (process ${previous}). ` +
        `Stop it first, or choose another DATA_DIR. 该数据目录已有实例在运行。`,
    );
  }
  await ensureBuilt();
}
