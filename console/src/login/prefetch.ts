/**
 * Fetches the console ahead while the operator types: its document names its scripts and style sheets, so this needs no
 * list of its own.
 */
export function prefetchConsole() {
  const run = () => void fetchConsole().catch(() => undefined);
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 3000 });
  else setTimeout(run, 1000);
}

async function fetchConsole() {
  const html = await (await fetch('/home', { credentials: 'omit' })).text();
  for (const [, path] of html.matchAll(/(?:src|href)="(\/assets\/[\w.-]+\.(?:js|css))"/g)) {
    if (!path) continue;
    const link = document.createElement('link');
    link.rel = 'prefetch';
    link.as = path.endsWith('.css') ? 'style' : 'script';
    link.crossOrigin = '';
    link.href = path;
    document.head.append(link);
  }
}
