// Builds the signing page into a folder: index.html, signing.js and SHA256SUMS. The document names the digests of its script
// and style sheet, so the digest of index.html stands for the whole page. The output depends on the sources only.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tools.mjs';

const source = join(root, 'console/src/signing');
const digest = (text, encoding) => createHash('sha256').update(text).digest(encoding);

export async function buildSigningPage(outdir) {
  const { build } = await import('esbuild');
  const bundle = (entry, options) =>
    build({
      entryPoints: [join(source, entry)],
      absWorkingDir: root,
      bundle: true,
      minify: true,
      charset: 'utf8',
      write: false,
      logLevel: 'warning',
      ...options,
    });
  const [scripts, styles] = await Promise.all([
    bundle('main.ts', { format: 'iife', target: 'es2022' }),
    bundle('signing.css', { target: 'es2022' }),
  ]);
  const [script, style] = [scripts.outputFiles[0].text, styles.outputFiles[0].text.trim()];
  // Functions, because a replacement text gives `$` a meaning.
  const html = readFileSync(join(source, 'index.html'), 'utf8')
    .replace('STYLE_HASH', () => digest(style, 'base64'))
    .replace('SCRIPT_HASH', () => digest(script, 'base64'))
    .replace(/<style>.*?<\/style>/s, () => `<style>${style}</style>`);
  const files = { 'index.html': html, 'signing.js': script };
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(outdir, name), text);
  const sums = Object.entries(files).map(([name, text]) => `${digest(text, 'hex')}  ${name}\n`);
  writeFileSync(join(outdir, 'SHA256SUMS'), sums.join(''));
}
