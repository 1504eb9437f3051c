// Packs the clients of the gateway, so that a platform installs them without this project: by `npm install <archive>.tgz` and
// `pip install <archive>.whl`. They have the version of the release.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { bin, fail, root, runNpm } from './tools.mjs';

const LICENCE = join(root, 'LICENSE');

/** Writes the archives of both clients into a folder. Needs the development packages, and no Python. */
export async function packClients(folder, version) {
  return [await packTypeScript(folder, version), packPython(folder, version.replace('-dev', '.dev0'))];
}

/** @returns the path of a package for npm, with the compiled code and its types */
async function packTypeScript(folder, version) {
  const source = join(root, 'clients/typescript');
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const staging = mkdtempSync(join(tmpdir(), 'hengtai-client-'));
  try {
    const compile = [bin('typescript', 'tsc'), '-p', join(source, 'tsconfig.json'), '--outDir', join(staging, 'dist')];
    execFileSync(process.execPath, compile, { stdio: 'inherit' });
    cpSync(LICENCE, join(staging, 'LICENSE'));
    cpSync(join(source, 'README.md'), join(staging, 'README.md'));
    writeFileSync(join(staging, 'package.json'), `${JSON.stringify({ ...manifest, version }, null, 2)}\n`);
    if ((await runNpm(['pack', '--pack-destination', folder], { cwd: staging })) !== 0)
      fail('The TypeScript client could not be packed.');
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
  return join(folder, `${manifest.name.replace('@', '').replace('/', '-')}-${version}.tgz`);
}

/** @returns the path of a wheel: a zip file of the modules, with their description in `<package>.dist-info` */
function packPython(folder, version) {
  const source = join(root, 'clients/python');
  const project = readFileSync(join(source, 'pyproject.toml'), 'utf8');
  const field = (name) => {
    const [, value = ''] = new RegExp(`^${name} = "(.*)"$`, 'm').exec(project) ?? [];
    if (value === '') fail(`pyproject.toml has no ${name}.`);
    return value;
  };
  const name = field('name');
  const base = name.replaceAll('-', '_');
  const info = `${base}-${version}.dist-info`;
  const metadata = [
    'Metadata-Version: 2.1',
    `Name: ${name}`,
    `Version: ${version}`,
    `Summary: ${field('description')}`,
    'License: Apache-2.0',
    `Requires-Python: ${field('requires-python')}`,
    'Description-Content-Type: text/markdown',
    '',
    readFileSync(join(source, 'README.md'), 'utf8'),
  ];
  const wheel = ['Wheel-Version: 1.0', 'Generator: hengtai', 'Root-Is-Purelib: true', 'Tag: py3-none-any', ''];
  const modules = readdirSync(join(source, 'src', base)).filter((file) => /\.(py|typed)$/.test(file));
  const files = [
    ...modules.toSorted().map((file) => [`${base}/${file}`, readFileSync(join(source, 'src', base, file))]),
    [`${info}/LICENSE`, readFileSync(LICENCE)],
    [`${info}/METADATA`, Buffer.from(metadata.join('\n'))],
    [`${info}/WHEEL`, Buffer.from(wheel.join('\n'))],
  ];
  const record = files.map(([path, data]) => `${path},sha256=${digestOf(data)},${data.length}\n`);
  files.push([`${info}/RECORD`, Buffer.from(`${record.join('')}${info}/RECORD,,\n`)]);
  const archive = join(folder, `${base}-${version}-py3-none-any.whl`);
  writeFileSync(archive, zip(files));
  return archive;
}

const digestOf = (data) => createHash('sha256').update(data).digest('base64url');

const VERSION = 20;
const DEFLATED = 8;
/** 1 January 1980, as zip files write it: archives of the same sources are the same. */
const DATE = 0x21;
const UNIX = 3 << 8;
const READABLE = 0o100644 * 0x10000;

/** A zip file of paths in ASCII and their data. */
function zip(files) {
  const [entries, directory] = [[], []];
  let offset = 0;
  for (const [path, data] of files) {
    const [name, packed] = [Buffer.from(path), deflateRawSync(data)];
    // Shared by both headers: version, flags, method, time, date, checksum, sizes, lengths of the name and of extra fields.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(DEFLATED, 4);
    common.writeUInt16LE(DATE, 8);
    common.writeUInt32LE(crc32(data), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const [head, tail] = [Buffer.alloc(6), Buffer.alloc(14)];
    head.write('PK\x01\x02', 'latin1');
    head.writeUInt16LE(VERSION | UNIX, 4);
    tail.writeUInt32LE(READABLE, 6);
    tail.writeUInt32LE(offset, 10);
    directory.push(head, common, tail, name);
    const entry = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, name, packed]);
    entries.push(entry);
    offset += entry.length;
  }
  const end = Buffer.alloc(22);
  const size = Buffer.concat(directory).length;
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...entries, ...directory, end]);
}
